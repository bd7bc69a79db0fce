/** Times as the API writes them: UTC, to the second. */

/** The last second that the API can write; a client may ask for a grace period that ends much later. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The time of `milliseconds` since 1970, from year 1 to year 9999. */
export function wholeSeconds(time: number): string {
  const milliseconds = Math.min(Math.max(time, -62_135_596_800_000), LAST);
  const second = Math.floor(milliseconds / 1000);
  if (second !== last.second) last = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  return last.text;
}

/** Caches the text of the current second: many objects are created in one second. */
let last: { readonly second: number; readonly text: string } = { second: Number.NaN, text: '' };
