import type { Clock } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { createMemoryEngine } from './memory-engine.ts';

const value = new Uint8Array(1);

/** Counts the timers that have fired. */
function countingClock(inner: FakeClock): { readonly clock: Clock; readonly fired: () => number } {
  let count = 0;
  const clock: Clock = {
    now: () => inner.now(),
    after: (ms, run) =>
      inner.after(ms, () => {
        count += 1;
        run();
      }),
  };
  return { clock, fired: () => count };
}

it('100 000 keys that expire at the same time go in batches, and others get their turn between them', async () => {
  const fake = new FakeClock();
  const { clock, fired } = countingClock(fake);
  const engine = createMemoryEngine({ clock, history: { age: '1h' } });
  for (let index = 0; index < 100_000; index += 1) {
    await engine.commit({ type: 'put', key: `events/${index}`, value, ttlSeconds: 5 });
  }
  await fake.advance(4999);
  expect((await engine.range('', { limit: 1 })).count).toBe(100_000);
  const before = fired();
  await fake.advance(1);
  expect((await engine.range('', { limit: 1 })).count).toBe(0);
  expect(fired() - before).toBeGreaterThanOrEqual(200);
  await engine.close();
}, 60_000);

it('keys with a later due time do not put off those that are due', async () => {
  const fake = new FakeClock();
  let timers = 0;
  const clock: Clock = {
    now: () => fake.now(),
    after: (ms, run) => {
      timers += 1;
      return fake.after(ms, run);
    },
  };
  const engine = createMemoryEngine({ clock });
  await engine.commit({ type: 'put', key: 'first', value, ttlSeconds: 1 });
  const before = timers;
  for (let index = 0; index < 100; index += 1) {
    await engine.commit({ type: 'put', key: `k${index}`, value, ttlSeconds: 10 });
  }
  expect(timers).toBe(before);
  await fake.advance(1000);
  expect((await engine.get('first')).entry).toBeUndefined();
  await engine.close();
});
