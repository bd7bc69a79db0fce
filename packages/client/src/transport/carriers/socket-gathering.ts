/** How what a socket of Node brings is gathered. */

import type { Gathering } from '../exchange/incoming-body.ts';

/** A moment is a millisecond: no timer of Node is shorter. */
export const socketGathering: Gathering = {
  turn: setImmediate,
  soon: (task) => void setTimeout(task, 1),
};
