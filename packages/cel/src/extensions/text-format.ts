/** `string.format(list)`: the clauses of a format and what they make of values. */

import { quoted } from '../parsing/go-quote.ts';
import type { CallContext } from '../standard/cel-library.ts';
import { durationSecondsText, formatDouble, formatTimestamp } from '../standard/go-literals.ts';
import { CelType } from '../types/cel-type.ts';
import { CelError, COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import { CelMap } from '../values/cel-map.ts';
import {
  CelDouble,
  CelDuration,
  type CelResult,
  CelTimestamp,
  CelUint,
  type CelValue,
  isInt,
} from '../values/cel-value.ts';
import { typeOf } from '../values/type-of.ts';
import { fixedText, groupedText, scientificText } from './double-text.ts';

/** A clause such as `%.2f`. */
export interface FormatClause {
  readonly letter: string;
  readonly precision: number | undefined;
}

/** The parts of a format: text, clauses, and the problem at which reading ends. */
export type FormatPart = string | FormatClause | CelError;

/** More digits than this are an error: Go would print up to a million zeros for one unit of cost. */
const MAX_PRECISION = 1000;
const DEFAULT_PRECISION = 6;
/** A longer result ends the evaluation: the cost of `format` does not show its size. */
const MAX_LENGTH = 10_000_000;

/** What clauses accept, for messages. */
export const CLAUSE_PROBLEMS: Readonly<Record<string, string>> = {
  b: 'only integers and bools can be formatted as binary',
  d: 'decimal clause can only be used on integers',
  e: 'scientific clause can only be used on doubles',
  f: 'fixed-point clause can only be used on doubles',
  o: 'octal clause can only be used on integers',
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
};

/** Reads a format up to its end or its first problem. */
export function formatParts(format: string): FormatPart[] {
  const parts: FormatPart[] = [];
  let index = 0;
  while (index < format.length) {
    const percent = format.indexOf('%', index);
    if (percent < 0) return [...parts, format.slice(index)];
    if (percent > index) parts.push(format.slice(index, percent));
    if (format[percent + 1] === '%') {
      parts.push('%');
      index = percent + 2;
      continue;
    }
    const [part, length] = readClause(format.slice(percent + 1));
    parts.push(part);
    if (part instanceof CelError) return parts;
    index = percent + 1 + length;
  }
  return parts;
}

/** Characters that take about as long as a step. */
const COPIED_PER_STEP = 32;
const MADE_PER_STEP = 4;

/** The format with its clauses filled in. */
export function formatText(format: string, args: CelList, context: CallContext): CelResult {
  let result = '';
  let used = 0;
  for (const part of formatParts(format)) {
    if (typeof part === 'string') {
      result += part;
      continue;
    }
    if (used >= args.size) return new CelError(`index ${used} out of range`);
    if (part instanceof CelError) return part;
    const value = args.at(used);
    const printed = printClause(part, value, context);
    if (printed instanceof CelError) return printed;
    // The cost is that of the format alone, whatever it makes. A text is only copied.
    context.work(Math.floor(printed.length / (printed === value ? COPIED_PER_STEP : MADE_PER_STEP)));
    result += printed;
    if (result.length > MAX_LENGTH) return COST_LIMIT_EXCEEDED;
    used++;
  }
  return result;
}

function readClause(text: string): readonly [FormatClause | CelError, number] {
  if (text === '') return [new CelError('unexpected end of string'), 0];
  const dot = /^\.(\d*)/.exec(text);
  const length = dot?.[0].length ?? 0;
  if (dot !== null) {
    if (length === text.length)
      return unreadable('error while parsing precision: could not find end of precision specifier');
    const digits = dot[1] ?? '';
    if (digits === '' || Number(digits) > Number.MAX_SAFE_INTEGER) {
      const reason = digits === '' ? 'invalid syntax' : 'value out of range';
      return unreadable(
        `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${reason}`,
      );
    }
  }
  const letter = text.charAt(length);
  if (!/[sdfebxXo]/.test(letter)) return unreadable(`unrecognized formatting clause "${firstByte(letter)}"`);
  return [{ letter, precision: dot === null ? undefined : Number(dot[1]) }, length + 1];
}

function unreadable(message: string): readonly [CelError, number] {
  return [new CelError(`could not parse formatting clause: ${message}`), 0];
}

/** Go looks at one byte of the text: what it prints is the character with that number. */
function firstByte(letter: string): string {
  return String.fromCharCode(new TextEncoder().encode(letter)[0] ?? 0);
}

function printClause({ letter, precision }: FormatClause, value: CelValue, context: CallContext): CelError | string {
  const printed = PRINTERS[letter.toLowerCase()]?.(value, precision, context);
  if (printed instanceof CelError) return printed;
  if (printed === undefined) {
    const name = typeOf(value).name;
    return new CelError(`error during formatting: ${CLAUSE_PROBLEMS[letter.toLowerCase()] ?? ''}, was given ${name}`);
  }
  return letter === 'X' ? printed.toUpperCase() : printed;
}

type Printer = (value: CelValue, precision: number | undefined, context: CallContext) => CelError | string | undefined;

const PRINTERS: Readonly<Record<string, Printer>> = {
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : integerText(value, 2)),
  d: (value) => integerText(value, 10),
  e: (value, precision = DEFAULT_PRECISION) => {
    const number = doubleOf(value);
    return number === undefined ? undefined : withWidth(scientificText(number), precision);
  },
  f: (value, precision = DEFAULT_PRECISION) => {
    const number = doubleOf(value);
    if (number === undefined) return undefined;
    return precision > MAX_PRECISION ? '%!(NOVERB)' : groupedText(number, precision);
  },
  o: (value) => integerText(value, 8),
  s: (value, _precision, context) => plainText(value, context),
  x: (value) => {
    if (typeof value === 'string') return hexText(new TextEncoder().encode(value));
    return value instanceof Uint8Array ? hexText(value) : integerText(value, 16);
  },
};

