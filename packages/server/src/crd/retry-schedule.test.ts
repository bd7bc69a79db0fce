import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { RetrySchedule } from './retry-schedule.ts';

it('waits from half of its pause to all of it, and never above thirty seconds', () => {
  const clock = new FakeClock();
  let random = 0;
  const schedule = new RetrySchedule({ clock, onError: () => undefined, random: () => random });
  const pauseAfter = (failures: number): number => {
    for (let i = 0; i < failures; i += 1) schedule.failed('a', 'why', () => undefined);
    const pause = (clock.nextDue ?? 0) - clock.now();
    schedule.stop();
    return pause;
  };
  expect([pauseAfter(1), pauseAfter(3), pauseAfter(2000)]).toEqual([50, 200, 15_000]);
  random = 1;
  expect([pauseAfter(1), pauseAfter(3), pauseAfter(2000)]).toEqual([100, 400, 30_000]);
});

it('reports the first failure of each reason in a row, and begins anew after a success', () => {
  const errors: unknown[] = [];
  const clock = new FakeClock();
  const schedule = new RetrySchedule({ clock, onError: (error) => errors.push(error) });
  for (const reason of ['full', 'full', 'lost', 'lost', 'full']) schedule.failed('a', reason, () => undefined);
  expect(errors).toEqual(['full', 'lost', 'full']);
  schedule.succeeded('a');
  schedule.failed('a', 'full', () => undefined);
  expect(errors).toHaveLength(4);
});

it('holds one timer for each name, and none once it is stopped', async () => {
  const clock = new FakeClock();
  const tried: string[] = [];
  const schedule = new RetrySchedule({ clock, onError: () => undefined });
  for (const name of ['a', 'a', 'b']) schedule.failed(name, 'why', () => tried.push(name));
  expect(clock.pending).toBe(2);
  await clock.advance(1000);
  expect(tried.toSorted()).toEqual(['a', 'b']);
  schedule.failed('a', 'why', () => tried.push('a'));
  schedule.stop();
  expect(clock.pending).toBe(0);
});

it('is pausing from a failure to its retry, and not for other names', async () => {
  const clock = new FakeClock();
  const schedule = new RetrySchedule({ clock, onError: () => undefined, random: () => 1 });
  const pausing = () => ['a', 'b'].map((name) => schedule.isPausing(name));
  expect(pausing()).toEqual([false, false]);
  schedule.failed('a', 'why', () => undefined);
  await clock.advance(99);
  expect(pausing()).toEqual([true, false]);
  await clock.advance(1);
  expect(pausing()).toEqual([false, false]);
  schedule.failed('a', 'why', () => undefined);
  expect(pausing()).toEqual([true, false]);
  schedule.succeeded('a');
  expect(pausing()).toEqual([false, false]);
});
