/** Waiting for work that goes on for others when one of them stops waiting. */

/** The promise's own outcome, or the signal's reason if that comes first. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    // A long-lived signal would otherwise keep one listener for every request ever made.
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
