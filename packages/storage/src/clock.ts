/** The clock of engines and servers. */

import type { CancelTimer, Clock } from '@listwatch/api';

/** `setTimeout` fires at once for anything above this. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers never keep the process alive on their own. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  after(ms: number, task: () => void): CancelTimer {
    const timer = setTimeout(task, Math.min(ms, LONGEST_TIMEOUT_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
});
