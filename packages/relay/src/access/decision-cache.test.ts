import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { type Decided, DecisionCache } from './decision-cache.ts';

const KEEP_MS = 10_000;

function cacheOf(clock: FakeClock, maxKept = 100, maxAsked = 10): DecisionCache<string> {
  return new DecisionCache({ clock, maxKept, maxAsked, tooMany: () => new Error('too many') });
}

function refusing(): Promise<Decided<string>> {
  return Promise.reject(new Error('you may not ask'));
}

function failing(): Promise<Decided<string>> {
  return Promise.reject(new Error('unreachable'));
}

/** Questions whose answers come when the test says so. */
class Questions {
  readonly open: ((decided: Decided<string>) => void)[] = [];
  ask = (): Promise<Decided<string>> => new Promise((resolve) => this.open.push(resolve));
}

it('a decision is kept from the moment of the question, and not a moment longer', async () => {
  const clock = new FakeClock();
  const cache = cacheOf(clock);
  const questions = new Questions();
  const first = cache.of('q', questions.ask);
  await clock.advance(4000);
  questions.open[0]?.({ value: 'yes', keepMs: KEEP_MS });
  expect(await first).toBe('yes');
  await clock.advance(5999);
  expect(cache.of('q', questions.ask)).toBe('yes');
  await clock.advance(1);
  void cache.of('q', questions.ask);
  expect(questions.open).toHaveLength(2);
});

it('equal questions are asked once, others are not shared', async () => {
  const cache = cacheOf(new FakeClock());
  const questions = new Questions();
  const first = cache.of('a', questions.ask);
  const second = cache.of('a', questions.ask);
  const other = cache.of('b', questions.ask);
  expect(questions.open).toHaveLength(2);
  questions.open[0]?.({ value: 'of a', keepMs: 0 });
  questions.open[1]?.({ value: 'of b', keepMs: 0 });
  expect([await first, await second, await other]).toEqual(['of a', 'of a', 'of b']);
});

it('after a drop nobody gets a decision that was asked for before it, nor joins such a question', async () => {
  const cache = cacheOf(new FakeClock());
  const questions = new Questions();
  const old = cache.of('q', questions.ask);
  cache.drop();
  const later = cache.of('q', questions.ask);
  expect(questions.open).toHaveLength(2);
  questions.open[0]?.({ value: 'allowed once', keepMs: KEEP_MS });
  questions.open[1]?.({ value: 'refused', keepMs: KEEP_MS });
  expect([await old, await later]).toEqual(['allowed once', 'refused']);
  expect(cache.of('q', questions.ask)).toBe('refused');
});

it('a failure is told to all who share the question, and is not kept', async () => {
  const cache = cacheOf(new FakeClock());
  const second = cache.of('q', failing);
  await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
  await expect(second).rejects.toThrow('unreachable');
  expect(await cache.of('q', async () => ({ value: 'yes', keepMs: 0 }))).toBe('yes');
  expect(cache.counts).toMatchObject({ asked: 2, failed: 1 });
});

it('the questions that wait and the decisions that are kept are bounded', async () => {
  const cache = cacheOf(new FakeClock(), 3, 2);
  const questions = new Questions();
  void cache.of('a', questions.ask);
  void cache.of('b', questions.ask);
  await expect(cache.of('c', questions.ask)).rejects.toThrow('too many');
  expect(cache.running).toBe(2);
  for (const answer of questions.open) answer({ value: 'x', keepMs: 0 });
  await Promise.resolve();
  const full = cacheOf(new FakeClock(), 3);
  for (let i = 0; i < 50; i += 1) await full.of(String(i), async () => ({ value: 'x', keepMs: KEEP_MS }));
  expect(full.size).toBe(3);
});

function answering(value: string, validMs?: number): () => Promise<Decided<string>> {
  return async () => ({ value, keepMs: KEEP_MS, validMs });
}

describe('a decision that may be stretched', () => {
  const HOUR_MS = 3_600_000;

  function stretching(clock: FakeClock): DecisionCache<string> {
    return new DecisionCache({
      clock,
      maxKept: 100,
      maxAsked: 10,
      tooMany: () => new Error('too many'),
      stretch: {
        ms: HOUR_MS,
        isAllowed: (value) => value === 'yes',
        isUnanswered: (error) => error instanceof Error && error.message === 'unreachable',
      },
    });
  }

  it('stands in for a question that cannot be asked, until its time is over', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    await cache.of('q', answering('yes'));
    await clock.advance(HOUR_MS - 1);
    expect(await cache.of('q', failing)).toBe('yes');
    expect(cache.counts).toMatchObject({ failed: 1, stretched: 1 });
    await clock.advance(1);
    await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
  });

  it('does not stand in for an answer: as soon as it can be asked, it is', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    await cache.of('q', answering('yes'));
    await clock.advance(KEEP_MS);
    expect(await cache.of('q', failing)).toBe('yes');
    await clock.advance(KEEP_MS);
    expect(await cache.of('q', answering('no'))).toBe('no');
    await clock.advance(KEEP_MS);
    await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
  });

  it('does not stand in for a failure that is an answer', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    await cache.of('q', answering('yes'));
    await clock.advance(KEEP_MS);
    await expect(cache.of('q', refusing)).rejects.toThrow('you may not ask');
    expect(cache.counts.stretched).toBe(0);
  });

  it('stands in after 2 s without an answer, and the answer takes its place when it comes', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    await cache.of('q', answering('yes'));
    await clock.advance(KEEP_MS);
    const questions = new Questions();
    const asking = cache.of('q', questions.ask);
    await clock.advance(2000);
    expect(await asking).toBe('yes');
    expect(cache.of('q', questions.ask)).toBe('yes');
    questions.open[0]?.({ value: 'no', keepMs: 0 });
    await clock.advance(0);
    expect(questions.open).toHaveLength(1);
    await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
    expect(clock.pending).toBe(0);
  });

  it('is never one of somebody new, nor a refusal', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    await cache.of('refused', answering('no'));
    await clock.advance(KEEP_MS);
    await expect(cache.of('refused', failing)).rejects.toThrow('unreachable');
    await expect(cache.of('new', failing)).rejects.toThrow('unreachable');
  });

  it('is forgotten when rights have changed, and not when it is only asked for again', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    await cache.of('q', answering('yes'));
    cache.refresh();
    expect(await cache.of('q', failing)).toBe('yes');
    cache.drop();
    await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
  });

  it('whose answer came after rights have changed is not kept for later', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    const questions = new Questions();
    const first = cache.of('q', questions.ask);
    cache.drop();
    questions.open[0]?.({ value: 'yes', keepMs: KEEP_MS });
    await first;
    await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
  });

  it('of a token ends with the token', async () => {
    const clock = new FakeClock();
    const cache = stretching(clock);
    await cache.of('q', answering('yes', 60_000));
    await clock.advance(60_000);
    await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
  });

  it('is known to the next process, for what is left of its time, and only as a stand-in', async () => {
    const clock = new FakeClock();
    const before = stretching(clock);
    await before.of('q', answering('yes'));
    const known = before.known;
    await clock.advance(HOUR_MS - 1);
    const cache = stretching(clock);
    cache.restore(known ?? { secret: '', entries: [] });
    expect(await cache.of('q', failing)).toBe('yes');
    await clock.advance(1);
    await expect(cache.of('q', failing)).rejects.toThrow('unreachable');
    const forged = stretching(clock);
    forged.restore({ ...known, secret: known?.secret ?? '', entries: [['k', 'no', Infinity]] });
    expect(forged.known?.entries).toEqual([]);
  });
});
