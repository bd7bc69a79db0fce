/** The two things that a watch which says nothing can mean. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/** Timers of one watch; they count only while it is open. */
export class StreamTimers {
  readonly #clock: Clock;
  readonly #isOpen: () => boolean;
  #last: number;
  /** Whether it was open when something came or was looked for. */
  #wasOpen: boolean;
  #cancelQuiet: CancelTimer | undefined;
  #cancelSteady: CancelTimer | undefined;

  constructor(clock: Clock, isOpen: () => boolean) {
    this.#clock = clock;
    this.#isOpen = isOpen;
    this.#wasOpen = isOpen();
    this.#last = monotonicMs(clock);
  }

  /** Something has come. */
  touch(): void {
    this.#last = monotonicMs(this.#clock);
    this.#wasOpen = this.#isOpen();
  }

  /** Runs `task` once nothing has come for `ms`. One timer that looks again, not one for each event. */
  onQuiet(ms: number, task: () => void): void {
    const look = (): void => {
      // Before the answer the silence is the network's; the transport has its own limit for that. An answer since the last look
      // came at an unknown time: counted from the look, a stream that was answered just before it is not given up at once.
      if (!this.#wasOpen) this.touch();
      const left = this.#last + ms - monotonicMs(this.#clock);
      if (left > 0) this.#cancelQuiet = this.#clock.after(left, look);
      else task();
    };
    this.#cancelQuiet = this.#clock.after(ms, look);
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
