/** Times as the API writes them: UTC, to the second. */

/** The time of `milliseconds` since 1970. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
