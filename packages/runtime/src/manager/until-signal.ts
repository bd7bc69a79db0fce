/** How a process is asked to end. */

import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * A signal that is aborted at the first SIGTERM or SIGINT. The second one ends the process at once, with 128 and the number of
 * the signal as its exit code. Call it once in a process.
 *
 * @example
 * await manager(cluster).run({ signal: untilSignal() });
 */
export function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(128 + constants.signals[name]);
      stop.abort(new Error(`the process got ${name}`));
    });
  }
  return stop.signal;
}
