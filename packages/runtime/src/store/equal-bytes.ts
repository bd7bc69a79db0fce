/** Compares pieces of bytes. */

/** Node's own, where there is one: five times as fast as a loop. */
const compare: Compare | undefined = typeof Buffer === 'undefined' ? undefined : Buffer.prototype.compare;

type Compare = (this: Uint8Array, other: Uint8Array, from: number, to: number, at: number, end: number) => number;

/** Are `length` bytes the same in both? */
export function isEqual(one: Uint8Array, at: number, other: Uint8Array, otherAt: number, length: number): boolean {
  // Few bytes: a call costs more.
  if (compare !== undefined && length > 64)
    return compare.call(one, other, otherAt, otherAt + length, at, at + length) === 0;
  for (let i = 0; i < length; i += 1) if (one[at + i] !== other[otherAt + i]) return false;
  return true;
}
