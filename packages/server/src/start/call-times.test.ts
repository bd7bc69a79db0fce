import { expect, it } from 'vitest';
import { CallTimes } from './call-times.ts';

it('adds up the time that calls wait, those that still wait included', () => {
  let now = 5000;
  const times = new CallTimes(() => now);
  times.begin();
  now += 1000;
  times.begin();
  now += 500;
  expect([times.calls, times.waiting, times.seconds]).toEqual([2, 2, 2]);
  times.end();
  now += 250;
  expect([times.waiting, times.seconds]).toEqual([1, 2.25]);
  times.end();
  now += 10_000;
  expect([times.calls, times.waiting, times.seconds]).toEqual([2, 0, 2.25]);
});

it('a call that is watched ends with its answer or its failure', async () => {
  const times = new CallTimes();
  const failing = Promise.reject(new Error('lost'));
  times.watch(Promise.resolve());
  times.watch(failing);
  expect(times.waiting).toBe(2);
  await expect(failing).rejects.toThrow('lost');
  await Promise.resolve();
  expect([times.calls, times.waiting]).toEqual([2, 0]);
});
