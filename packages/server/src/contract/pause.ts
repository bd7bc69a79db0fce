/** Breaks in long work. */

import { setImmediate } from 'node:timers/promises';
import type { ApiRequest } from './api-request.ts';

/** Lets others have the event loop; work goes on in the request's next turn. Throws when the request has ended meanwhile. */
export type Pause = () => Promise<void>;

/** The breaks of a request. */
export function pauseOf(request: Pick<ApiRequest, 'throwIfAborted' | 'turn'>): Pause {
  return async () => {
    const turn = request.turn?.();
    if (turn === undefined) {
      // Nobody waits in the gate, or the request is exempt: what has arrived must be read all the same. The stretch ends here, so
      // without another turn the rest of the work would be nobody's.
      await setImmediate();
      await request.turn?.();
    } else await turn;
    request.throwIfAborted();
  };
}

/** Breaks of work that is nobody's request. */
export const justPause: Pause = async () => {
  await setImmediate();
};
