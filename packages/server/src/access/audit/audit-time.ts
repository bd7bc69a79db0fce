/** Times of audit events: microseconds, as in Kubernetes. */

import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';

/** Tells the time in microseconds. The clock has milliseconds; what is below them is measured by monotonic time. */
export class AuditTime {
  readonly #clock: Clock;
  #offset = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970 with a fraction. */
  now(): number {
    const wall = this.#clock.now();
    const fine = monotonicMs(this.#clock) + this.#offset;
    // Within the millisecond that the clock shows; when the clock was set, from its beginning on.
    if (fine >= wall && fine < wall + 1) return fine;
    this.#offset += wall - fine;
    return wall;
  }

  /** Milliseconds for measuring durations. */
  monotonic(): number {
    return monotonicMs(this.#clock);
  }
}

/** `2026-11-16T15:22:31.091588Z` */
export function auditTimeText(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.floor((ms - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}
