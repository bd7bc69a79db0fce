/** Histograms that cost little to fill: requests are counted on the hot path, labels are looked up when somebody reads. */

/** Counts values by upper bounds. */
export class Buckets {
  readonly bounds: readonly number[];
  /** One more than bounds: the last has what is above all of them. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** `weight`: how often, or for how long. */
  observe(value: number, weight = 1): void {
    let at = 0;
    while (at < this.bounds.length && value > (this.bounds[at] ?? 0)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + weight;
    this.sum += value * weight;
  }
}
