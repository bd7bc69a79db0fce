/** Hearing of a signal's end along with any number of others. */

/** All who hear of one signal, and the one listener that tells them. */
interface Audience {
  readonly hearers: Set<() => void>;
  readonly tell: () => void;
}

const audiences = new WeakMap<AbortSignal, Audience>();

/**
 * Calls `hear` when the signal is aborted, not when it already is; gives the way to take that back. To the signal all of
 * them are one listener: a program that ends by one signal has hundreds of watches on it, and at the eleventh listener
 * Node would warn its user of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, hear: () => void): () => void {
  if (signal === undefined || signal.aborted) return () => {};
  const { hearers, tell } = audiences.get(signal) ?? gather(signal);
  // An own function for each call: one that is given twice is heard twice, and taken back once.
  const own = (): void => hear();
  hearers.add(own);
  return () => {
    if (!hearers.delete(own) || hearers.size > 0) return;
    signal.removeEventListener('abort', tell);
    audiences.delete(signal);
  };
}

function gather(signal: AbortSignal): Audience {
  const hearers = new Set<() => void>();
  const tell = (): void => {
    for (const hear of hearers) hear();
  };
  const audience = { hearers, tell };
  audiences.set(signal, audience);
  signal.addEventListener('abort', tell, { once: true });
  return audience;
}
