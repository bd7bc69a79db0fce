/** A clock that the test controls. */

import type { CancelTimer, Clock } from '@listwatch/storage';

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/** Time stands still until {@link advance}. */
export class ManualClock implements Clock {
  #now = 1_700_000_000_000;
  readonly #timers = new Set<Timer>();

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size;
  }

  /** When the next timer falls due; undefined when none waits. */
  get nextDue(): number | undefined {
    return this.#next(Infinity)?.due;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): CancelTimer {
    const timer = { due: this.#now + ms, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets `ms` pass, running what falls due in its order, and lets the promises that this settles run. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#now = next.due;
      this.#timers.delete(next);
      next.task();
      await settled();
    }
    this.#now = until;
    await settled();
  }

  #next(until: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (timer.due <= until && timer.due < (first?.due ?? Infinity)) first = timer;
    return first;
  }
}

/** Resolves when the promise jobs that are queued now, and those they queue, have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
