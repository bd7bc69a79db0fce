import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLmdbEngine } from './lmdb-engine.ts';
import { RecentEntries } from './recent-entries.ts';

function entry(key: string, revision: bigint, bytes = 10): { key: string; value: Uint8Array; modRevision: bigint } {
  return { key, value: new Uint8Array(bytes - key.length), modRevision: revision };
}

it('gives what was written last, at that revision only', () => {
  const recent = new RecentEntries();
  recent.set(entry('a', 1n));
  recent.set(entry('a', 2n));
  expect(recent.get('a', 2)?.modRevision).toBe(2n);
  expect(recent.get('a', 1)).toBeUndefined();
  recent.delete('a');
  expect(recent.get('a', 2)).toBeUndefined();
});

it('drops the half that was written longest ago beyond its limit, and counts a rewritten key once', () => {
  const recent = new RecentEntries(40);
  for (const [revision, key] of ['a', 'b', 'c', 'd'].entries()) recent.set(entry(key, BigInt(revision)));
  recent.set(entry('a', 10n));
  expect(recent.get('b', 1)).toBeDefined();
  recent.set(entry('e', 11n));
  const kept = [recent.get('a', 10), recent.get('b', 1), recent.get('c', 2), recent.get('d', 3), recent.get('e', 11)];
  expect(kept.map((one) => one?.key)).toEqual(['a', undefined, undefined, undefined, 'e']);
});

it('does not keep an entry that is larger than the limit', () => {
  const recent = new RecentEntries(30);
  recent.set(entry('large', 1n, 31));
  expect(recent.get('large', 1)).toBeUndefined();
});

it('an engine reads what it was asked for a moment ago from the file only once', async () => {
  const path = mkdtempSync(join(tmpdir(), 'listwatch-lmdb-'));
  const writer = await openLmdbEngine({ path });
  await writer.commit({ type: 'put', key: 'a', value: Buffer.from('1') });
  await writer.close();
  const engine = await openLmdbEngine({ path });
  const { entry: first } = await engine.get('a');
  expect((await engine.get('a')).entry).toBe(first);
  await engine.commit({ type: 'put', key: 'a', value: Buffer.from('2') });
  expect(Buffer.from((await engine.get('a')).entry?.value ?? []).toString()).toBe('2');
  await engine.close();
  rmSync(path, { recursive: true });
});
