import { sleep } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { abortable } from '@listwatch/api/internal';
import { describe, expect, it, vi } from 'vitest';
import { retryBackoffMs } from './retry-delay.ts';

/** A signal that counts its listeners. */
function watchedSignal(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const added = vi.spyOn(controller.signal, 'addEventListener');
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  return { controller, listeners: () => added.mock.calls.length - removed.mock.calls.length };
}

describe('waits', () => {
  it('give the outcome and leave no listener behind', async () => {
    const { controller, listeners } = watchedSignal();
    expect(await abortable(Promise.resolve(1), controller.signal)).toBe(1);
    await expect(abortable(Promise.reject(new Error('no')), controller.signal)).rejects.toThrow('no');
    const clock = new FakeClock();
    const slept = sleep(clock, 10, controller.signal);
    await clock.advance(10);
    await slept;
    expect(listeners()).toBe(0);
  });

  it('end with the signal’s own reason, before and during', async () => {
    const reason = new Error('stop');
    const controller = new AbortController();
    const clock = new FakeClock();
    const waits = [abortable(new Promise(() => undefined), controller.signal), sleep(clock, 10, controller.signal)];
    const outcomes = Promise.allSettled(waits);
    controller.abort(reason);
    for (const outcome of await outcomes) expect(outcome).toEqual({ status: 'rejected', reason });
    await expect(abortable(Promise.resolve(1), controller.signal)).rejects.toBe(reason);
    await expect(sleep(clock, 10, controller.signal)).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it('between attempts double from 50 ms to 1 s, less a random part', () => {
    expect([0, 1, 2, 10, 1000].map((attempt) => retryBackoffMs(attempt, () => 1))).toEqual([50, 100, 200, 1000, 1000]);
    expect(retryBackoffMs(0, () => 0)).toBe(25);
  });
});
