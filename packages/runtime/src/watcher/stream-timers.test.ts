import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { StreamTimers } from './stream-timers.ts';

function timersOf(start: { isOpen: boolean }) {
  const clock = new FakeClock();
  const watch = { ...start };
  const happened: string[] = [];
  const timers = new StreamTimers(clock, () => watch.isOpen);
  return { clock, watch, happened, timers };
}

it('a watch is quiet when nothing has come for the time, counted from what came last', async () => {
  const { clock, happened, timers } = timersOf({ isOpen: true });
  timers.onQuiet(100, () => happened.push('quiet'));
  await clock.advance(60);
  timers.touch();
  await clock.advance(99);
  expect(happened).toEqual([]);
  await clock.advance(1);
  expect(happened).toEqual(['quiet']);
  expect(clock.pending).toBe(0);
});

it('the silence before the answer does not count', async () => {
  const { clock, watch, happened, timers } = timersOf({ isOpen: false });
  timers.onQuiet(100, () => happened.push('quiet'));
  await clock.advance(250);
  expect(happened).toEqual([]);
  watch.isOpen = true;
  timers.touch();
  await clock.advance(99);
  expect(happened).toEqual([]);
  await clock.advance(1);
  expect(happened).toEqual(['quiet']);
});

it('at most a tenth of the silence before the answer counts', async () => {
  const { clock, watch, happened, timers } = timersOf({ isOpen: false });
  timers.onQuiet(100, () => happened.push('quiet'));
  await clock.advance(99);
  watch.isOpen = true;
  await clock.advance(90);
  expect(happened).toEqual([]);
  await clock.advance(1);
  expect(happened).toEqual(['quiet']);
});

it('a watch is steady when it is seen to be open, which is looked at again until it is', async () => {
  const { clock, watch, happened, timers } = timersOf({ isOpen: false });
  timers.onSteady(100, () => happened.push('steady'));
  await clock.advance(300);
  expect(happened).toEqual([]);
  watch.isOpen = true;
  await clock.advance(100);
  expect(happened).toEqual(['steady']);
  expect(clock.pending).toBe(0);
});

it('nothing happens and no timer is left after a cancel, also of one that looks again', async () => {
  const { clock, happened, timers } = timersOf({ isOpen: false });
  timers.onQuiet(100, () => happened.push('quiet'));
  timers.onSteady(100, () => happened.push('steady'));
  await clock.advance(150);
  timers.cancelQuiet();
  expect(clock.pending).toBe(1);
  timers.cancel();
  expect(clock.pending).toBe(0);
  await clock.advance(1000);
  expect(happened).toEqual([]);
});
