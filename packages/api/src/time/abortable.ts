/** A wait that a signal can end, for work that goes on without it. */

import { onAbort } from './on-abort.ts';

/** Settles as `promise` does, or rejects with the signal's reason if that comes first. The work itself is not stopped. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let off: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    off = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    // A long-lived signal would otherwise keep one listener for every request ever made.
    off?.();
  }
}
