/** Times as the API writes them: UTC, to the second. */

/** The time of `milliseconds` since 1970. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== last.second) last = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  return last.text;
}

/** Many objects are made in one second; each would pay for a date. */
let last: { readonly second: number; readonly text: string } = { second: Number.NaN, text: '' };
