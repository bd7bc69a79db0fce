import { getEventListeners } from 'node:events';
import { FakeClock } from '@listwatch/api/fake-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { FeedProgress } from './feed-progress.ts';

let clock: FakeClock;
let progress: FeedProgress;
/** Whether each question to the store was a repeated one. */
let asked: boolean[];

beforeEach(() => {
  clock = new FakeClock();
  asked = [];
  progress = new FeedProgress(clock, (isRepeated) => asked.push(isRepeated));
});

describe('a request that waits for a revision', () => {
  it('does not when the feed is there already, and the store is not asked', async () => {
    progress.advance(5n);
    expect([await progress.reached(4n), await progress.reached(5n)]).toEqual([true, true]);
    expect([asked, clock.pending, progress.hasWaiters]).toEqual([[], 0, false]);
  });

  it('goes on at its revision, not before; the others wait on', async () => {
    const reached: bigint[] = [];
    const wait = async (revision: bigint): Promise<void> => {
      if (await progress.reached(revision)) reached.push(revision);
    };
    const waits = [5n, 6n, 7n].map(wait);
    progress.advance(4n);
    await Promise.resolve();
    expect([reached, progress.hasWaiters]).toEqual([[], true]);
    progress.advance(6n);
    await clock.advance(0);
    expect([reached, progress.revision]).toEqual([[5n, 6n], 6n]);
    progress.advance(7n);
    await Promise.all(waits);
    expect([reached, progress.hasWaiters]).toEqual([[5n, 6n, 7n], false]);
    await clock.advance(100);
    expect(clock.pending).toBe(0);
  });

  it('has the store asked at once, and every 100 ms as long as it waits', async () => {
    const waiting = progress.reached(5n);
    expect(asked).toEqual([false]);
    await clock.advance(99);
    expect(asked).toEqual([false]);
    await clock.advance(1);
    expect(asked).toEqual([false, true]);
    const other = progress.reached(5n);
    expect(asked).toEqual([false, true, false]);
    await clock.advance(100);
    expect(asked).toEqual([false, true, false, true]);
    progress.advance(5n);
    expect([await waiting, await other]).toEqual([true, true]);
    await clock.advance(1000);
    expect([asked.length, clock.pending]).toEqual([4, 0]);
  });

  it('gives up after three seconds, or after its own time', async () => {
    const results: (readonly [string, boolean])[] = [];
    const wait = async (name: string, ms?: number): Promise<void> => {
      results.push([name, await progress.reached(5n, undefined, ms)]);
    };
    const waits = [wait('default'), wait('own', 1000)];
    await clock.advance(999);
    expect(results).toEqual([]);
    await clock.advance(1);
    expect(results).toEqual([['own', false]]);
    await clock.advance(1999);
    expect(results).toHaveLength(1);
    await clock.advance(1);
    await Promise.all(waits);
    expect(results.at(-1)).toEqual(['default', false]);
    expect(progress.hasWaiters).toBe(false);
  });

  it('ends with the reason of its signal, and lets go of it in every case', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const first = progress.reached(5n, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    progress.advance(5n);
    await first;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const second = progress.reached(6n, signal);
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect(progress.hasWaiters).toBe(false);
    await expect(progress.reached(6n, signal)).rejects.toBe(reason);
    expect(await progress.reached(5n, signal)).toBe(true);
    await clock.advance(100);
    expect(clock.pending).toBe(0);
  });

  it('goes on without its revision when the run ends, and nobody waits for a run that has ended', async () => {
    const waiting = progress.reached(5n);
    progress.end();
    expect(await waiting).toBe(false);
    progress.advance(5n);
    expect(await progress.reached(5n)).toBe(false);
    expect([asked, clock.pending, progress.hasWaiters]).toEqual([[false], 0, false]);
  });
});
