/** A wait that ends. */

import type { Clock } from '@listwatch/storage';

/** Resolves when `work` is done, which never rejects, or after a while. */
export function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    void work.finally(() => {
      cancel();
      resolve();
    });
  });
}
