/** Where time comes from, so that tests can control it. */

/** Cancels a scheduled task; safe to call late or twice. */
export type CancelTimer = () => void;

/** Time as every package reads it. Production code takes `systemClock` or `backgroundClock`; tests pass a `FakeClock`. */
export interface Clock {
  /** Milliseconds since 1970, for times that are shown or stored. It may be set back: durations are measured by `monotonic`. */
  now(): number;
  /** Runs `task` once, after `ms`. */
  after(ms: number, task: () => void): CancelTimer;
  /** Milliseconds that only grow, also when the clock is set. Absent: only timers tell how much time has passed. */
  monotonic?(): number;
}
