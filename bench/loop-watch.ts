/** Measures how long the event loop of this process is held. */

import { readFileSync } from 'node:fs';

/** Sees the longest time between two turns of the event loop: by the clock, or in CPU time where that is less. */
export function watchLoop(): { readonly stop: () => number } {
  let last = threadTime();
  let longest = 0;
  let isStopped = false;
  const turn = (): void => {
    const time = threadTime();
    longest = Math.max(longest, Math.min(time.clock - last.clock, time.cpu - last.cpu));
    last = time;
    if (!isStopped) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      turn();
      isStopped = true;
      return longest;
    },
  };
}

/** The time of this thread, by the clock and in CPU time, in milliseconds. */
export function threadTime(): { readonly clock: number; readonly cpu: number } {
  return { clock: performance.now(), cpu: cpuMs() };
}

/**
 * The CPU time of this thread, where the kernel counts it in nanoseconds. Elsewhere that of all threads: the worker and the collector of
 * garbage work beside this one.
 */
function cpuMs(): number {
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
