/** Where time comes from, so that tests can turn the hands. */

/** Cancels what was scheduled; safe to call late or twice. */
export type CancelTimer = () => void;

/** The little of time that this project uses. Each side brings its own: a server's timers must not keep a process alive, a client's must. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once, after `ms`. */
  after(ms: number, task: () => void): CancelTimer;
}
