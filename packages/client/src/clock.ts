/** The clock of clients. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { onAbort } from './on-abort.ts';

/** `setTimeout` fires at once for anything above this. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers keep the process alive: a watcher that waits to try again must not let Node end. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  after(ms: number, task: () => void): CancelTimer {
    const timer = setTimeout(task, Math.min(ms, LONGEST_TIMEOUT_MS));
    return () => clearTimeout(timer);
  },
});

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
