/** Contract: a commit that depends on other keys. */

import { type Change, MAX_OTHER_KEYS, type Revision, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { expect } from 'vitest';
import { bytes } from './bytes.ts';
import type { StorageSection } from './storage-suite.ts';

async function put(engine: StorageEngine, key: string, value = '1'): Promise<Revision> {
  return requireCommitted(await engine.commit({ type: 'put', key, value: bytes(value) }), key);
}

/** A put and a delete of `a`, each with and without an expected revision. */
function changesOf(expected: Revision): readonly Change[] {
  const change = { key: 'a', value: bytes('2') } as const;
  return (['put', 'delete'] as const).flatMap((type) => [
    { ...change, type },
    { ...change, type, expected },
  ]);
}

export const guardCases: StorageSection = {
  title: 'guards',
  cases: [
    {
      title: 'a change is committed while every guarded key stands where its guard says, and leaves those keys alone',
      run: async (engine) => {
        const guards = [
          { key: 'b', revision: await put(engine, 'b') },
          { key: 'c', revision: await put(engine, 'c') },
          { key: 'nobody', revision: 0n },
        ];
        const start = await engine.revision();
        const created = await engine.commit({ type: 'put', key: 'a', value: bytes('1'), expected: 0n, guards });
        expect(created).toEqual({ committed: true, revision: start + 1n });
        expect(await engine.commit({ type: 'put', key: 'a', value: bytes('2'), guards })).toMatchObject({
          committed: true,
        });
        const deleted = await engine.commit({ type: 'delete', key: 'a', expected: start + 2n, guards });
        expect(deleted).toEqual({ committed: true, revision: start + 3n });
        await put(engine, 'a');
        expect(await engine.commit({ type: 'delete', key: 'a', guards })).toMatchObject({ committed: true });
        const { entries } = await engine.range('');
        expect(entries.map(({ key, modRevision }) => ({ key, revision: modRevision }))).toEqual(guards.slice(0, 2));
        for await (const { events } of engine.watch('', { after: start })) {
          expect(new Set(events.map(({ key }) => key))).toEqual(new Set(['a']));
          break;
        }
      },
    },
    {
      title: 'a lost guard refuses a put and a delete with BLOCKED, its key and the revision that it has now',
      run: async (engine) => {
        const seen = await put(engine, 'b');
        const own = await put(engine, 'a');
        const revision = await put(engine, 'b', '2');
        const guards = [{ key: 'b', revision: seen }];
        for (const change of changesOf(own)) {
          expect(await engine.commit({ ...change, guards })).toMatchObject({
            committed: false,
            reason: 'BLOCKED',
            blockedBy: { type: 'guard', key: 'b', revision },
            current: { key: 'a', value: bytes('1'), modRevision: own },
            revision,
          });
        }
        const fresh = await engine.commit({ type: 'put', key: 'new', value: bytes('1'), expected: 0n, guards });
        expect(fresh).toMatchObject({ committed: false, reason: 'BLOCKED', current: undefined });
        expect(await engine.revision()).toBe(revision);
      },
    },
    {
      title: 'a guarded key that was deleted blocks as revision 0, one that was created as its revision',
      run: async (engine) => {
        const seen = await put(engine, 'b');
        await engine.commit({ type: 'delete', key: 'b' });
        const change = { type: 'put', key: 'a', value: bytes('1') } as const;
        const gone = await engine.commit({ ...change, guards: [{ key: 'b', revision: seen }] });
        expect(gone).toMatchObject({ reason: 'BLOCKED', blockedBy: { type: 'guard', key: 'b', revision: 0n } });
        const guards = [{ key: 'b', revision: 0n }];
        expect(await engine.commit({ ...change, guards })).toMatchObject({ committed: true });
        const revision = await put(engine, 'b');
        expect(await engine.commit({ ...change, guards })).toMatchObject({ blockedBy: { key: 'b', revision } });
      },
    },
    {
      title: 'of several lost guards the first is named',
      run: async (engine) => {
        const [b, c, d] = [await put(engine, 'b'), await put(engine, 'c'), await put(engine, 'd')];
        const change = { type: 'put', key: 'a', value: bytes('1') } as const;
        const guards = [
          { key: 'b', revision: b },
          { key: 'c', revision: c - 1n },
          { key: 'd', revision: 0n },
        ];
        expect(await engine.commit({ ...change, guards })).toMatchObject({ blockedBy: { key: 'c', revision: c } });
        const backwards = guards.toReversed();
        expect(await engine.commit({ ...change, guards: backwards })).toMatchObject({
          blockedBy: { key: 'd', revision: d },
        });
      },
    },
    {
      title: 'the key’s own refusal is told before that of a guard',
      run: async (engine) => {
        const own = await put(engine, 'a');
        const guards = [{ key: 'b', revision: own }];
        const change = { type: 'put', key: 'a', value: bytes('1'), guards } as const;
        const refusals = [
          await engine.commit({ ...change, expected: 0n }),
          await engine.commit({ ...change, expected: own - 1n }),
          await engine.commit({ ...change, key: 'nobody', expected: own }),
          await engine.commit({ type: 'delete', key: 'nobody', guards }),
        ];
        expect(refusals).toMatchObject(
          ['KEY_EXISTS', 'CONFLICT', 'KEY_NOT_FOUND', 'KEY_NOT_FOUND'].map((reason) => ({ committed: false, reason })),
        );
        for (const refused of refusals) expect(refused).not.toHaveProperty('blockedBy');
      },
    },
    {
      title: 'a delete of a missing key is refused with KEY_NOT_FOUND and takes no revision although its guards hold',
      run: async (engine) => {
        const revision = await put(engine, 'b');
        const refused = await engine.commit({ type: 'delete', key: 'nobody', guards: [{ key: 'b', revision }] });
        expect(refused).toEqual({ committed: false, reason: 'KEY_NOT_FOUND', current: undefined, revision });
        expect(await engine.revision()).toBe(revision);
      },
    },
    {
      title: 'a key with a TTL can be guarded',
      run: async (engine) => {
        const revision = await put(engine, 'b');
        const change = { type: 'put', key: 'a', value: bytes('1'), ttlSeconds: 60 } as const;
        expect(await engine.commit({ ...change, guards: [{ key: 'b', revision }] })).toMatchObject({ committed: true });
        expect(await engine.commit({ ...change, guards: [{ key: 'b', revision: 0n }] })).toMatchObject({
          blockedBy: { key: 'b', revision },
        });
      },
    },
    {
      title: 'of commits that begin together with a change of the guarded key, those behind that change are refused',
      run: async (engine) => {
        const count = 60;
        for (let i = 0; i < count; i += 1) await put(engine, `old-${i}`);
        const revision = await put(engine, 'b');
        const guards = [{ key: 'b', revision }];
        const commits = Array.from({ length: count }, (_, i) => [
          ...(i === count / 2 ? [engine.commit({ type: 'delete', key: 'b' })] : []),
          engine.commit({ type: 'put', key: `new-${i}`, value: bytes('1'), expected: 0n, guards }),
          engine.commit({ type: 'delete', key: `old-${i}`, guards }),
        ]);
        const results = await Promise.all(commits.flat());
        const kept = (await engine.range('old-')).entries.length;
        const created = (await engine.range('new-')).entries.length;
        expect(results.filter(({ committed }) => committed)).toHaveLength(created + (count - kept) + 1);
        expect(created).toBeLessThan(count);
        for (const result of results) {
          if (!result.committed) {
            expect(result.blockedBy).toEqual({ type: 'guard', key: 'b', revision: 0n });
            continue;
          }
          const { entry } = await engine.get('b', { at: result.revision - 1n });
          expect(entry?.modRevision).toBe(revision);
        }
      },
    },
    {
      title: 'of two changes that guard each other’s key exactly one is committed, however often they race',
      run: async (engine) => {
        let [a, b] = [await put(engine, 'a'), await put(engine, 'b')];
        for (let round = 0; round < 50; round += 1) {
          const value = bytes(String(round));
          const [first, second] = await Promise.all([
            engine.commit({ type: 'put', key: 'a', value, guards: [{ key: 'b', revision: b }] }),
            engine.commit({ type: 'put', key: 'b', value, guards: [{ key: 'a', revision: a }] }),
          ]);
          expect([first.committed, second.committed].filter(Boolean)).toHaveLength(1);
          if (first.committed) a = first.revision;
          if (second.committed) b = second.revision;
          expect(first.committed ? second : first).toMatchObject({
            reason: 'BLOCKED',
            blockedBy: first.committed ? { key: 'a', revision: a } : { key: 'b', revision: b },
          });
        }
      },
    },
    {
      title: `${MAX_OTHER_KEYS} guards are compared, one more is refused at once`,
      run: async (engine) => {
        const revision = await put(engine, 'last');
        const guards = Array.from({ length: MAX_OTHER_KEYS - 1 }, (_, i) => ({ key: `absent-${i}`, revision: 0n }));
        const change = { type: 'put', key: 'a', value: bytes('1'), expected: 0n } as const;
        const lost = await engine.commit({ ...change, guards: [...guards, { key: 'last', revision: 0n }] });
        expect(lost).toMatchObject({ blockedBy: { type: 'guard', key: 'last', revision } });
        const all = [...guards, { key: 'last', revision }];
        await expect(engine.commit({ ...change, guards: [...all, { key: 'more', revision: 0n }] })).rejects.toThrow(
          RangeError,
        );
        expect(await engine.commit({ ...change, guards: all })).toMatchObject({ committed: true });
      },
    },
    {
      title: 'guards that make no sense are refused as RangeError before anything happens',
      run: async (engine) => {
        const start = await engine.revision();
        for (const guard of [
          { key: 'b', revision: -1n },
          { key: '', revision: 0n },
          // The own key has `expected`.
          { key: 'a', revision: 0n },
        ]) {
          const guards = [guard];
          await expect(engine.commit({ type: 'put', key: 'a', value: bytes('1'), guards })).rejects.toThrow(RangeError);
          await expect(engine.commit({ type: 'delete', key: 'a', guards })).rejects.toThrow(RangeError);
        }
        expect(await engine.revision()).toBe(start);
      },
    },
    {
      title: 'alongside: guards count too and are named first, and must not be keys that are written',
      unless: ({ alongside }) => (alongside ? undefined : 'it commits one key at a time'),
      run: async (engine) => {
        const revision = await put(engine, 'b');
        const taken = await put(engine, 'claim');
        const change = { type: 'put', key: 'a', value: bytes('1'), expected: 0n } as const;
        const alongside = [{ key: 'claim', value: bytes('1'), expected: 0n }];
        expect(await engine.commit({ ...change, alongside, guards: [{ key: 'b', revision: 0n }] })).toMatchObject({
          blockedBy: { type: 'guard', key: 'b', revision },
        });
        const guards = [{ key: 'b', revision }];
        expect(await engine.commit({ ...change, alongside, guards })).toMatchObject({
          blockedBy: { type: 'alongside', key: 'claim', revision: taken },
        });
        const written = [{ key: 'claim', revision: taken }];
        await expect(engine.commit({ ...change, alongside, guards: written })).rejects.toThrow(RangeError);
        const free = [{ key: 'claim', value: bytes('1'), expected: taken }];
        expect(await engine.commit({ ...change, alongside: free, guards })).toMatchObject({ committed: true });
      },
    },
  ],
};
