/** The machine's clock, for programs that wait and for work in the background. */

import type { CancelTimer, Clock } from './clock.ts';

/** `setTimeout` fires at once for anything above this: 24.8 days. Longer waits are made of several timers. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Its timers keep the process alive: Node must not exit while a watcher waits to retry. */
export const systemClock: Clock = createSystemClock((timer) => timer);

/** Its timers never keep the process alive on their own: the housekeeping of engines and servers. */
export const backgroundClock: Clock = createSystemClock(unref);

type Timer = ReturnType<typeof setTimeout>;

function createSystemClock(prepare: (timer: Timer) => Timer): Clock {
  return Object.freeze({
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms: number, task: () => void): CancelTimer {
      let timer: Timer;
      const wait = (left: number): void => {
        const step = Math.min(left, LONGEST_TIMEOUT_MS);
        timer = prepare(setTimeout(() => (left > step ? wait(left - step) : task()), step));
      };
      wait(ms);
      return () => clearTimeout(timer);
    },
  });
}

/** In a browser a timer is a number and keeps nothing alive. */
function unref(timer: Timer): Timer {
  if (typeof timer === 'object') (timer as { unref?: () => void }).unref?.();
  return timer;
}
