/** One text for one value: what was sent with an offset, a line break or a fraction is kept without. */

import { canonicalQuantity } from '../quantity.ts';
import type { ScalarName } from './shape.ts';

/** The value as it is kept. A value of the wrong type stays as it is. */
export function scalarText(name: ScalarName, value: unknown): unknown {
  if (name === 'string') return value;
  if (name === 'quantity' && typeof value === 'number') return canonicalQuantity(value);
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
