/** The two things that a watch which says nothing can mean. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/** A part of the silence before the answer that counts as silence after it: at most one of so many. */
const LOOKS_BEFORE_OPEN = 10;

/** Timers of one watch; they count only while it is open. */
export class StreamTimers {
  readonly #clock: Clock;
  readonly #isOpen: () => boolean;
  #last: number;
  #cancelQuiet: CancelTimer | undefined;
  #cancelSteady: CancelTimer | undefined;

  constructor(clock: Clock, isOpen: () => boolean) {
    this.#clock = clock;
    this.#isOpen = isOpen;
    this.#last = monotonicMs(clock);
  }

  /** Something has come. */
  touch(): void {
    this.#last = monotonicMs(this.#clock);
  }

  /** Runs `task` once nothing has come for `ms`. One timer that looks again, not one for each event. */
  onQuiet(ms: number, task: () => void): void {
    const look = (): void => {
      if (!this.#isOpen()) {
        // Before the answer the silence is the network's; the transport has its own limit for that. Looked at often: the answer came at
        // an unknown time since the last look, and a stream that was answered just now must not be given up.
        this.touch();
        this.#cancelQuiet = this.#clock.after(ms / LOOKS_BEFORE_OPEN, look);
        return;
      }
      const left = this.#last + ms - monotonicMs(this.#clock);
      if (left > 0) this.#cancelQuiet = this.#clock.after(left, look);
      else task();
    };
    this.#cancelQuiet = this.#clock.after(ms / LOOKS_BEFORE_OPEN, look);
  }

  cancelQuiet(): void {
    this.#cancelQuiet?.();
    this.#cancelQuiet = undefined;
  }

  /** Runs `task` once the watch is seen to be open after `ms`. */
  onSteady(ms: number, task: () => void): void {
    const look = (): void => {
      if (this.#isOpen()) task();
      else this.#cancelSteady = this.#clock.after(ms, look);
    };
    this.#cancelSteady = this.#clock.after(ms, look);
  }

  cancel(): void {
    this.cancelQuiet();
    this.#cancelSteady?.();
  }
}
