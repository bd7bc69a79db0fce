/** Walks over JSON text, for what `JSON.parse` loses: repeated members, their order, and the digits of numbers. */

/** An object or a list that the walk is inside of. */
export interface JsonLevel {
  readonly isObject: boolean;
  /** The key or the index that the walk is at. */
  at: string | number;
}

/** Callbacks of a walk. */
export interface JsonVisitor<L extends JsonLevel> {
  /** An object or a list starts at `parent.at`; `at` of the new level is `''` or 0. */
  readonly open: (parent: L | undefined, isObject: boolean) => L;
  /** The walk is at a member of an object: `at` of the last level is its key. `false` ends the walk. */
  readonly member?: (levels: readonly L[]) => boolean;
  /** A number at `level.at`, as it is written; no level: the number is the whole document. */
  readonly number?: (level: L | undefined, literal: string) => void;
}

/** Walks over text that is known to be JSON. Linear in the text, without recursion. */
export function walkJson<L extends JsonLevel>(json: string, { open, member, number }: JsonVisitor<L>): void {
  const levels: L[] = [];
  let level: L | undefined;
  let isKey = false;
  for (let position = 0; position < json.length; position += 1) {
    const character = json.charAt(position);
    switch (character) {
      case '{':
      case '[':
        level = open(level, character === '{');
        levels.push(level);
        isKey = level.isObject;
        break;
      case '}':
      case ']':
        levels.pop();
        level = levels.at(-1);
        isKey = false;
        break;
      case ',':
        if (level === undefined) break;
        isKey = level.isObject;
        if (typeof level.at === 'number') level.at += 1;
        break;
      case '"': {
        const end = endOfString(json, position);
        if (isKey && level !== undefined) {
          level.at = keyText(json.slice(position, end + 1));
          isKey = false;
          if (member?.(levels) === false) return;
        }
        position = end;
        break;
      }
      default: {
        if (number === undefined || !startsNumber(json.charCodeAt(position))) break;
        const end = endOfNumber(json, position);
        number(level, json.slice(position, end));
        position = end - 1;
      }
    }
  }
}

/** The path of what the walk is at: `spec.containers[0].name`. */
export function pathOf(levels: readonly Pick<JsonLevel, 'at'>[]): string {
  let path = '';
  for (const { at } of levels) path += typeof at === 'number' ? `[${at}]` : path === '' ? at : `.${at}`;
  return path;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function endOfNumber(json: string, start: number): number {
  let end = start;
  while (isNumberCharacter(json.charCodeAt(end))) end += 1;
  return end;
}

/** A digit or `-`; the letters of `true` and `false` start no number. */
function startsNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d;
}

/** Digits, and `+` `-` `.` `E` `e`. Past the end there is NaN, which is none of them. */
function isNumberCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65;
}

function isEscaped(json: string, position: number): boolean {
  let slashes = 0;
  while (json.charAt(position - 1 - slashes) === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** The key between its quotes. Two spellings of one key are one field. */
function keyText(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}
