/** The order of texts by their bytes in UTF-8, in which Go sorts. */

const SURROGATE = /[\ud800-\udfff]/;

/** Orders two texts by their bytes. Differs from the order of JavaScript only beside characters beyond U+FFFF. */
export function compareByteOrder(left: string, right: string): number {
  if (left === right) return 0;
  if (!SURROGATE.test(left) && !SURROGATE.test(right)) return left < right ? -1 : 1;
  let index = 0;
  while (left.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  // The order of code points is that of bytes. The second half of a pair has the same first half before it.
  return codeAt(left, index) - codeAt(right, index);
}

/** Sorts texts by their bytes, in place. */
export function sortByBytes(texts: string[]): void {
  // Without characters beyond U+FFFF the order of JavaScript is the same, and much faster.
  if (texts.some((text) => SURROGATE.test(text))) texts.sort(compareByteOrder);
  else if (!isSorted(texts)) texts.sort();
}

function isSorted(texts: readonly string[]): boolean {
  for (let index = 1; index < texts.length; index += 1)
    if ((texts[index - 1] ?? '') > (texts[index] ?? '')) return false;
  return true;
}

function codeAt(text: string, index: number): number {
  return text.codePointAt(index) ?? -1;
}
