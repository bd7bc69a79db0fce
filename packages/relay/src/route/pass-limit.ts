/** How many large requests of a kind pass at one time: each of them makes the upstream read the whole kind. */

import { type Clock, tooManyRequests } from '@listwatch/api';
import type { RelayedKind } from '../kinds/relayed-kind.ts';

const MAX_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = 1;
/** A watch that passes has brought its objects by then, and costs little from then on. */
const WATCH_MS = 10_000;

export class PassLimit {
  readonly #clock: Clock;
  readonly #passing = new Map<RelayedKind, number>();
  #refused = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Requests that were refused. */
  get refused(): number {
    return this.#refused;
  }

  /** Takes a place until the request has ended. Throws the 429 when there is none. */
  enter(kind: RelayedKind, isWatch: boolean, signal: AbortSignal): void {
    const passing = this.#passing.get(kind) ?? 0;
    if (passing >= MAX_AT_ONCE) {
      this.#refused += 1;
      throw tooManyRequests(
        `too many reads of ${kind.name} have to be answered by the upstream server`,
        RETRY_AFTER_SECONDS,
      );
    }
    signal.throwIfAborted();
    this.#passing.set(kind, passing + 1);
    let isIn = true;
    const leave = (): void => {
      if (!isIn) return;
      isIn = false;
      cancel();
      signal.removeEventListener('abort', leave);
      this.#leave(kind);
    };
    const cancel = isWatch ? this.#clock.after(WATCH_MS, leave) : () => {};
    signal.addEventListener('abort', leave, { once: true });
  }

  #leave(kind: RelayedKind): void {
    const left = (this.#passing.get(kind) ?? 1) - 1;
    if (left > 0) this.#passing.set(kind, left);
    else this.#passing.delete(kind);
  }
}
