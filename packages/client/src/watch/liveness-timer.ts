/** Turns the machine of `watch-liveness.ts` with a clock. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { type LivenessConfig, type LivenessState, openedAt, type SilenceReason, step } from './watch-liveness.ts';

/** Made when the server has accepted the watch. Calls `onSilent` once, when it must be given up. It must be stopped. */
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
    this.#state = openedAt(clock.now(), config);
  }

  /** Somebody begins to wait for bytes. */
  reading(): void {
    this.#state = step(this.#config, this.#state, { type: 'read', now: this.#clock.now() });
    this.#arm();
  }

  /** Bytes came. The timer stays: setting one for every few bytes would cost more than reading them. */
  bytes(): void {
    this.#state = step(this.#config, this.#state, { type: 'bytes' });
  }

  /** A bookmark came. */
  bookmark(): void {
    this.#state = step(this.#config, this.#state, { type: 'bookmark' });
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
    this.#cancel = this.#clock.after(Math.max(0, this.#due - this.#clock.now()), () => this.#elapsed());
  }

  #elapsed(): void {
    this.stop();
    this.#state = step(this.#config, this.#state, { type: 'time', now: this.#clock.now() });
    if (this.#state.type === 'silent') this.#onSilent(this.#state.reason);
    else this.#arm();
  }
}
