import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, storageError } from '@listwatch/conformance/storage';
import { expect, it } from 'vitest';
import { openLmdbEngine } from './lmdb-engine.ts';
import { openTables } from './tables.ts';

it('a store that notes a lower compacted revision than it has swept answers COMPACTED, not an empty range', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-state-'));
  const first = await openLmdbEngine({ path: folder });
  for (let i = 0; i < 8; i += 1) await first.commit({ type: 'put', key: 'a', value: Buffer.from(`${i}`) });
  await first.compact(7n);
  await eventually('the space to be given back', () => first.stats().swept === 7n);
  await first.close();
  const tables = openTables(folder);
  tables.facts.putSync('compacted', 4);
  await tables.root.close();

  const second = await openLmdbEngine({ path: folder });
  expect(await storageError(second.range('', { at: 5n }))).toMatchObject({ code: 'COMPACTED', revision: 7n });
  expect((await second.range('', { at: 7n })).count).toBe(1);
  expect(await second.verify()).toEqual([]);
  await second.close();
  rmSync(folder, { recursive: true });
});
