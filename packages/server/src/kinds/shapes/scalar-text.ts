/** One text for one value: offsets, line breaks and fractions that say nothing are not kept. */

import { canonicalQuantity } from '../quantity.ts';
import { isJsonNumber } from './json-value.ts';
import type { ScalarName } from './shape.ts';

/** The value as it is kept. A value of the wrong type stays as it is. */
export function scalarText(name: ScalarName, value: unknown): unknown {
  if (name === 'string') return value;
  if (name === 'quantity' && isJsonNumber(value)) return canonicalQuantity(String(value));
  // No field of Go's holds more than 64 bits: a float it is then.
  if (typeof value === 'bigint' && (name === 'float64' || BigInt.asIntN(64, value) !== value)) return Number(value);
  return typeof value === 'string' ? (REWRITES[name]?.(value) ?? value) : value;
}

const REWRITES: Partial<Record<ScalarName, (text: string) => string>> = {
  bytes: (text) => text.replace(/[\r\n]/g, ''),
  microTime: (text) => utcText(text, /\.\d+/.exec(text)?.[0] ?? '.000000'),
  quantity: canonicalQuantity,
  time: (text) => {
    if (text !== last.text) last = { text, utc: utcText(text, '') };
    return last.utc;
  },
};

/** The server stamps all objects of a second alike, and to read a time costs more than all else in their metadata. */
let last: { readonly text: string; readonly utc: string } = { text: '', utc: '' };

/** The second in UTC and its fraction; text that is no time stays as it is. */
function utcText(time: string, fraction: string): string {
  const second = Date.parse(time.replace(/\.\d+/, ''));
  return Number.isNaN(second) ? time : new Date(second).toISOString().replace('.000Z', `${fraction}Z`);
}
