/** A clock that the test controls. */

import type { CancelTimer, Clock } from './clock.ts';

/** Taken before any test library can put its own in place: a faked `setImmediate` would make `advance` wait for ever. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node has it; this package is typed for browsers too
const { setImmediate } = globalThis as unknown as { readonly setImmediate: (task: () => void) => void };

/** Turns of the event loop after each timer. One lets promises settle; the others are for code that itself waits for a turn. */
const TURNS = 3;

/** Options of a {@link FakeClock}. */
export interface FakeClockOptions {
  /** What the clock shows at first, in milliseconds since 1970. Default: 14 November 2023, 22:13:20 UTC. */
  readonly now?: number | undefined;
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/**
 * Time stands still until `advance`. Give it to everything that takes a `clock`: server, client and runtime then share one
 * time, and an hour of backoff passes in a moment.
 *
 * @example
 * const clock = new FakeClock();
 * await using env = await startTestServer({ clock });
 * await clock.advance(60_000);
 */
export class FakeClock implements Clock {
  /** What has passed, counted from what the clock showed at first. */
  #passed: number;
  /** By how much the clock was set forward, or back. */
  #setBy = 0;
  /** By the time they are due; those of one time in the order in which they were set. */
  readonly #timers: Timer[] = [];
  #advancing: Promise<void> = Promise.resolve();

  constructor({ now = 1_700_000_000_000 }: FakeClockOptions = {}) {
    if (!Number.isFinite(now)) throw new RangeError(`now must be a number of milliseconds, not ${now}`);
    this.#passed = now;
  }

  /** How many timers wait. When everything is closed it is what it was before: more is a leak. */
  get pending(): number {
    return this.#timers.length;
  }

  /** When the next timer is due; undefined when none waits. */
  get nextDue(): number | undefined {
    const due = this.#timers[0]?.due;
    return due === undefined ? undefined : due + this.#setBy;
  }

  now(): number {
    return this.#passed + this.#setBy;
  }

  /** Time that only passes: `set` does not change it. */
  monotonic(): number {
    return this.#passed;
  }

  /** Sets the clock, as people and NTP do: `now` jumps, and no time passes. */
  set(now: number): void {
    if (!Number.isFinite(now)) throw new RangeError(`now must be a number of milliseconds, not ${now}`);
    this.#setBy = now - this.#passed;
  }

  after(ms: number, task: () => void): CancelTimer {
    const timer = { due: this.#passed + Math.max(0, ms), task };
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1]?.due ?? 0) > timer.due) at -= 1;
    this.#timers.splice(at, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /**
   * Lets `ms` pass. Timers that fall due run in their order, each at its own time, also those that are set meanwhile;
   * before, between and after them everything that can go on without time does. `advance(0)` is only that. What waits for
   * a socket or a file is not waited for. Rejects with what a timer throws. Calls at the same time follow one another.
   */
  advance(ms: number): Promise<void> {
    if (!(Number.isFinite(ms) && ms >= 0)) throw new RangeError(`time passes by 0 ms or more, not by ${ms}`);
    const passed = this.#advancing.then(() => this.#advance(ms));
    this.#advancing = passed.catch(() => {});
    return passed;
  }

  async #advance(ms: number): Promise<void> {
    const until = this.#passed + ms;
    await settled();
    for (let next = this.#timers[0]; next !== undefined && next.due <= until; next = this.#timers[0]) {
      this.#timers.shift();
      this.#passed = Math.max(this.#passed, next.due);
      next.task();
      await settled();
    }
    this.#passed = until;
  }
}

/** Lets everything run that waits for neither time nor the outside world. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
