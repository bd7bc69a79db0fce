/** Breaks in long work. */

import { setImmediate } from 'node:timers/promises';
import type { ApiRequest } from './api-request.ts';

/** Lets others have the event loop; work goes on in the request's next turn. Throws when the request has ended meanwhile. */
export type Pause = () => Promise<void>;

/** The breaks of a request. */
export function pauseOf(request: Pick<ApiRequest, 'throwIfAborted' | 'turn'>): Pause {
  return async () => {
    // Exempt requests do not wait, but others must be read.
    await (request.turn?.() ?? setImmediate());
    request.throwIfAborted();
  };
}

/** Breaks of work that is nobody's request. */
export const justPause: Pause = async () => {
  await setImmediate();
};
