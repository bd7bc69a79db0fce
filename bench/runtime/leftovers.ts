/** What a process holds on to: what is left of it when all is closed has leaked. */

import { readdirSync, readlinkSync } from 'node:fs';

export interface Leftovers {
  /** Of every kind, as Linux counts them: those too that keep no process alive. */
  readonly sockets: number;
  readonly timers: number;
}

export function leftovers(): Leftovers {
  const resources = process.getActiveResourcesInfo();
  return { sockets: socketCount(), timers: resources.filter((name) => name === 'Timeout').length };
}

function socketCount(): number {
  let count = 0;
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      if (readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:')) count += 1;
    } catch {
      // It was the folder itself, or has been closed since.
    }
  }
  return count;
}
