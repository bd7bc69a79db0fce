/** A clock that stands still until a test moves it. */

import type { CancelTimer, Clock } from '@listwatch/storage';

interface Alarm {
  readonly at: number;
  readonly task: () => void;
}

/** Starts at a fixed time; `advance` runs what is due, in order. */
export class FakeClock implements Clock {
  readonly #alarms = new Set<Alarm>();
  #now = Date.UTC(2026, 0, 1);

  now(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): CancelTimer {
    const alarm = { at: this.#now + ms, task };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Moves the time on, stopping at each alarm on the way. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#alarms].filter((alarm) => alarm.at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#alarms.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = end;
  }
}
