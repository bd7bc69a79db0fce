/** The in-flight limits: how many requests are being worked on at one time. */
import { tooManyRequests } from '@listwatch/api';
import type { RequestKind } from '../contract/route.ts';

/** The most requests of each kind at one time; 0 is no limit. */
export type InFlightLimits = Readonly<Record<RequestKind, number>>;

const RETRY_AFTER_SECONDS = 1;

/** Counts requests of each kind apart, so that watches never starve reads, nor reads writes. */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #counts: Record<RequestKind, number> = { mutating: 0, read: 0, watch: 0 };
  readonly #refused: Record<RequestKind, number> = { mutating: 0, read: 0, watch: 0 };

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** How many there are now. */
  get counts(): Readonly<Record<RequestKind, number>> {
    return this.#counts;
  }

  /** How many were refused so far. */
  get refused(): Readonly<Record<RequestKind, number>> {
    return this.#refused;
  }

  /**
   * Counts a request in; the function counts it out, once. Throws the 429 `StatusError` when there are too many; masters pass.
   */
  enter(kind: RequestKind, isMaster = false): () => void {
    const limit = this.#limits[kind];
    if (limit > 0 && !(isMaster && kind !== 'watch') && this.#counts[kind] >= limit) {
      this.#refused[kind]++;
      throw tooManyRequests('Too many requests, please try again later.', RETRY_AFTER_SECONDS);
    }
    this.#counts[kind]++;
    let entered = true;
    return () => {
      if (!entered) return;
      entered = false;
      this.#counts[kind]--;
    };
  }
}
