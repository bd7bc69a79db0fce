import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { type Decided, DecisionCache } from './decision-cache.ts';

const KEEP_MS = 10_000;

function cacheOf(clock: FakeClock, maxKept = 100, maxAsked = 10): DecisionCache<string> {
  return new DecisionCache({ clock, maxKept, maxAsked, tooMany: () => new Error('too many') });
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
