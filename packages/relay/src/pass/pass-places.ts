/** How much passes at one time, and how much has passed. */

import { tooManyRequests } from '@listwatch/api';
import type { UpstreamCounts } from './upstream.ts';

export interface PassLimits {
  readonly maxPassed: number;
  readonly maxTunnels: number;
}

/** The place of one exchange. */
export interface PassPlace {
  /** Ends the exchange when the upstream is closed. */
  readonly signal: AbortSignal;
  /** It is a tunnel from now on. Throws the 429 when there are too many. */
  becomeTunnel(): void;
  leave(): void;
}

/** Counts exchanges, and refuses those that are too many. */
export class PassPlaces {
  readonly #limits: PassLimits;
  readonly #closing = new Map<PassPlace, AbortController>();
  #isClosed = false;
  #open = 0;
  #tunnels = 0;
  #passed = 0;
  #refused = 0;
  failed = 0;
  bytesUp = 0;
  bytesDown = 0;

  constructor(limits: PassLimits) {
    this.#limits = limits;
  }

  get counts(): UpstreamCounts {
    return {
      open: this.#open,
      tunnels: this.#tunnels,
      passed: this.#passed,
      refused: this.#refused,
      failed: this.failed,
      bytesUp: this.bytesUp,
      bytesDown: this.bytesDown,
    };
  }

  /** Throws the 429 when there is no place. */
  enter(isTunnel: boolean): PassPlace {
    this.#require(this.#open, this.#limits.maxPassed, 'requests');
    if (isTunnel) this.#require(this.#tunnels, this.#limits.maxTunnels, 'tunnels');
    this.#open += 1;
    this.#passed += 1;
    const abort = new AbortController();
    let state: 'open' | 'tunnel' | 'left' = 'open';
    const place: PassPlace = {
      signal: abort.signal,
      becomeTunnel: () => {
        this.#require(this.#tunnels, this.#limits.maxTunnels, 'tunnels');
        this.#open -= 1;
        this.#tunnels += 1;
        state = 'tunnel';
      },
      leave: () => {
        if (state === 'open') this.#open -= 1;
        if (state === 'tunnel') this.#tunnels -= 1;
        state = 'left';
        this.#closing.delete(place);
      },
    };
    this.#closing.set(place, abort);
    return place;
  }

  close(): void {
    this.#isClosed = true;
    for (const abort of this.#closing.values()) abort.abort(new DOMException('the upstream was closed', 'AbortError'));
  }

  #require(taken: number, max: number, what: string): void {
    if (taken < max && !this.#isClosed) return;
    this.#refused += 1;
    throw tooManyRequests(`${taken} ${what} are passing to the upstream API server, please try again later`, 1);
  }
}
