/** JSON as Go writes it: keys sorted, and characters escaped that matter in HTML. */

import { isRecord } from '@listwatch/api/values';
import { compareByteOrder } from './byte-order.ts';

/** Writes a text. */
type TextWriter = (text: string) => string;

/** The text of a value, on one line, as `encoding/json` writes it. Integers may be bigints. */
export function goJson(value: unknown): string {
  return write(value, goText);
}

/** The same as jsoniter writes it, which has no `\b` and `\f`: keys of FieldsV1 are written so. */
export function elementJson(value: unknown): string {
  return write(value, elementText);
}

function write(value: unknown, text: TextWriter): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : text(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, text)).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value).toSorted(compareByteOrder);
  return `{${keys.map((key) => `${text(key)}:${write(value[key], text)}`).join(',')}}`;
}

const PLAIN = /^[\w ./:@+*=,;~!?#$%()[\]{}|-]*$/;
/** An escape of JSON.stringify, or a character that Go escapes beside those. */
const ESCAPES = /\\(?:u[0-9a-f]{4}|.)|[<>&\u2028\u2029]/g;

function goText(text: string): string {
  return JSON.stringify(text).replaceAll(ESCAPES, (found) => {
    // Half of a pair of characters, which Go reads as the replacement character.
    if (found.startsWith('\\ud')) return '\\ufffd';
    return found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function elementText(text: string): string {
  return goText(text).replaceAll(ESCAPES, (found) =>
    found === '\\b' ? '\\u0008' : found === '\\f' ? '\\u000c' : found,
  );
}
