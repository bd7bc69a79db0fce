/** How much of the past an engine keeps. */

import { type Duration, durationMs } from './option-duration-ms.ts';

/** What a user asks for. Whichever limit is reached first counts. */
export interface HistoryOptions {
  /** Keep changes at least this long. Default 24 hours. */
  readonly age?: Duration | undefined;
  /** Keep at most about this many bytes of changes (keys and values). Default 1 GiB. */
  readonly bytes?: number | undefined;
}

/** The resolved setting. */
export interface HistoryConfig {
  readonly ageMs: number;
  readonly bytes: number;
}

/** Kubernetes forgets after five to ten minutes (its etcd compaction interval); disk is cheaper than a relist. */
export const DEFAULT_HISTORY: HistoryConfig = Object.freeze({ ageMs: durationMs('24h', 'age'), bytes: 2 ** 30 });

/** Throws a `RangeError` for values that are not a duration or a number of bytes. */
export function resolveHistory(options: HistoryOptions = {}): HistoryConfig {
  const bytes = options.bytes ?? DEFAULT_HISTORY.bytes;
  if (!(bytes >= 0)) throw new RangeError(`history.bytes must be a number of bytes, got ${bytes}`);
  const ageMs = options.age === undefined ? DEFAULT_HISTORY.ageMs : durationMs(options.age, 'history.age');
  return Object.freeze({ ageMs, bytes });
}

/** How often to look for changes that are too old: a twentieth of the age, from one second to one minute. */
export function historyCheckMs(history: HistoryConfig): number {
  return Math.min(60_000, Math.max(1000, history.ageMs / 20));
}
