/** JSON as Go writes it: keys sorted, and characters escaped that matter in HTML. */

import { isRecord } from '../../decode/json-record.ts';
import { compareTexts } from '../../strategic-merge/go-text.ts';

/** The text of a value, on one line. Integers may be bigints. */
export function goJson(value: unknown): string {
  if (typeof value === 'string') return goJsonText(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value).toSorted(compareTexts);
  return `{${keys.map((key) => `${goJsonText(key)}:${goJson(value[key])}`).join(',')}}`;
}

const PLAIN = /^[\w ./:@+*=,;~!?#$%()[\]{}|-]*$/;
/** An escape of JSON.stringify, or a character that Go escapes beside those. */
const ESCAPES = /\\(?:u[0-9a-f]{4}|.)|[<>&\u2028\u2029]/g;

function goJsonText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replaceAll(ESCAPES, goEscape);
}

function goEscape(found: string): string {
  if (found === '\\b') return '\\u0008';
  if (found === '\\f') return '\\u000c';
  // Half of a pair of characters, which Go reads as the replacement character.
  if (found.startsWith('\\ud')) return '\\ufffd';
  return found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
