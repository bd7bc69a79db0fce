/** Requests that read and requests that write, in the whole server. */

import { TimedBuckets } from './timed-buckets.ts';

/** As Kubernetes names them in metrics. */
export type RequestKindName = 'mutating' | 'readOnly';

const SHARES = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const SECOND_MS = 1000;
const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** The kind of a verb. */
export function kindOfVerb(verb: string): RequestKindName {
  return READS.has(verb) ? 'readOnly' : 'mutating';
}

/** One kind. Times are in milliseconds. */
export class KindCounts {
  readonly uses: Readonly<Record<'executing' | 'waiting', TimedBuckets>>;
  readonly #limit: number;
  #waiting = 0;
  #executing = 0;
  /** The most that waited in this second and in the one before. */
  #second = 0;
  #highest = 0;
  #before = 0;

  constructor(limit: number, now: number) {
    this.#limit = Math.max(1, limit);
    this.uses = { executing: new TimedBuckets(SHARES, now), waiting: new TimedBuckets(SHARES, now) };
  }

  waits(change: 1 | -1, now: number): void {
    this.#turn(now);
    this.#waiting += change;
    this.#highest = Math.max(this.#highest, this.#waiting);
    this.uses.waiting.set(this.#waiting / this.#limit, now);
  }

  executes(change: 1 | -1, now: number): void {
    this.#executing += change;
    this.uses.executing.set(this.#executing / this.#limit, now);
  }

  /** The most requests that waited in the last second. */
  inQueue(now: number): number {
    this.#turn(now);
    return Math.max(this.#highest, this.#before);
  }

  #turn(now: number): void {
    const second = Math.floor(now / SECOND_MS);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#highest : this.#waiting;
    this.#highest = this.#waiting;
    this.#second = second;
  }
}
