/** Many callbacks on one signal, as one listener. */

/** The callbacks of one signal, and the one listener that calls them. */
interface Group {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const groups = new WeakMap<AbortSignal, Group>();

/**
 * Calls `callback` when the signal is aborted, not when it already is; returns the function that removes it. The signal
 * gets one listener for all callbacks: a program with hundreds of watches on one signal would otherwise see Node's
 * warning about a leak at the eleventh listener.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined || signal.aborted) return () => {};
  const { callbacks, listener } = groups.get(signal) ?? createGroup(signal);
  // A function per call: a callback that is registered twice is called twice, and removed once.
  const own = (): void => callback();
  callbacks.add(own);
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    groups.delete(signal);
  };
}

function createGroup(signal: AbortSignal): Group {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    for (const callback of callbacks) callback();
  };
  const group = { callbacks, listener };
  groups.set(signal, group);
  signal.addEventListener('abort', listener, { once: true });
  return group;
}
