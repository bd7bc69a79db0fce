import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterAll, expect, it } from 'vitest';
import { openLmdbEngine } from './lmdb-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'listwatch-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['lmdb', (clock: FakeClock): Promise<StorageEngine> => openLmdbEngine({ path: folder, clock })],
  ['memory', async (clock: FakeClock): Promise<StorageEngine> => createMemoryEngine({ clock })],
])('%s tells what it keeps and when changes were made, also after a compaction', async (name, open) => {
  const clock = new FakeClock({ now: 1000 });
  await using engine = await open(clock);
  const first = await engine.revision();
  for (let i = 0; i < 10; i += 1) {
    await clock.advance(100);
    await engine.commit({ type: 'put', key: `/k${i}`, value: Buffer.from('v') });
  }
  const report = engine.report?.(100);
  expect(report).toMatchObject({ name, oldest: first, historyAgeMs: 86_400_000, historyBytes: 2 ** 30 });
  expect(report?.times.map(({ time }) => time)).toEqual([1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2000]);
  expect(engine.report?.(2)?.times).toEqual([
    { revision: first + 1n, time: 1100 },
    { revision: first + 10n, time: 2000 },
  ]);
  expect((report?.diskBytes ?? 0) > 0).toBe(name === 'lmdb');
  await engine.compact(first + 4n);
  expect(engine.report?.(100)).toMatchObject({ oldest: first + 4n });
  expect(engine.report?.(100)?.times.map(({ time }) => time)).toEqual([1500, 1600, 1700, 1800, 1900, 2000]);
});
