/** Limits how long something may take. */

import { linkSignal } from '@listwatch/client';

/** The time was up. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`no result within ${limitMs / 1000} s`);
    this.limitMs = limitMs;
  }
}

/** Rejects with `TimeIsUp` or the signal's reason at the latest, also when `work` ignores its signal. */
export async function withLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const link = linkSignal(signal);
  const timer = setTimeout(() => link.abort(new TimeIsUp(limitMs)), limitMs);
  try {
    return await Promise.race([work(link.signal), aborted(link.signal)]);
  } finally {
    clearTimeout(timer);
    // What is still under way, such as a watch, ends here.
    link.abort(new Error('the work is over'));
    link.unlink();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(reasonOf(signal)), { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}
