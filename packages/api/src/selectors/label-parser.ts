/** Reads the text form of a label selector: `app=web,tier in (a,b),!legacy,version>3`. */
import { fieldErrorText, fieldInvalid } from '../status/field-error.ts';
import { LabelLexer, type LabelToken, type LabelTokenType } from './label-lexer.ts';
import {
  BINARY_OPERATORS,
  type LabelOperator,
  type LabelRequirement,
  LabelRequirementError,
  labelRequirement,
} from './label-requirement.ts';
import { checkQualifiedName } from './label-syntax.ts';
import { REQUIREMENTS_MAX, SelectorError, tooManyRequirements } from './selector-error.ts';

const OPERATOR: Readonly<Partial<Record<LabelTokenType, LabelOperator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

/** The requirements of a selector, in the order in which they are written. Throws `SelectorError`. */
export function parseLabelRequirements(selector: string): readonly LabelRequirement[] {
  return new LabelParser(selector).parse();
}

/** A descent through the tokens; the grammar and every message are those of Kubernetes. */
class LabelParser {
  readonly #lexer: LabelLexer;
  #token: LabelToken;

  constructor(selector: string) {
    this.#lexer = new LabelLexer(selector);
    this.#token = this.#lexer.next();
  }

  parse(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#peek().type === 'end') return requirements;
    if (!this.#startsRequirement()) throw unexpected(this.#peek(), "!, identifier, or 'end of string'");
    for (;;) {
      if (requirements.length === REQUIREMENTS_MAX) throw tooManyRequirements(this.#peek().position);
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.type === 'end') return requirements;
      if (separator.type !== ',') throw unexpected(separator, "',' or 'end of string'");
      if (!this.#startsRequirement()) throw unexpected(this.#peek(), "identifier after ','");
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().type === '!';
    if (negated) this.#take();
    const key = this.#take();
    if (!isWord(key)) throw unexpected(key, 'identifier', IN_REQUIREMENT);
    const complaints = checkQualifiedName(key.text);
    if (complaints.length > 0) {
      // Kubernetes checks the key before it has a path to name it by, and prints that path as `<nil>`.
      throw refused(key, fieldErrorText(fieldInvalid('<nil>', key.text, complaints.join('; '))));
    }
    if (negated) return labelRequirement(key.text, '!');
    const following = this.#peek();
    if (following.type === 'end' || following.type === ',') return labelRequirement(key.text, 'exists');
    return this.#binary(key);
  }

  #binary(key: LabelToken): LabelRequirement {
    const token = this.#take();
    const operator = OPERATOR[token.type];
    if (operator === undefined) throw unexpected(token, BINARY_OPERATORS.join(', '), IN_REQUIREMENT);
    const start = this.#peek();
    const values = operator === 'in' || operator === 'notin' ? this.#valueSet() : this.#exactValue();
    try {
      return labelRequirement(key.text, operator, values);
    } catch (error) {
      throw error instanceof LabelRequirementError ? refused(start, error.message, error) : error;
    }
  }

  #exactValue(): readonly string[] {
    const following = this.#peek();
    if (following.type === 'end' || following.type === ',') return [''];
    const value = this.#take();
    if (!isWord(value)) throw unexpected(value, 'identifier', IN_REQUIREMENT);
    return [value.text];
  }

  #valueSet(): readonly string[] {
    const open = this.#take();
    if (open.type !== '(') {
      throw new SelectorError(`${IN_REQUIREMENT}found '${open.text}' expected: '('`, problem(open, "'('"));
    }
    const first = this.#peek();
    if (first.type === ')') {
      this.#take();
      return [''];
    }
    if (!isWord(first) && first.type !== ',') throw unexpected(first, "',', ')' or identifier", IN_REQUIREMENT);
    return this.#valueList();
  }

  /** Values between commas; nothing before, between or after commas is the empty value. */
  #valueList(): readonly string[] {
    const values = new Set<string>();
    for (;;) {
      const token = this.#take();
      const following = this.#peek();
      if (isWord(token)) {
        values.add(token.text);
        if (following.type !== ',' && following.type !== ')') throw unexpected(following, "',' or ')'", IN_REQUIREMENT);
      } else if (token.type === ',') {
        if (values.size === 0 || following.type === ',' || following.type === ')') values.add('');
      } else {
        throw unexpected(token, "',', or identifier", IN_REQUIREMENT);
      }
      if (following.type === ')') {
        this.#take();
        return [...values].toSorted();
      }
    }
  }

  #startsRequirement(): boolean {
    const token = this.#peek();
    return isWord(token) || token.type === '!';
  }

  #peek(): LabelToken {
    return this.#token;
  }

  #take(): LabelToken {
    const token = this.#token;
    this.#token = this.#lexer.next();
    return token;
  }
}

const IN_REQUIREMENT = 'unable to parse requirement: ';

/** Outside the place of an operator, `in` and `notin` are ordinary words. */
function isWord(token: LabelToken): boolean {
  return token.type === 'identifier' || token.type === 'in' || token.type === 'notin';
}

function unexpected(token: LabelToken, expected: string, prefix = ''): SelectorError {
  return new SelectorError(`${prefix}found '${token.text}', expected: ${expected}`, problem(token, expected));
}

function refused(token: LabelToken, message: string, cause?: unknown): SelectorError {
  const { position, text } = token;
  return new SelectorError(`${IN_REQUIREMENT}${message}`, { position, found: text }, { cause });
}

function problem(token: LabelToken, expected: string): { position: number; found: string; expected: string } {
  return { position: token.position, found: token.text, expected };
}
