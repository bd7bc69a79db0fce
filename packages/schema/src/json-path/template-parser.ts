/** Reads templates of JSONPath. */

import { JsonPathError } from './json-path-error.ts';
import { QuotedText } from './quoted-text.ts';
import type { LiteralValue, NodeList, SliceNumber, TemplateNode } from './template-node.ts';

const TERMINATORS = new Set(['', ' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}']);
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

/** Filters and unions stand in one another at most so deep. */
const DEPTH_MAX = 32;

/** The parts of a template: texts, and lists of steps. Throws a {@link JsonPathError}. */
export function parseTemplate(template: string, depth = 0): readonly TemplateNode[] {
  if (depth > DEPTH_MAX) throw new JsonPathError('filters are nested too deep');
  return new TemplateParser(template, depth).parse();
}

function parseAction(text: string, depth: number): NodeList {
  const [first] = parseTemplate(`{${text}}`, depth + 1);
  if (first?.is !== 'list') throw new JsonPathError('unclosed action');
  return first;
}

class TemplateParser {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  parse(): readonly TemplateNode[] {
    const nodes: TemplateNode[] = [];
    while (this.#at < this.#text.length) {
      const brace = this.#text.indexOf('{', this.#at);
      const end = brace < 0 ? this.#text.length : brace;
      if (end > this.#at) nodes.push({ is: 'value', value: this.#text.slice(this.#at, end) });
      this.#at = end + 1;
      if (brace >= 0) nodes.push({ is: 'list', nodes: this.#action() });
    }
    return nodes;
  }

  /** What stands between braces; the opening one is behind. */
  #action(): readonly TemplateNode[] {
    const nodes: TemplateNode[] = [];
    for (;;) {
      if (this.#takes('}')) return nodes;
      if (this.#takes('[?(')) nodes.push(this.#filter());
      else if (this.#takes('..')) this.#recursive(nodes);
      else this.#step(nodes);
    }
  }

  #step(nodes: TemplateNode[]): void {
    const character = this.#peek();
    if (character === '' || character === '\r' || character === '\n') throw new JsonPathError('unclosed action');
    if (character === ' ' || character === '@' || character === '$') this.#at += 1;
    else if (character === '[') nodes.push(...this.#brackets());
    else if (character === '"' || character === "'") nodes.push({ is: 'value', value: this.#quoted(character) });
    else if (character === '.') {
      this.#at += 1;
      nodes.push(this.#field());
    } else if (/[+\-\p{Nd}]/u.test(character)) nodes.push({ is: 'value', value: this.#number() });
    else if (isWordCharacter(character)) nodes.push(this.#word());
    else throw new JsonPathError(`unrecognized character in action: ${codePoint(character)}`);
  }

  #recursive(nodes: TemplateNode[]): void {
    if (nodes.at(-1)?.is === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    nodes.push({ is: 'recursive' });
    if (isWordCharacter(this.#peek())) nodes.push(this.#field());
  }

  #field(): TemplateNode {
    const start = this.#at;
    while (!TERMINATORS.has(this.#peek())) this.#at += this.#peek() === '\\' ? 2 : this.#peek().length;
    const name = this.#text.slice(start, this.#at);
    return name === '*' ? { is: 'wildcard' } : { is: 'field', name: name.replaceAll('\\', '') };
  }

  #word(): TemplateNode {
    const start = this.#at;
    while (!TERMINATORS.has(this.#peek())) this.#at += this.#peek().length;
    const word = this.#text.slice(start, this.#at);
    return word === 'true' || word === 'false'
      ? { is: 'value', value: word === 'true' }
      : { is: 'keyword', name: word };
  }

  #number(): LiteralValue {
    const match = /[+-]?[\d.]*/y;
    match.lastIndex = this.#at;
    const text = match.exec(this.#text)?.[0] ?? '';
    this.#at += text.length;
    if (/^[+-]?\d+$/.test(text)) return { is: 'int', value: Number(text) };
    const value = Number(text);
    if (text === '' || Number.isNaN(value) || !/\d/.test(text)) throw new JsonPathError(`cannot parse number ${text}`);
    return { is: 'float', value };
  }

  #quoted(quote: string): string {
    const start = this.#at;
    for (let end = this.#text.indexOf(quote, start + 1); end >= 0; end = this.#text.indexOf(quote, end + 1)) {
      if (this.#text.charAt(end - 1) === '\\') continue;
      this.#at = end + 1;
      const text = this.#text.slice(start, this.#at);
      if (text.includes('\n')) break;
      return new QuotedText(text).value();
    }
    throw new JsonPathError('unterminated quoted string');
  }

  #brackets(): readonly TemplateNode[] {
    const end = this.#text.indexOf(']', this.#at);
    const text = end < 0 ? '\n' : this.#text.slice(this.#at + 1, end);
    if (text.includes('\n')) throw new JsonPathError('unterminated array');
    this.#at = end + 1;
    const parts = text.split(',');
    if (parts.length > 1) {
      const lists = parts.map((part) => parseAction(`[${trimSpaces(part)}]`, this.#depth));
      return [{ is: 'union', lists }];
    }
    const key = /^'([^']*)'$/.exec(text)?.[1];
    if (key !== undefined) return parseAction(`.${key}`, this.#depth).nodes;
    return [{ is: 'slice', numbers: sliceNumbers(text === '*' ? ':' : text) }];
  }

  #filter(): TemplateNode {
    const start = this.#at;
    const end = this.#endOfFilter();
    if (this.#text.charAt(end + 1) !== ']') throw new JsonPathError('unclosed array expect ]');
    this.#at = end + 2;
    const text = this.#text.slice(start, end);
    const match = COMPARISON.exec(text);
    if (match === null) {
      return {
        is: 'filter',
        left: parseAction(text, this.#depth),
        right: { is: 'list', nodes: [] },
        operator: 'exists',
      };
    }
    const [, left = '', operator = '', right = ''] = match;
    return { is: 'filter', left: parseAction(left, this.#depth), right: parseAction(right, this.#depth), operator };
  }

  /** Where the `)` is: behind the text in quotes, of which there is one at most. */
  #endOfFilter(): number {
    let pair = '';
    let isClosed = false;
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (character === '\n') break;
      if (character === '"' || character === "'") {
        if (pair === '') pair = character;
        else if (character === pair && this.#text.charAt(at - 1) !== '\\') isClosed = true;
      } else if (character === ')' && (pair !== '') === isClosed) return at;
    }
    throw new JsonPathError('unterminated filter');
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** The character here; `''` at the end. */
  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }
}

function sliceNumbers(text: string): readonly [SliceNumber, SliceNumber, SliceNumber] {
  const match = SLICE.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const start = sliceNumber(match[1]);
  const end = match[2] === undefined ? derivedEnd(start.value) : sliceNumber(match[2].slice(1));
  return [start, end, sliceNumber(match[3]?.slice(1))];
}

function derivedEnd(start: number): SliceNumber {
  return { value: start + 1, isKnown: true, isDerived: true };
}

function sliceNumber(text = ''): SliceNumber {
  if (text === '') return { value: 0, isKnown: false, isDerived: false };
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new JsonPathError(`array index ${text} is not a number`);
  return { value, isKnown: true, isDerived: false };
}

function isWordCharacter(character: string): boolean {
  return character === '_' || /^[\p{L}\p{Nd}]$/u.test(character);
}

function codePoint(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code} '${character}'`;
}

/** Without the spaces around it, and no other characters. A regular expression takes seconds for 100 KB of spaces in the middle. */
function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}
