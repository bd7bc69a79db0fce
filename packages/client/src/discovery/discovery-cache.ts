/** Keeps what a server serves, and shares one request among everyone who asks at the same time. */

import type { Clock } from '@listwatch/api';
import { abortable, monotonicMs } from '@listwatch/api/internal';
import type { Discovery } from './discover.ts';

export interface DiscoveryCacheOptions {
  readonly clock: Clock;
  /** Asks the server. The signal is aborted when nobody waits for the answer any more. */
  readonly load: (signal: AbortSignal) => Promise<Discovery>;
}

/** A request under way. */
interface Load {
  readonly answer: Promise<Discovery>;
  readonly abort: AbortController;
  waiters: number;
}

/** A failure is not kept: the next one asks again. */
export class DiscoveryCache {
  readonly #options: DiscoveryCacheOptions;
  #known: { readonly discovery: Discovery; readonly at: number } | undefined;
  #load: Load | undefined;

  constructor(options: DiscoveryCacheOptions) {
    this.#options = options;
  }

  /** What is served, as of at most `maxAgeMs` ago. Rejects with the reason of the signal, which stops only this wait. */
  async get(maxAgeMs: number, signal: AbortSignal | undefined): Promise<Discovery> {
    signal?.throwIfAborted();
    if (this.#known !== undefined && monotonicMs(this.#options.clock) - this.#known.at <= maxAgeMs)
      return this.#known.discovery;
    const load = this.#load ?? this.#start();
    load.waiters += 1;
    try {
      return await abortable(load.answer, signal);
    } finally {
      load.waiters -= 1;
      if (load.waiters === 0) {
        if (this.#load === load) this.#load = undefined;
        load.abort.abort();
      }
    }
  }

  /** An answer that is on its way is from before: it is not kept. */
  clear(): void {
    this.#known = undefined;
    this.#load = undefined;
  }

  #start(): Load {
    const abort = new AbortController();
    const startedAt = monotonicMs(this.#options.clock);
    const load: Load = { answer: this.#options.load(abort.signal), abort, waiters: 0 };
    this.#load = load;
    void this.#keep(load, startedAt);
    return load;
  }

  async #keep(load: Load, at: number): Promise<void> {
    try {
      const discovery = await load.answer;
      if (this.#load === load) this.#known = { discovery, at };
    } catch {
      // Whoever waits for the answer gets the error.
    } finally {
      if (this.#load === load) this.#load = undefined;
    }
  }
}
