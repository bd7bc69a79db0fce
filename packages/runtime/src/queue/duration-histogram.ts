/** Times by length, counted as they happen. */

/** The upper bounds of the buckets, in milliseconds; one more bucket counts what is longer. */
export const DURATION_BOUNDS_MS: readonly number[] = [
  1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 1_000_000,
];

/** Times added up, and counted by length. */
export interface DurationSum {
  readonly count: number;
  readonly totalMs: number;
  /** How many were within each of `DURATION_BOUNDS_MS` and beyond the bound before; the last: beyond all bounds. */
  readonly buckets: readonly number[];
}

/** Counts times. Nothing is allocated for a time: it is counted for every key of a queue. */
export class DurationHistogram implements DurationSum {
  count = 0;
  totalMs = 0;
  readonly buckets: number[] = Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, () => 0);

  observe(ms: number): void {
    this.count++;
    this.totalMs += ms;
    let index = 0;
    for (; index < DURATION_BOUNDS_MS.length; index++) if (ms <= (DURATION_BOUNDS_MS[index] ?? 0)) break;
    this.buckets[index] = (this.buckets[index] ?? 0) + 1;
  }
}
