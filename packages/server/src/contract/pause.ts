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
      // without another turn nobody would be charged for the rest of the work.
      await setImmediate();
      await request.turn?.();
    } else await turn;
    request.throwIfAborted();
  };
}

/** Breaks of work that no request has asked for. */
export const justPause: Pause = async () => {
  await setImmediate();
};

/** As long as a slice of the gate for loop time. */
const STRETCH_MS = 2;
/** To look at the time costs a little: items take microseconds. */
const ITEMS_BETWEEN_LOOKS = 8;

/** Breaks of a loop over many items: one after each slice of time. */
export class LoopPace {
  readonly #pause: Pause;
  #since = performance.now();
  #items = 0;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** Call it after each item. A promise: wait for it before the next one. */
  step(): Promise<void> | undefined {
    this.#items += 1;
    if (this.#items % ITEMS_BETWEEN_LOOKS !== 0 || performance.now() - this.#since < STRETCH_MS) return undefined;
    return this.rest();
  }

  /** A break now. */
  async rest(): Promise<void> {
    await this.#pause();
    this.#since = performance.now();
  }
}
