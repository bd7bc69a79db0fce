/** A signal that follows another until it is unlinked. */

import { onAbort } from '@listwatch/api/internal';

/** A signal of its own that is also aborted, with the same reason, when its parent is. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  /** Stops following; without it a long-lived parent keeps every child it ever had. */
  readonly unlink: () => void;
}

/** Not `AbortSignal.any`: on Node 20 that keeps its sources' listeners, 1 KB and more for each request ever made. */
export function linkSignal(parent?: AbortSignal): LinkedSignal {
  const own = new AbortController();
  const follow = (): void => own.abort(parent?.reason);
  const unlink = onAbort(parent, follow);
  if (parent?.aborted === true) follow();
  return { signal: own.signal, abort: (reason) => own.abort(reason), unlink, [Symbol.dispose]: unlink };
}
