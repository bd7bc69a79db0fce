import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventually, storageError, WatchRecorder } from '@listwatch/conformance/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkStore, openLmdbEngine } from '../src/index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-format-'));
  const file = gunzipSync(readFileSync(new URL('format-1.mdb.gz', import.meta.url)));
  writeFileSync(join(folder, 'data.mdb'), file, { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LONG = 'x'.repeat(3000);

/**
 * `format-1.mdb.gz` is the data file of a store that the first version of format 1 has written: a=one (2), b=3000 x (3), history
 * compacted at 2, a=two (4), c (5), b deleted (6), mortal for a hundred years (7), a=three (8). A format that is
 * changed gets a file of its own beside it, and this one stays.
 */
describe('a store that an earlier version has written', () => {
  it('is whole, sound, and has its revisions, its past and its history', async () => {
    expect((await checkStore({ path: folder })).findings).toEqual([]);
    const engine = await openLmdbEngine({ path: folder });
    expect(await engine.revision()).toBe(8n);
    expect(await engine.verify()).toEqual([]);
    const { entries } = await engine.range('/registry/');
    expect(entries.map(({ key, value, modRevision }) => [key, String(Buffer.from(value)), modRevision])).toEqual([
      ['/registry/a', 'three', 8n],
      ['/registry/c', 'unicode \u00e4 \u2028 \0', 5n],
      ['/registry/mortal', 'until 2126', 7n],
    ]);
    const past = await engine.range('/registry/', { at: 4n });
    expect(past.entries.map(({ value }) => String(Buffer.from(value)))).toEqual(['two', LONG]);
    expect(await storageError(engine.get('/registry/a', { at: 1n }))).toMatchObject({ code: 'COMPACTED' });
    const recorder = WatchRecorder.open(engine, { prefix: '/registry/', after: 3n });
    await eventually('the history', () => recorder.events.length === 5);
    expect(
      recorder.events.map(({ type, key, revision, previous }) => [
        type,
        key.slice('/registry/'.length),
        revision,
        previous && String(Buffer.from(previous.value)),
      ]),
    ).toEqual([
      ['put', 'a', 4n, 'one'],
      ['put', 'c', 5n, undefined],
      ['delete', 'b', 6n, LONG],
      ['put', 'mortal', 7n, undefined],
      ['put', 'a', 8n, 'two'],
    ]);
    await engine.close();
  });

  it('is written on, and opened again', async () => {
    const first = await openLmdbEngine({ path: folder });
    expect(await first.commit({ type: 'put', key: '/registry/a', value: Buffer.from('four') })).toEqual({
      committed: true,
      revision: 9n,
    });
    await first.close();
    const second = await openLmdbEngine({ path: folder });
    expect(await second.revision()).toBe(9n);
    expect(Buffer.from((await second.get('/registry/a', { at: 8n })).entry?.value ?? [])).toEqual(Buffer.from('three'));
    expect(await second.verify()).toEqual([]);
    await second.close();
  });
});
