/** Schedules retries with backoff, separately for each name. */

import type { CancelTimer, Clock } from '@listwatch/storage';

/** The pause after the first failure, doubled each time up to the last. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;

/** The parts that the schedule needs. */
export interface RetryScheduleParts {
  readonly clock: Clock;
  /** Called for the first failure of a name, and when the reason changes; not for every attempt. */
  readonly onError: (error: unknown) => void;
  /** From 0 to 1, for jitter: servers that lost the same store must not retry at the same moment. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

interface Failing {
  readonly failures: number;
  readonly reason: string;
  readonly cancel: CancelTimer;
  /** The pause is over, and the outcome of the next attempt is not known yet. */
  isDue: boolean;
}

/** Has one timer for each failing name. */
export class RetrySchedule {
  readonly #parts: RetryScheduleParts;
  readonly #failing = new Map<string, Failing>();

  constructor(parts: RetryScheduleParts) {
    this.#parts = parts;
  }

  /** An attempt has failed. Calls `again` after a pause, unless another outcome for the name is reported first. */
  failed(name: string, error: unknown, again: () => void): void {
    const { clock, onError, random = Math.random } = this.#parts;
    const before = this.#failing.get(name);
    before?.cancel();
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== before?.reason) onError(error);
    const failures = (before?.failures ?? 0) + 1;
    const pause = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
    const cancel = clock.after(pause * (0.5 + random() / 2), () => {
      failing.isDue = true;
      again();
    });
    const failing: Failing = { failures, reason, cancel, isDue: false };
    this.#failing.set(name, failing);
  }

  /** Is the pause after a failure not over yet? What else asks for an attempt, such as a change that the failed one made, has to wait. */
  isPausing(name: string): boolean {
    return this.#failing.get(name)?.isDue === false;
  }

  succeeded(name: string): void {
    this.#failing.get(name)?.cancel();
    this.#failing.delete(name);
  }

  /** Cancels all retries. */
  stop(): void {
    for (const { cancel } of this.#failing.values()) cancel();
    this.#failing.clear();
  }
}
