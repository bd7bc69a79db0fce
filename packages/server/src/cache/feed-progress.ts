/** How far one run of the feed has come, and the requests that wait for it. */

import type { CancelTimer, Clock } from '@listwatch/storage';

/** While a request waits, the store is asked this often how far the watch has come. */
const PROGRESS_EVERY_MS = 100;
/** As kube-apiserver: a request waits this long for a revision. */
export const FRESHNESS_TIMEOUT_MS = 3000;

interface Waiter {
  readonly revision: bigint;
  readonly settle: (reached: boolean) => void;
}

/** Belongs to one run of the feed and ends with it: a request never waits for a run that is over. */
export class FeedProgress {
  readonly #clock: Clock;
  readonly #askStore: (isRepeated: boolean) => void;
  readonly #waiters = new Set<Waiter>();
  #revision = 0n;
  #isEnded = false;
  #cancelAsking: CancelTimer | undefined;

  /** `askStore` asks for a progress notification; `isRepeated` when an earlier question has brought nothing. */
  constructor(clock: Clock, askStore: (isRepeated: boolean) => void) {
    this.#clock = clock;
    this.#askStore = askStore;
  }

  /** All caches have this revision or a later one; 0 before they are loaded. */
  get revision(): bigint {
    return this.#revision;
  }

  get hasWaiters(): boolean {
    return this.#waiters.size > 0;
  }

  /**
   * Resolves with true when the caches have reached `revision`, with false on a timeout or when the run ends. Aborting
   * `signal` rejects with its reason.
   */
  async reached(revision: bigint, signal?: AbortSignal, timeoutMs: number = FRESHNESS_TIMEOUT_MS): Promise<boolean> {
    if (this.#isEnded) return false;
    if (this.#revision >= revision) return true;
    signal?.throwIfAborted();
    const settled = await new Promise<boolean>((resolve) => {
      const settle = (reached: boolean): void => {
        this.#waiters.delete(waiter);
        cancelTimeout();
        signal?.removeEventListener('abort', aborted);
        resolve(reached);
      };
      const aborted = (): void => settle(false);
      const waiter: Waiter = { revision, settle };
      const cancelTimeout = this.#clock.after(timeoutMs, () => settle(false));
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', aborted);
      this.#ask(false);
    });
    signal?.throwIfAborted();
    return settled;
  }

  /** All caches have reached `revision`. */
  advance(revision: bigint): void {
    this.#revision = revision;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.settle(true);
  }

  /** The run is over: nothing it waits for will come. */
  end(): void {
    this.#isEnded = true;
    this.#cancelAsking?.();
    for (const waiter of this.#waiters) waiter.settle(false);
  }

  /** Asks now, and again while a request waits. */
  #ask(isRepeated: boolean): void {
    this.#askStore(isRepeated);
    this.#cancelAsking ??= this.#clock.after(PROGRESS_EVERY_MS, () => {
      this.#cancelAsking = undefined;
      if (this.#waiters.size > 0) this.#ask(true);
    });
  }
}
