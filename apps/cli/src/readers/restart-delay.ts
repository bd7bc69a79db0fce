/** When a reader that has ended is started again. */

const FIRST_MS = 100;
const LAST_MS = 10_000;

/** One that has served for this long has no failures behind it. */
export const STEADY_MS = 60_000;

/** One that ends again and again is started ever later. */
export function restartDelayMs(failures: number): number {
  return Math.min(LAST_MS, FIRST_MS * 2 ** failures);
}
