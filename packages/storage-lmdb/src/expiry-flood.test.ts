import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import type { Clock } from '@listwatch/storage';
import { expect, it } from 'vitest';
import { openLmdbEngine } from './lmdb-engine.ts';

it('5 000 keys that expire at the same time go in ten batches, each a turn of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-expiry-'));
  const fake = new FakeClock();
  let isDue = false;
  let turns = 0;
  const clock: Clock = {
    now: () => fake.now(),
    after: (ms, run) => {
      if (isDue && ms === 0) turns += 1;
      return fake.after(ms, run);
    },
  };
  const engine = await openLmdbEngine({ path: folder, clock });
  const put = (index: number) =>
    engine.commit({ type: 'put', key: `events/${index}`, value: Buffer.from('x'), ttlSeconds: 5 });
  await Promise.all(Array.from({ length: 5000 }, (_, index) => put(index)));
  isDue = true;
  await fake.advance(5000);
  await eventually('all of them to expire', async () => {
    await fake.advance(0);
    return (await engine.range('', { limit: 1 })).count === 0;
  });
  // The first batch is that of the timer of the keys themselves.
  expect(turns).toBeGreaterThanOrEqual(9);
  await engine.close();
  rmSync(folder, { recursive: true });
}, 60_000);
