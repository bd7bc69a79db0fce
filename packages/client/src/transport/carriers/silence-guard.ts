/** Notices that a connection is dead although nobody said so. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

export interface SilenceGuardOptions {
  readonly clock: Clock;
  /** Silence after which the other side is asked whether it is there. Default: 30 000, as client-go. */
  readonly pingAfterMs?: number | undefined;
  /** How long the answer may take. Default: 15 000, as client-go. */
  readonly pongWithinMs?: number | undefined;
  /** Bytes that have come so far: also those that nobody reported, as window updates. */
  readonly bytesRead: () => number;
  /** Sends a ping; `answered` is called when the answer is here. */
  readonly ping: (answered: () => void) => void;
  readonly onDead: () => void;
}

const PING_AFTER_MS = 30_000;
const PONG_WITHIN_MS = 15_000;

/** Runs while something is waited for; a connection that nobody uses may be as dead as it likes. */
export class SilenceGuard {
  readonly #options: SilenceGuardOptions;
  readonly #pingAfterMs: number;
  #heardAt: number;
  /** By the clock that people see. */
  #heardDate: number;
  #bytes: number;
  #cancel: CancelTimer | undefined;

  constructor(options: SilenceGuardOptions) {
    this.#options = options;
    this.#pingAfterMs = options.pingAfterMs ?? PING_AFTER_MS;
    this.#heardAt = monotonicMs(options.clock);
    this.#heardDate = options.clock.now();
    this.#bytes = options.bytesRead();
  }

  /** Something came. Cheap enough to be called for every chunk. */
  heard(): void {
    this.#heardAt = monotonicMs(this.#options.clock);
    this.#heardDate = this.#options.clock.now();
    this.#bytes = this.#options.bytesRead();
  }

  /** From now on somebody waits. After a long sleep the first thing that goes out is a ping. */
  start(): void {
    if (this.#cancel !== undefined) return;
    const { clock } = this.#options;
    this.#cancel = clock.after(Math.max(0, this.#pingAfterMs - this.#silentMs()), () => this.#look());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #look(): void {
    this.#cancel = undefined;
    const { bytesRead } = this.#options;
    if (bytesRead() !== this.#bytes) this.heard();
    if (this.#silentMs() < this.#pingAfterMs) this.start();
    else this.#ask();
  }

  /**
   * The longer of two times: monotonic time stands still while the machine sleeps, and the clock that does not can be set back, which
   * would keep a dead connection.
   */
  #silentMs(): number {
    const { clock } = this.#options;
    return Math.max(monotonicMs(clock) - this.#heardAt, clock.now() - this.#heardDate);
  }

  #ask(): void {
    const { clock, pongWithinMs = PONG_WITHIN_MS, ping, onDead } = this.#options;
    const cancel = clock.after(pongWithinMs, () => {
      this.stop();
      onDead();
    });
    this.#cancel = cancel;
    ping(() => {
      // Stopped, or started anew, while the answer was under way.
      if (this.#cancel !== cancel) return;
      this.stop();
      this.heard();
      this.start();
    });
  }
}
