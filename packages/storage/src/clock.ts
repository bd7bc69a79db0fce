/** Where time comes from, so that tests can turn the hands. */

/** Cancels what was scheduled; safe to call late or twice. */
export type CancelTimer = () => void;

/** The little of time that engines use. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once, after `ms`. Never keeps the process alive on its own. */
  after(ms: number, task: () => void): CancelTimer;
}

/** `setTimeout` fires at once for anything above this. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  after(ms: number, task: () => void): CancelTimer {
    const timer = setTimeout(task, Math.min(ms, LONGEST_TIMEOUT_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
});
