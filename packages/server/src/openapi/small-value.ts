/** How large a value is, as far as it matters: what is small is encoded at once. */

import { encodedBytes } from './encoded-part.ts';

/** So many values are encoded in about a millisecond. */
const SMALL_VALUES = 500;

/** Has the value few values within it? Looks at no more than that. */
export function isSmallValue(value: unknown): boolean {
  const waiting = [value];
  for (let seen = 0; seen < SMALL_VALUES; seen += 1) {
    if (waiting.length === 0) return true;
    const one = waiting.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (encodedBytes(one) !== undefined) return false;
    const members: readonly unknown[] = Object.values(one);
    if (members.length > SMALL_VALUES) return false;
    for (const member of members) waiting.push(member);
  }
  return waiting.length === 0;
}
