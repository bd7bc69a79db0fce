/** Notices reconciles that do not end. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Logger } from './logger.ts';

/** Told when a reconcile begins or ceases to be stuck. */
export type StuckListener = (change: -1 | 1) => void;

/** Logs a warning when a reconcile has run for `afterMs`, and again each time that its time has doubled. 0: never. */
export class StuckAlarm {
  readonly #clock: Clock;
  readonly #afterMs: number;
  readonly #onChange: StuckListener;

  constructor(clock: Clock, afterMs: number, onChange: StuckListener) {
    this.#clock = clock;
    this.#afterMs = afterMs;
    this.#onChange = onChange;
  }

  /** Watches one reconcile. Call what it returns when the reconcile has ended. */
  watch(log: Logger): () => void {
    if (this.#afterMs === 0) return () => {};
    const began = monotonicMs(this.#clock);
    let cancel: CancelTimer;
    let isStuck = false;
    const arm = (ms: number): void => {
      cancel = this.#clock.after(ms, () => {
        const runningMs = monotonicMs(this.#clock) - began;
        if (!isStuck) this.#onChange(1);
        isStuck = true;
        log.warn({ runningMs }, 'the reconcile is still running; its key is locked until it ends');
        // A clock that was set back must not make the warnings come at once.
        arm(Math.max(runningMs, this.#afterMs));
      });
    };
    arm(this.#afterMs);
    return () => {
      cancel();
      if (isStuck) this.#onChange(-1);
    };
  }
}
