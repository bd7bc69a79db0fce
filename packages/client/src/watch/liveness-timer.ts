/** Drives the state machine of `watch-liveness.ts` with a clock. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import {
  type LivenessConfig,
  type LivenessState,
  livenessStep,
  openedAt,
  type SilenceReason,
} from './watch-liveness.ts';

/** Create it when the server has accepted the watch. Calls `onSilent` once, when the watch must be given up. Call `stop`. */
export class LivenessTimer {
  readonly #config: LivenessConfig;
  readonly #clock: Clock;
  readonly #onSilent: (reason: SilenceReason) => void;
  #state: LivenessState;
  #due = Infinity;
  #cancel: CancelTimer | undefined;

  constructor(config: LivenessConfig, clock: Clock, onSilent: (reason: SilenceReason) => void) {
    this.#config = config;
    this.#clock = clock;
    this.#onSilent = onSilent;
    this.#state = openedAt(monotonicMs(clock), config);
  }

  /** The reader begins to wait; no effect while it already does. */
  reading(): void {
    this.#state = livenessStep(this.#config, this.#state, { type: 'read', now: monotonicMs(this.#clock) });
    this.#arm();
  }

  /** Whole events came. The timer stays: setting one for each event would cost more than decoding it. */
  events(): void {
    this.#state = livenessStep(this.#config, this.#state, { type: 'events' });
  }

  /** A bookmark came. */
  bookmark(): void {
    this.#state = livenessStep(this.#config, this.#state, { type: 'bookmark' });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#due = Infinity;
  }

  #arm(): void {
    if (this.#state.type !== 'reading' || this.#state.due >= this.#due) return;
    this.stop();
    this.#due = this.#state.due;
    this.#cancel = this.#clock.after(Math.max(0, this.#due - monotonicMs(this.#clock)), () => this.#elapsed());
  }

  #elapsed(): void {
    this.stop();
    this.#state = livenessStep(this.#config, this.#state, { type: 'time', now: monotonicMs(this.#clock) });
    if (this.#state.type === 'silent') this.#onSilent(this.#state.reason);
    else this.#arm();
  }
}
