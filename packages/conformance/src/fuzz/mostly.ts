/** How the fuzzer mixes what is usual with what is odd. */

import fc from 'fast-check';

/** What is usual, this many times as often as what is odd. */
export function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight }, { arbitrary: odd, weight: 1 });
}

/** Any text, with what no URL can carry replaced. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ maxLength }).map((text) => encodeURIComponent(text));
}
