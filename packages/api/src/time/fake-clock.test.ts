import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from './fake-clock.ts';

describe('a fake clock', () => {
  it('stands still until it is advanced', async () => {
    const clock = new FakeClock({ now: 1000 });
    const run: number[] = [];
    clock.after(10, () => run.push(clock.now()));
    expect([clock.now(), run, clock.pending]).toEqual([1000, [], 1]);
    await clock.advance(9);
    expect(run).toEqual([]);
    await clock.advance(1);
    expect([clock.now(), run, clock.pending]).toEqual([1010, [1010], 0]);
  });

  it('runs timers in the order in which they are due, those of one time in the order in which they were set', async () => {
    const clock = new FakeClock({ now: 0 });
    const run: string[] = [];
    for (const [name, ms] of [
      ['c', 20],
      ['a', 10],
      ['d', 20],
      ['b', 10],
    ] as const) {
      clock.after(ms, () => run.push(`${name}@${clock.now()}`));
    }
    await clock.advance(100);
    expect(run).toEqual(['a@10', 'b@10', 'c@20', 'd@20']);
    expect(clock.now()).toBe(100);
  });

  it('lets promises settle between timers, so that what they set in time runs as well', async () => {
    const clock = new FakeClock({ now: 0 });
    const run: number[] = [];
    const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
    const loop = (async () => {
      for (let round = 0; round < 5; round++) {
        await sleep(10);
        // Some code waits for a turn of the loop before it goes on.
        await new Promise((resolve) => setImmediate(resolve));
        run.push(clock.now());
      }
    })();
    await clock.advance(50);
    await loop;
    expect(run).toEqual([10, 20, 30, 40, 50]);
  });

  it('forgets a timer that is cancelled, also when another one cancels it at the same time', async () => {
    const clock = new FakeClock();
    const run: string[] = [];
    const cancels: (() => void)[] = [];
    const cancel = () => cancels.forEach((one) => one());
    clock.after(5, cancel);
    cancels.push(clock.after(5, () => run.push('cancelled')));
    clock.after(5, () => run.push('kept'));
    await clock.advance(5);
    cancel();
    expect([run, clock.pending]).toEqual([['kept'], 0]);
  });

  it('rejects with what a timer throws, and goes on at the next call', async () => {
    const clock = new FakeClock();
    const failure = new Error('the task');
    const run: string[] = [];
    clock.after(1, () => {
      throw failure;
    });
    clock.after(1, () => run.push('next'));
    await expect(clock.advance(1)).rejects.toBe(failure);
    await clock.advance(0);
    expect(run).toEqual(['next']);
  });

  it('never goes back when it is advanced twice at once', async () => {
    const clock = new FakeClock({ now: 0 });
    const seen: number[] = [];
    for (const ms of [10, 20, 30]) clock.after(ms, () => seen.push(clock.now()));
    await Promise.all([clock.advance(15), clock.advance(15)]);
    expect([seen, clock.now()]).toEqual([[10, 20, 30], 30]);
  });

  it('that is set shows another time, lets none pass, and keeps its timers', async () => {
    const clock = new FakeClock({ now: 5000 });
    const run: number[] = [];
    clock.after(10, () => run.push(clock.now()));
    clock.set(1000);
    expect([clock.now(), clock.nextDue, clock.monotonic()]).toEqual([1000, 1010, 5000]);
    await clock.advance(10);
    expect([run, clock.now(), clock.monotonic()]).toEqual([[1010], 1010, 5010]);
    expect(() => clock.set(Number.NaN)).toThrow(RangeError);
  });

  it('refuses a time that cannot pass', () => {
    const clock = new FakeClock();
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => clock.advance(ms)).toThrow(RangeError);
    expect(() => new FakeClock({ now: Number.NaN })).toThrow(RangeError);
  });

  it('goes on under the fake timers of a test library', async () => {
    vi.useFakeTimers();
    try {
      const clock = new FakeClock({ now: 0 });
      await clock.advance(10);
      expect(clock.now()).toBe(10);
    } finally {
      vi.useRealTimers();
    }
  });
});
