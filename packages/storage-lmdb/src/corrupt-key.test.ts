import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually, storageError } from '@listwatch/conformance/storage';
import type { Change, StorageError } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeExpiryRow } from './expiry.ts';
import { type LmdbEngine, openLmdbEngine } from './lmdb-engine.ts';
import { encodeRevision } from './log-record.ts';
import { openTables, type Tables, writeAll } from './tables.ts';
import { encodeVersionKey } from './version-key.ts';

let folder = '';
let clock = new FakeClock();
let engine: LmdbEngine;
let reported: StorageError[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-corrupt-'));
  clock = new FakeClock();
  reported = [];
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

function put(key: string, ttlSeconds?: number): Change {
  return { type: 'put', key, value: Buffer.from(key), ttlSeconds };
}

/** Opens the store, and harms its tables while it is open, when nothing has been read yet. */
async function openHarmed(harm: (tables: Tables) => void): Promise<void> {
  engine = await openLmdbEngine({ path: folder, clock, onBackgroundError: (error) => reported.push(error) });
  const tables = openTables(folder);
  await writeAll(tables, [() => harm(tables)]);
  await tables.root.close();
}

async function fill(...changes: readonly Change[]): Promise<void> {
  const first = await openLmdbEngine({ path: folder, clock });
  for (const change of changes) await first.commit(change);
  await first.close();
}

describe('a key whose value is missing from the file', () => {
  it('fails its own writes with CORRUPT; the others of the same transaction are committed', async () => {
    await fill(put('a'), put('bad'), put('c'));
    await openHarmed((tables) => tables.versions.remove(encodeVersionKey('bad', 3, false)));
    const [a, bad, refused, deleted, c, created] = await Promise.allSettled([
      engine.commit(put('a')),
      engine.commit(put('bad')),
      engine.commit({ ...put('bad'), expected: 0n }),
      engine.commit({ type: 'delete', key: 'bad' }),
      engine.commit({ type: 'delete', key: 'c' }),
      engine.commit(put('d')),
    ]);
    for (const failed of [bad, refused, deleted]) {
      expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'CORRUPT', key: 'bad' } });
    }
    const committed = [a, c, created].map((one) => (one?.status === 'fulfilled' ? one.value : one?.reason));
    expect(committed).toEqual([5n, 6n, 7n].map((revision) => ({ committed: true, revision })));
    expect((await engine.range('')).entries.map(({ key }) => key)).toEqual(['a', 'd']);
    expect(await storageError(engine.get('bad'))).toMatchObject({ code: 'CORRUPT', key: 'bad' });
  });

  it('does not keep others from expiring, and is reported once', async () => {
    await fill(put('a', 60), put('bad', 60), put('c', 60), put('later', 120));
    await openHarmed((tables) => tables.versions.remove(encodeVersionKey('bad', 3, false)));
    await clock.advance(60_000);
    await eventually('the others to expire', async () => (await engine.range('')).count === 1);
    await clock.advance(60_000);
    await eventually('the last to expire', async () => (await engine.range('')).count === 0);
    expect(reported).toMatchObject([{ code: 'CORRUPT', key: 'bad' }]);
  });
});

describe('rows that cannot be decoded', () => {
  it('an expiry row of the wrong length does not keep others from expiring', async () => {
    await fill(put('a', 60));
    await openHarmed((tables) => tables.expiry.put(Buffer.alloc(9), Buffer.from('a')));
    await clock.advance(60_000);
    await eventually('the key to expire', async () => (await engine.range('')).count === 0);
    const tables = openTables(folder);
    expect([...tables.expiry.keys(encodeExpiryRow(0, 0))]).toEqual([]);
    await tables.root.close();
  });

  it('a log record that is cut does not keep others from being swept, nor writes from being made', async () => {
    await fill(put('a'), put('a'), put('b'), put('b'), put('b'));
    await openHarmed((tables) => tables.log.put(encodeRevision(3), Buffer.alloc(2)));
    await engine.compact(6n);
    await engine.commit(put('c'));
    await eventually('the rest to be swept', () => engine.stats().swept === 6n);
    expect((await engine.range('')).entries.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(reported).toMatchObject([{ code: 'CORRUPT' }]);
    expect(reported[0]?.message).toContain('revision 3');
  });
});
