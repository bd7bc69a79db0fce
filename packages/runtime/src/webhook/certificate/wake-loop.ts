/** Repeats a step whenever something has changed or it is time, and after failures. */

import { type Clock, sleep } from '@listwatch/api';
import { linkSignal } from '@listwatch/client/internal';

/** Does what is to be done now; resolves to when to look again at the latest. */
export type WakeStep = () => Promise<number>;

const RETRY_MS = { first: 500, most: 30_000 };
/** Timers of Node end at 25 days, and a clock may be set. */
const SLEEP_MAX_MS = 3_600_000;

export class WakeLoop {
  readonly #clock: Clock;
  readonly #step: WakeStep;
  readonly #onError: (error: unknown) => void;
  #sleeping: { readonly abort: () => void } | undefined;
  #isAwake = false;

  constructor(clock: Clock, step: WakeStep, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#step = step;
    this.#onError = onError;
  }

  /** Something has changed. */
  wake(): void {
    this.#isAwake = true;
    this.#sleeping?.abort();
  }

  /** Returns when the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let retryMs = RETRY_MS.first;
    while (!signal.aborted) {
      this.#isAwake = false;
      let ms: number;
      let isFailed = false;
      try {
        ms = await this.#step();
        retryMs = RETRY_MS.first;
      } catch (error) {
        if (signal.aborted) return;
        this.#onError(error);
        ms = retryMs;
        isFailed = true;
        retryMs = Math.min(retryMs * 2, RETRY_MS.most);
      }
      // After a failure a change does not shorten the wait: a watch that flaps must not make a busy loop.
      if (isFailed || !this.#isAwake) await this.#sleep(Math.min(Math.max(ms, 0), SLEEP_MAX_MS), signal, isFailed);
    }
  }

  async #sleep(ms: number, signal: AbortSignal, isFailed: boolean): Promise<void> {
    const link = linkSignal(signal);
    if (!isFailed) this.#sleeping = { abort: () => link.abort() };
    await sleep(this.#clock, ms, link.signal).catch(() => {});
    this.#sleeping = undefined;
    link.unlink();
  }
}