function integerText(value: CelValue, radix: number): string | undefined {
  if (isInt(value)) return value.toString(radix);
  return value instanceof CelUint ? value.value.toString(radix) : undefined;
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_BYTES[byte];
  return text;
}

/** The double of a value; some texts stand for doubles. */
function doubleOf(value: CelValue): number | undefined {
  if (value instanceof CelDouble) return value.value;
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
}

function withWidth(text: string, width: number): string {
  return width > MAX_PRECISION ? '%!(NOVERB)' : text.padStart(width);
}

/** The value of `%s`. */
function plainText(value: CelValue, context: CallContext): CelError | string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelDouble) return formatDouble(value.value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return durationSecondsText(value.nanoseconds);
  if (value instanceof CelType) return value.name;
  if (value instanceof CelList) return listText(value, context);
  return value instanceof CelMap ? mapText(value, context) : undefined;
}

function bytesText(value: Uint8Array): CelError | string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return new CelError(
      'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
    );
  }
}

function listText(list: CelList, context: CallContext): CelError | string {
  const items: string[] = [];
  for (const item of list) {
    const text = literalText(item, context);
    if (text instanceof CelError) return text;
    items.push(text);
  }
  return `[${items.join(', ')}]`;
}

function mapText(map: CelMap, context: CallContext): CelError | string {
  const entries: string[][] = [];
  for (const key of map.keys()) {
    const keyText = typeof key === 'string' || typeof key === 'boolean' || isInt(key) || key instanceof CelUint;
    if (!keyText) {
      return new CelError(`error during formatting: no formatting function for map key of type ${typeOf(key).name}`);
    }
    const name = literalText(key, context);
    const value = literalText(map.find(key) ?? null, context);
    if (name instanceof CelError) return name;
    if (value instanceof CelError) return value;
    entries.push([name, value]);
  }
  entries.sort(([a = ''], [b = '']) => (a < b ? -1 : Number(a > b)));
  return `{${entries.map(([name, value]) => `${name}:${value}`).join(', ')}}`;
}

/** A value within a list or map, as a literal. */
function literalText(value: CelValue, context: CallContext): CelError | string {
  context.work(10);
  if (typeof value === 'string') return quoted(value);
  if (value instanceof CelDouble) {
    const text = fixedText(value.value, DEFAULT_PRECISION);
    return Number.isFinite(value.value) ? text : quoted(text);
  }
  if (value instanceof CelTimestamp) return `timestamp(${quoted(formatTimestamp(value))})`;
  if (value instanceof CelDuration) return `duration(${quoted(durationSecondsText(value.nanoseconds))})`;
  const text = plainText(value, context);
  if (text === undefined)
    return new CelError(`error during formatting: no formatting function for ${typeOf(value).name}`);
  return value instanceof Uint8Array && typeof text === 'string' ? `b${quoted(text)}` : text;
}
