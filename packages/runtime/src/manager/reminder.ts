/** Says again and again what a program waits for. */

import type { CancelTimer, Clock } from '@listwatch/api';

/** Shorter waits need no word. */
const FIRST_MS = 5000;
const NEXT_MS = 30_000;

/** Calls `remind` after five seconds, and then twice a minute, until the result is called. */
export function remindUntil(clock: Clock, remind: () => void): () => void {
  let cancel: CancelTimer;
  const next = (): void => {
    remind();
    cancel = clock.after(NEXT_MS, next);
  };
  cancel = clock.after(FIRST_MS, next);
  return () => cancel();
}
