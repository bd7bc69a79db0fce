/** Two connections as one. */

import type { Duplex } from 'node:stream';

/** What comes on one goes out on the other, no faster than that takes it. When one is over, so is the other. */
export function joinStreams(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => from.destroy());
    from.once('close', () => {
      // What was written is still sent; a side that does not take it is cut by its own limits.
      if (!to.destroyed) to.end(() => to.destroy());
    });
    from.pipe(to);
  }
}
