/** Millions of latencies in a few hundred kilobytes. */

const BUCKETS_PER_MS = 10;
const MAX_MS = 30_000;

/** Counts latencies by tenths of a millisecond, up to half a minute. */
export class LatencyHistogram {
  readonly #buckets = new Uint32Array(MAX_MS * BUCKETS_PER_MS + 1);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** A negative latency counts as none. */
  add(ms: number): void {
    const bucket = Math.min(MAX_MS, Math.max(0, ms)) * BUCKETS_PER_MS;
    const at = Math.floor(bucket);
    this.#buckets[at] = (this.#buckets[at] ?? 0) + 1;
    this.#count += 1;
  }

  /** The tenths of a millisecond that occurred, and how often: for another process. */
  counts(): readonly (readonly [number, number])[] {
    const counts: [number, number][] = [];
    for (const [at, count] of this.#buckets.entries()) if (count > 0) counts.push([at, count]);
    return counts;
  }

  /** Adds what `counts` of another one gave. */
  addCounts(counts: Iterable<readonly [number, number]>): void {
    for (const [at, count] of counts) {
      this.#buckets[at] = (this.#buckets[at] ?? 0) + count;
      this.#count += count;
    }
  }

  /** The milliseconds that this share of all latencies is not above; 0.99 for the p99. */
  percentile(share: number): number {
    let left = Math.ceil(this.#count * share);
    for (const [at, count] of this.#buckets.entries()) {
      left -= count;
      if (left <= 0) return (at + 1) / BUCKETS_PER_MS;
    }
    return MAX_MS;
  }
}
