/** When to try again what has failed, for each of several things. */

import type { CancelTimer, Clock } from '@listwatch/storage';

/** The pause after the first failure, doubled each time up to the last. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;

/** What it needs. */
export interface RetryScheduleParts {
  readonly clock: Clock;
  /** Told when something begins to fail, and when it fails for another reason; not of every attempt. */
  readonly onError: (error: unknown) => void;
  /** From 0 to 1, for jitter: servers that lost the same store must not come back in the same moment. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

interface Failing {
  readonly failures: number;
  readonly reason: string;
  readonly cancel: CancelTimer;
}

/** Holds one timer for each name that fails. */
export class RetrySchedule {
  readonly #parts: RetryScheduleParts;
  readonly #failing = new Map<string, Failing>();

  constructor(parts: RetryScheduleParts) {
    this.#parts = parts;
  }

  /** An attempt has failed: `again` is called after a pause, unless the next outcome is known before. */
  failed(name: string, error: unknown, again: () => void): void {
    const { clock, onError, random = Math.random } = this.#parts;
    const before = this.#failing.get(name);
    before?.cancel();
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== before?.reason) onError(error);
    const failures = (before?.failures ?? 0) + 1;
    const pause = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
    const cancel = clock.after(pause * (0.5 + random() / 2), again);
    this.#failing.set(name, { failures, reason, cancel });
  }

  succeeded(name: string): void {
    this.#failing.get(name)?.cancel();
    this.#failing.delete(name);
  }

  /** Tries nothing again. */
  stop(): void {
    for (const { cancel } of this.#failing.values()) cancel();
    this.#failing.clear();
  }
}
