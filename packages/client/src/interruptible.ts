/** Waits that a signal ends at once. */

/**
 * Waits for promises, but no longer than until the signal is aborted: neither a transport that is slow to notice nor a
 * connection that is dead may hold a reader back. One listener, for `Promise.race` would keep a trace of every wait.
 */
export function interruptible(signal: AbortSignal): <V>(promise: Promise<V>) => Promise<V> {
  let interrupt: ((reason: unknown) => void) | undefined;
  signal.addEventListener('abort', () => interrupt?.(signal.reason), { once: true });
  return <V>(promise: Promise<V>) =>
    new Promise<V>((resolve, reject) => {
      interrupt = reject;
      promise.then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
}
