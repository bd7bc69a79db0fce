/** A wait that a signal can end. */

import type { Clock } from './clock.ts';
import { onAbort } from './on-abort.ts';

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
export async function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      off();
      resolve();
    });
    const off = onAbort(signal, () => {
      cancel();
      reject(signal?.reason);
    });
  });
}
