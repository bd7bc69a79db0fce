/** Field selectors: a conjunction of `field=value` and `field!=value`. Parse once, match often. */

import { compareText } from '../names/text-order.ts';
import { NAME_FIELD } from '../paths/wire-names.ts';
import type { ExactTerm } from './exact-term.ts';
import { REQUIREMENTS_MAX, SelectorError, tooManyRequirements } from './selector-error.ts';
import { SharedValues } from './shared-values.ts';

/** One condition on one field. `==` is read as `=`. */
export interface FieldTerm {
  readonly field: string;
  readonly operator: '!=' | '=';
  readonly value: string;
}

/** The selectable fields of an object. A field that is not there has the value `''`. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** A compiled selector. Immutable; made by `parseFieldSelector` or `fieldSelector`. */
export class FieldSelector {
  /** Sorted by their printed form. */
  readonly terms: readonly FieldTerm[];
  /** The canonical text. Parsing it gives an equal selector. */
  readonly text: string;
  constructor(terms: readonly FieldTerm[]) {
    const printed = terms.map((term) => ({ term, text: printTerm(term) }));
    // Sorting the printed form, not the written one, makes two spellings of one selector print alike.
    const sorted = printed.toSorted((left, right) => compareText(left.text, right.text));
    this.terms = sorted.map(({ term }) => term);
    this.text = sorted.map(({ text }) => text).join(',');
  }

  /** Every condition that pins a field to one value: a key for an index over selectors. Made anew each time. */
  get exactTerms(): readonly ExactTerm[] {
    return this.terms.filter(({ operator }) => operator === '=').map(({ field, value }) => ({ key: field, value }));
  }

  /** Does it select everything? */
  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  /** The one object name that the selector allows: the list is then a read of that object. */
  get name(): string | undefined {
    return this.requiresExactMatch(NAME_FIELD);
  }

  /** Are these fields selected? Allocates nothing. */
  matches(fields: Fields): boolean {
    for (const { field, operator, value } of this.terms) {
      const actual: unknown = fields[field];
      // What the prototype holds under names such as `constructor` is not text.
      const equal = (typeof actual === 'string' ? actual : '') === value;
      if (equal !== (operator === '=')) return false;
    }
    return true;
  }

  /** The one value that the selector demands of a field; `undefined` when it leaves a choice. */
  requiresExactMatch(field: string): string | undefined {
    return this.terms.find((term) => term.field === field && term.operator === '=')?.value;
  }

  /**
   * The selector with every term replaced: how a server checks the fields of a kind and resolves their aliases.
   * A term that becomes `undefined` is dropped; what `replace` throws is passed on.
   */
  transform(replace: (term: FieldTerm) => FieldTerm | undefined): FieldSelector {
    return new FieldSelector(this.terms.flatMap((term) => replace(term) ?? []));
  }

  /** The canonical text. */
  toString(): string {
    return this.text;
  }
}

/** The selector that selects everything. */
export const EVERY_FIELD: FieldSelector = new FieldSelector([]);

const shared = new SharedValues<FieldSelector>();

/**
 * Reads the text form of a selector; `''` and empty terms select everything. Long selectors of equal text are one object.
 * Throws `SelectorError`.
 */
export function parseFieldSelector(text: string): FieldSelector {
  return text === '' ? EVERY_FIELD : shared.get(text, (one) => new FieldSelector(parseTerms(one)));
}

function parseTerms(text: string): readonly FieldTerm[] {
  // Kubernetes sorts before it reads, so of two bad terms the first in order is the one reported.
  const parts = splitTerms(text).toSorted((left, right) => compareText(left.text, right.text));
  return parts.flatMap((part) => (part.text === '' ? [] : [parseTerm(part, text)]));
}

/** The selector for fields that must all have the given values. */
export function fieldSelector(values: Readonly<Record<string, string>>): FieldSelector {
  return new FieldSelector(Object.entries(values).map(([field, value]) => ({ field, operator: '=', value })));
}

/** Escapes a value so that it can stand in the text of a selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

interface Part {
  readonly text: string;
  readonly position: number;
}

function splitTerms(selector: string): readonly Part[] {
  const parts: Part[] = [];
  let position = 0;
  let escaped = false;
  for (let index = 0; index < selector.length; index++) {
    const character = selector[index];
    if (character === ',' && !escaped) {
      parts.push({ text: selector.slice(position, index), position });
      if (parts.length === REQUIREMENTS_MAX) throw tooManyRequirements(index);
      position = index + 1;
    }
    escaped = character === '\\' && !escaped;
  }
  return [...parts, { text: selector.slice(position), position }];
}

function parseTerm(part: Part, selector: string): FieldTerm {
  const operator = /!=|==|=/.exec(part.text);
  if (operator === null) {
    throw new SelectorError(`invalid selector: '${selector}'; can't understand '${part.text}'`, {
      position: part.position,
      found: part.text,
      expected: '=, == or !=',
    });
  }
  const valueStart = operator.index + operator[0].length;
  return {
    field: part.text.slice(0, operator.index),
    operator: operator[0] === '!=' ? '!=' : '=',
    value: unescapeValue(part.text.slice(valueStart), part.position + valueStart),
  };
}

function unescapeValue(text: string, position: number): string {
  return text.replace(/\\(?:[\\,=])|\\(.?)|[,=]/gsu, (found, stray: string | undefined, offset: number) => {
    const problem = { position: position + offset, found };
    if (stray !== undefined) {
      const message = `invalid field selector: invalid escape sequence: ${found}`;
      throw new SelectorError(message, { ...problem, expected: '\\\\, \\, or \\=' });
    }
    if (found.length === 1) {
      const message = `invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`;
      throw new SelectorError(message, { ...problem, expected: `\\${found}` });
    }
    return found.slice(1);
  });
}

function printTerm({ field, operator, value }: FieldTerm): string {
  return `${field}${operator}${escapeFieldValue(value)}`;
}
