/** How long to wait before the next attempt. */

/** Options of the pauses after failures. */
export interface BackoffOptions {
  /** The first pause. Default: 800 (client-go's reflector). */
  readonly initialMs?: number | undefined;
  /** The pauses double up to here. Default: 30 000 (client-go's reflector). */
  readonly maxMs?: number | undefined;
}

/** The options, filled in. */
export interface BackoffConfig {
  readonly initialMs: number;
  readonly maxMs: number;
}

const INITIAL_MS = 800;
const MAX_MS = 30_000;

/** A server that asks for more is asked again sooner: an hour of maintenance may be over, and a number may be a mistake for ever. */
const LONGEST_ASKED_MS = 600_000;

export function resolveBackoff({ initialMs = INITIAL_MS, maxMs = MAX_MS }: BackoffOptions = {}): BackoffConfig {
  if (!(initialMs > 0)) throw new RangeError(`backoff.initialMs must be above 0: ${initialMs}`);
  if (!(maxMs >= initialMs)) throw new RangeError(`backoff.maxMs must not be below initialMs: ${maxMs}`);
  return Object.freeze({ initialMs, maxMs });
}

/**
 * The pause after so many failures in a row, from its base to twice its base: without the jitter every client of a server
 * that restarted would come back in the same instant. `random` is between 0 and 1. Never shorter than the server asked for, up to ten
 * minutes.
 */
export function backoffMs(config: BackoffConfig, failures: number, random: number, retryAfterMs = 0): number {
  const base = Math.min(config.maxMs, config.initialMs * 2 ** Math.min(failures - 1, 52));
  return Math.max(Math.min(retryAfterMs, LONGEST_ASKED_MS), base + random * base);
}
