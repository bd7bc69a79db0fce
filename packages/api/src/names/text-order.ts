/** The order of texts that sorting and canonical forms use: by code unit, never by locale. */

/** Orders two texts. Fit for `sort`. */
export function compareText(left: string, right: string): -1 | 0 | 1 {
  return left < right ? -1 : left > right ? 1 : 0;
}
