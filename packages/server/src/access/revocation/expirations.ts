/** Calls back when credentials expire: one timer for all of them. */

import type { CancelTimer, Clock } from '@listwatch/storage';

/** What expires, and when: milliseconds since the epoch. */
export interface WithExpirations {
  readonly expirations?: readonly number[] | undefined;
}

/** The time of day may be set while a timer runs: it is looked at again after this long. */
const LOOK_MS = 60_000;
const SECOND_MS = 1000;

/** Keeps items by the second in which they expire. */
export class Expirations<T extends WithExpirations> {
  readonly #clock: Clock;
  readonly #onExpired: (item: T) => void;
  readonly #bySecond = new Map<number, Set<T>>();
  #cancelTimer: CancelTimer | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, onExpired: (item: T) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  /** Items that wait, once for each of their times. */
  get size(): number {
    return [...this.#bySecond.values()].reduce((sum, { size }) => sum + size, 0);
  }

  add(item: T): void {
    for (const second of secondsOf(item)) {
      const others = this.#bySecond.get(second);
      if (others === undefined) this.#bySecond.set(second, new Set([item]));
      else others.add(item);
      if (second * SECOND_MS < this.#wakesAt) this.#wakeFor(second * SECOND_MS);
    }
  }

  delete(item: T): void {
    for (const second of secondsOf(item)) {
      const others = this.#bySecond.get(second);
      others?.delete(item);
      if (others?.size === 0) this.#bySecond.delete(second);
    }
    if (this.#bySecond.size === 0) this.close();
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #wakeFor(time: number): void {
    this.#cancelTimer?.();
    this.#wakesAt = time;
    const ms = Math.min(Math.max(time - this.#clock.now(), 0), LOOK_MS);
    this.#cancelTimer = this.#clock.after(ms, () => this.#wake());
  }

  #wake(): void {
    this.close();
    const now = this.#clock.now();
    const due = [...this.#bySecond].filter(([second]) => second * SECOND_MS <= now);
    for (const [second] of due) this.#bySecond.delete(second);
    const next = [...this.#bySecond.keys()].reduce(
      (least, second) => Math.min(least, second),
      Number.POSITIVE_INFINITY,
    );
    if (next < Number.POSITIVE_INFINITY) this.#wakeFor(next * SECOND_MS);
    for (const [, items] of due) for (const item of items) this.#onExpired(item);
  }
}

function secondsOf({ expirations = [] }: WithExpirations): ReadonlySet<number> {
  return new Set(expirations.filter((time) => Number.isFinite(time)).map((time) => Math.ceil(time / SECOND_MS)));
}
