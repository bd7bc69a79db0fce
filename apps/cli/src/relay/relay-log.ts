/** What the log says about a relay, in words for people who run it. */

import type { RelayState } from '@listwatch/relay';
import type { Logger } from 'pino';

/** Which kinds are answered from the cache, and why others pass. */
export function logReady(log: Logger, { kinds, unservedKinds }: Pick<RelayState, 'kinds' | 'unservedKinds'>): void {
  for (const { kind, reason } of unservedKinds) log.warn({ kind, reason }, 'a kind passes for now');
  for (const { kind, state, error: reason, resourceVersion, seconds } of kinds) {
    if (resourceVersion === undefined) log.warn({ kind, reason }, 'a kind passes for now');
    else if (state === 'away') log.info({ kind, ageSeconds: seconds }, 'a kind is as its journal has it');
  }
  const live = kinds.filter(({ resourceVersion }) => resourceVersion !== undefined).length;
  log.info(`ready: ${live} of ${kinds.length + unservedKinds.length} kinds are answered from the cache`);
}

/** `part`: a part of the relay, or the target of a request. */
export function logRelayError(log: Logger, error: unknown, part: string): void {
  // These say what to do; the place where they were made would not help.
  if (part === 'journal') log.warn({ part }, error instanceof Error ? error.message : String(error));
  else log.warn({ part, error }, 'something failed');
}
