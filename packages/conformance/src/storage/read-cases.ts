/** Contract: get and range, now and in the past. */

import { compareKeys, type Entry, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { expect } from 'vitest';
import { bytes, text } from './bytes.ts';
import { storageError } from './expect-error.ts';
import type { StorageSection } from './storage-suite.ts';

async function fill(engine: StorageEngine, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => engine.commit({ type: 'put', key, value: bytes(key) })));
}

function keysOf(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => entry.key);
}

export const readCases: StorageSection = {
  title: 'read',
  cases: [
    {
      title: 'a range returns the keys of its prefix in order, and no neighbour',
      run: async (engine) => {
        await fill(engine, ['/pods/b/2', '/pods/a/1', '/podsx', '/pod', '/pods/a/10', '/pods/', '/services/a']);
        const { entries, more, count } = await engine.range('/pods/');
        expect(keysOf(entries)).toEqual(['/pods/', '/pods/a/1', '/pods/a/10', '/pods/b/2']);
        expect(entries.map((entry) => text(entry.value))).toEqual(keysOf(entries));
        expect(more).toBe(false);
        expect(count).toBe(4);
      },
    },
    {
      title: 'an empty prefix ranges over the whole store; a prefix that is a whole key includes that key',
      run: async (engine) => {
        await fill(engine, ['a', 'ab', 'b']);
        expect(keysOf((await engine.range('')).entries)).toEqual(['a', 'ab', 'b']);
        expect(keysOf((await engine.range('a')).entries)).toEqual(['a', 'ab']);
        expect(await engine.range('c')).toMatchObject({ entries: [], more: false, count: 0 });
      },
    },
    {
      title:
        'a long range is read in parts: it pauses between them, shows one revision, and ends with what a pause throws',
      run: async (engine) => {
        const keys = Array.from({ length: 2500 }, (_, i) => `p/${String(i).padStart(4, '0')}`);
        await fill(engine, keys);
        let pauses = 0;
        const pause = async (): Promise<void> => {
          pauses += 1;
          if (pauses === 1) await engine.commit({ type: 'put', key: 'p/9999', value: bytes('later') });
        };
        const { entries, more, count } = await engine.range('p/', { pause });
        expect(keysOf(entries)).toEqual(keys);
        expect({ more, count, paused: pauses > 0 }).toEqual({ more: false, count: 2500, paused: true });
        const gone = new Error('the reader has gone');
        await expect(engine.range('p/', { pause: () => Promise.reject(gone) })).rejects.toBe(gone);
      },
    },
    {
      title: 'keys are ordered by their UTF-8 bytes, also where UTF-16 would order them otherwise',
      run: async (engine) => {
        const keys = ['k/\u{1F600}', 'k/\uFFFD', 'k/z', 'k/é', 'k/Z', 'k/~', 'k/\u{10FFFF}', 'k/\uE000'];
        await fill(engine, keys);
        const byBytes = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(keysOf((await engine.range('k/')).entries)).toEqual(byBytes);
        expect(keys.toSorted(compareKeys)).toEqual(byBytes);
      },
    },
    {
      title: 'pages: limit, more and count; start is inclusive, a key with a NUL appended begins right after it',
      run: async (engine) => {
        const keys = Array.from({ length: 10 }, (_, i) => `p/${i}`);
        await fill(engine, [...keys, 'p/3x', 'q']);
        const first = await engine.range('p/', { limit: 4 });
        expect(keysOf(first.entries)).toEqual(['p/0', 'p/1', 'p/2', 'p/3']);
        expect(first).toMatchObject({ more: true, count: 11 });
        const second = await engine.range('p/', { limit: 4, start: 'p/3\0', at: first.revision });
        expect(keysOf(second.entries)).toEqual(['p/3x', 'p/4', 'p/5', 'p/6']);
        expect(second).toMatchObject({ more: true, count: 7 });
        const third = await engine.range('p/', { limit: 4, start: 'p/7', at: first.revision });
        expect(keysOf(third.entries)).toEqual(['p/7', 'p/8', 'p/9']);
        expect(third).toMatchObject({ more: false, count: 3 });
      },
    },
    {
      title: 'a start before the prefix begins at the prefix, one behind it finds nothing',
      run: async (engine) => {
        await fill(engine, ['a', 'p/1', 'p/2', 'z']);
        expect(keysOf((await engine.range('p/', { start: 'a' })).entries)).toEqual(['p/1', 'p/2']);
        expect(keysOf((await engine.range('p/', { start: '' })).entries)).toEqual(['p/1', 'p/2']);
        expect(await engine.range('p/', { start: 'q' })).toMatchObject({ entries: [], more: false, count: 0 });
      },
    },
    {
      title: 'pages read at the first page’s revision do not see later changes',
      run: async (engine) => {
        await fill(
          engine,
          Array.from({ length: 20 }, (_, i) => `p/${String(i).padStart(2, '0')}`),
        );
        const first = await engine.range('p/', { limit: 10 });
        await engine.commit({ type: 'delete', key: 'p/15' });
        await engine.commit({ type: 'put', key: 'p/16', value: bytes('changed') });
        await engine.commit({ type: 'put', key: 'p/16x', value: bytes('new') });
        const second = await engine.range('p/', { start: 'p/09\0', at: first.revision });
        expect(keysOf(second.entries)).toEqual(Array.from({ length: 10 }, (_, i) => `p/${i + 10}`));
        expect(text(second.entries[6]?.value ?? bytes(''))).toBe('p/16');
        expect(second.revision).toBe(first.revision);
      },
    },
    {
      title: 'get and range at a past revision show that revision; before the key was created it is not there',
      run: async (engine) => {
        const start = await engine.revision();
        const one = requireCommitted(await engine.commit({ type: 'put', key: 'a', value: bytes('1') }), 'a');
        const two = requireCommitted(await engine.commit({ type: 'put', key: 'a', value: bytes('2') }), 'a');
        const gone = requireCommitted(await engine.commit({ type: 'delete', key: 'a' }), 'a');
        const back = requireCommitted(await engine.commit({ type: 'put', key: 'a', value: bytes('3') }), 'a');
        const expected = new Map([
          [start, undefined],
          [one, '1'],
          [two, '2'],
          [gone, undefined],
          [back, '3'],
        ]);
        for (const [at, value] of expected) {
          const { entry, revision } = await engine.get('a', { at });
          expect(entry && text(entry.value)).toBe(value);
          expect(revision).toBe(at);
          const { entries, count } = await engine.range('', { at });
          expect(entries.map((found) => text(found.value))).toEqual(value === undefined ? [] : [value]);
          expect(count).toBe(entries.length);
        }
      },
    },
    {
      title: 'a read in the future fails with FUTURE_REVISION, which carries the current revision',
      run: async (engine) => {
        const current = requireCommitted(await engine.commit({ type: 'put', key: 'a', value: bytes('1') }), 'a');
        const expected = { code: 'FUTURE_REVISION', revision: current };
        expect(await storageError(engine.get('a', { at: current + 1n }))).toMatchObject(expected);
        expect(await storageError(engine.range('', { at: current + 1n }))).toMatchObject(expected);
        expect(await storageError(engine.get('a', { at: 2n ** 62n }))).toMatchObject(expected);
      },
    },
    {
      title: 'bad reads are RangeErrors',
      run: async (engine) => {
        await expect(engine.get('')).rejects.toThrow(RangeError);
        await expect(engine.get('a', { at: 0n })).rejects.toThrow(RangeError);
        await expect(engine.range('', { limit: -1 })).rejects.toThrow(RangeError);
        await expect(engine.range('', { limit: 1.5 })).rejects.toThrow(RangeError);
        await expect(engine.range('a\0')).rejects.toThrow(RangeError);
      },
    },
    {
      title: 'an aborted signal rejects with its own reason',
      run: async (engine) => {
        const reason = new Error('enough');
        const signal = AbortSignal.abort(reason);
        await expect(engine.get('a', { signal })).rejects.toBe(reason);
        await expect(engine.range('', { signal })).rejects.toBe(reason);
        await expect(engine.revision({ signal })).rejects.toBe(reason);
        await expect(engine.commit({ type: 'put', key: 'a', value: bytes('1') }, { signal })).rejects.toBe(reason);
        expect((await engine.get('a')).entry).toBeUndefined();
      },
    },
    {
      title: 'a range of 5 000 keys is one consistent state while writers go on',
      run: async (engine) => {
        const keys = Array.from({ length: 5000 }, (_, i) => `k/${String(i).padStart(5, '0')}`);
        await fill(engine, keys);
        // The first key is always written before the last one: a torn read sees the last one ahead, or far behind.
        const first = keys[0] ?? '';
        const last = keys.at(-1) ?? '';
        const writeBoth = async (round: number): Promise<void> => {
          await engine.commit({ type: 'put', key: first, value: bytes(String(round)) });
          await engine.commit({ type: 'put', key: last, value: bytes(String(round)) });
        };
        await writeBoth(0);
        const stop = new AbortController();
        const writer = (async () => {
          for (let round = 1; !stop.signal.aborted; round += 1) await writeBoth(round);
        })();
        for (let read = 0; read < 5; read += 1) {
          const { entries, revision } = await engine.range('k/');
          expect(entries).toHaveLength(5000);
          expect(entries.every((entry) => entry.modRevision <= revision)).toBe(true);
          const rounds = [entries[0], entries.at(-1)].map((entry) => Number(text(entry?.value ?? bytes('none'))));
          expect([0, 1]).toContain((rounds[0] ?? 0) - (rounds[1] ?? 0));
        }
        stop.abort();
        await writer;
      },
    },
  ],
};
