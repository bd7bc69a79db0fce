/** Failures of work that nobody waits for: expiry, sweeping, history. */

import type { StorageError } from '@listwatch/storage';

/** Beyond this many different errors no more are reported: they say nothing new and would fill the log. */
const MAX_REPORTED = 1000;

/** Reports each error once, because background work meets the same damage or the same full disk again and again. */
export class BackgroundErrors {
  readonly #report: (error: StorageError) => void;
  readonly #damage = new Set<string>();
  readonly #outages = new Set<string>();

  constructor(report: (error: StorageError) => void = () => undefined) {
    this.#report = report;
  }

  add(error: StorageError): void {
    const reported = error.code === 'CORRUPT' ? this.#damage : this.#outages;
    if (reported.has(error.message) || reported.size >= MAX_REPORTED) return;
    reported.add(error.message);
    this.#report(error);
  }

  /** A transaction has been written: the next outage is a new one. */
  recovered(): void {
    this.#outages.clear();
  }
}
