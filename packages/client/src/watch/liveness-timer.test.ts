import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { LivenessTimer } from './liveness-timer.ts';
import { resolveLiveness } from './resolve-liveness.ts';

function watched(query: Parameters<typeof resolveLiveness>[0]) {
  const clock = new FakeClock();
  const reasons: unknown[] = [];
  return { clock, reasons, timer: new LivenessTimer(resolveLiveness(query), clock, (reason) => reasons.push(reason)) };
}

it('a watch that outlives its deadline is silent once, and has no timer then', async () => {
  const { clock, reasons, timer } = watched({ timeoutSeconds: 60, deadlineMarginMs: 1000 });
  timer.reading();
  await clock.advance(60_999);
  expect(reasons).toEqual([]);
  await clock.advance(1);
  expect(reasons).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

it('a reader that reads again and again has one timer', async () => {
  const { clock, timer } = watched({ timeoutSeconds: 60 });
  for (let times = 0; times < 5; times += 1) {
    timer.reading();
    await clock.advance(10);
    timer.events();
  }
  expect(clock.pending).toBe(1);
});

it('after a bookmark the next one is waited for, and the old timer is gone', async () => {
  const { clock, reasons, timer } = watched({ timeoutSeconds: 600, heartbeatMs: 1000 });
  timer.reading();
  expect(clock.pending).toBe(1);
  timer.events();
  timer.bookmark();
  timer.reading();
  expect(clock.pending).toBe(1);
  await clock.advance(1000);
  expect(reasons).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

it('a watch that has ended leaves no timer behind', async () => {
  const { clock, reasons, timer } = watched({ timeoutSeconds: 60 });
  timer.reading();
  timer.stop();
  expect(clock.pending).toBe(0);
  await clock.advance(1_000_000);
  expect(reasons).toEqual([]);
});

it.each([
  [{ heartbeatMs: -1 }, 'heartbeatMs must be 0 or more milliseconds, not -1'],
  [{ heartbeatMs: Number.NaN }, 'heartbeatMs must be 0 or more milliseconds, not NaN'],
  [{ deadlineMarginMs: Infinity }, 'deadlineMarginMs must be 0 or more milliseconds, not Infinity'],
])('%j is refused', (query, message) => {
  expect(() => resolveLiveness(query)).toThrow(new RangeError(message));
});

it('0 is a time: no heartbeat is waited for, and there is no margin', () => {
  expect(resolveLiveness({ heartbeatMs: 0, deadlineMarginMs: 0 })).toMatchObject({ heartbeatMs: 0, marginMs: 0 });
  expect(resolveLiveness({ timeoutSeconds: -5 }).timeoutMs).toBe(0);
});
