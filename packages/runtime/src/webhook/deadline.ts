/** Ends a wait a little before the API server does, so that it gets a reason and not a timeout of its own. */

import type { Clock } from '@listwatch/api';
import { linkSignal } from '@listwatch/client/internal';

/** Why a handler's signal was aborted. */
export class DeadlinePassed extends Error {
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** The work as it goes on, and its result in time. */
export interface TimedWork<R> {
  /** Rejects with `DeadlinePassed`, or the reason of the caller's signal, whatever the work does. */
  readonly result: Promise<R>;
  /** Resolves when the work itself has ended. */
  readonly settled: Promise<void>;
}

/** Of the time that the server waits, so much is kept for the answer to travel: a tenth, at most half a second. */
function marginOf(ms: number): number {
  return Math.min(500, ms / 10);
}

export function withDeadline<R>(
  work: (signal: AbortSignal) => Promise<R>,
  { clock, timeoutMs, signal: caller }: { clock: Clock; timeoutMs: number; signal: AbortSignal | undefined },
): TimedWork<R> {
  const link = linkSignal(caller);
  const { signal } = link;
  const cancel = clock.after(Math.max(0, timeoutMs - marginOf(timeoutMs)), () =>
    link.abort(new DeadlinePassed(timeoutMs)),
  );
  const aborted = new Promise<never>((_, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  const running = (async () => work(signal))();
  const end = (): void => {
    cancel();
    link.unlink();
  };
  const settled = running.then(end, end);
  const result = Promise.race([running, aborted]);
  aborted.catch(() => {});
  return { result, settled };
}
