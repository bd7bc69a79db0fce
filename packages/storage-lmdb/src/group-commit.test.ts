import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import type { StorageError } from '@listwatch/storage';
import { expect, it, vi } from 'vitest';
import { BackgroundErrors } from './background-errors.ts';
import { EventLog } from './event-log.ts';
import { GroupCommit } from './group-commit.ts';
import { Heads } from './heads.ts';
import { openLmdbEngine } from './lmdb-engine.ts';
import { ReadPins } from './read-pins.ts';
import { RecentEntries } from './recent-entries.ts';
import { readState } from './store-state.ts';
import { Sweeper } from './sweeper.ts';
import { openTables } from './tables.ts';
import { VersionReader } from './version-reader.ts';

it('a sweep that fails is not tried in a loop but when a commit works or when asked, and is reported once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-group-'));
  const engine = await openLmdbEngine({ path: folder });
  for (let i = 0; i < 500; i += 1) await engine.commit({ type: 'put', key: 'a', value: Buffer.from(`${i}`) });
  await engine.close();

  const tables = openTables(folder);
  const batch = vi.spyOn(tables.root, 'batch');
  const pins = new ReadPins();
  const reader = new VersionReader(tables, pins);
  const state = readState(tables);
  const log = new EventLog(tables, reader, state);
  const reported: StorageError[] = [];
  const errors = new BackgroundErrors((error) => reported.push(error));
  const sweeper = new Sweeper({ tables, log, pins, errors, swept: state.swept });
  const writer = new GroupCommit({
    tables,
    reader,
    heads: Heads.load(tables),
    recent: new RecentEntries(),
    log,
    sweeper,
    errors,
    clock: new FakeClock(),
    total: state.total,
    onExpiry: () => undefined,
  });
  const full = Object.assign(new Error('No space left on device'), { code: 28 });
  batch.mockImplementation(() => Promise.reject(full));
  log.compact(400);
  writer.kick();
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(batch).toHaveBeenCalledTimes(1);
  writer.sweep();
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(batch).toHaveBeenCalledTimes(2);
  expect(reported).toMatchObject([{ code: 'DISK_FULL' }]);
  await expect(writer.commit({ type: 'delete', key: 'a' })).rejects.toMatchObject({ code: 'DISK_FULL' });

  batch.mockRestore();
  expect(await writer.commit({ type: 'put', key: 'a', value: Buffer.from('x') })).toMatchObject({ committed: true });
  await eventually('the sweep to go on', () => sweeper.swept === 400);
  await writer.close();
  await tables.root.close();
  rmSync(folder, { recursive: true });
});
