/** Contract: capabilities and the end of an engine. */

import { expect } from 'vitest';
import { bytes } from './bytes.ts';
import { storageError } from './expect-error.ts';
import type { StorageSection } from './storage-suite.ts';
import { WatchRecorder } from './watch-recorder.ts';

export const lifecycleCases: StorageSection = {
  title: 'lifecycle',
  cases: [
    {
      title: 'the engine declares the capabilities it is tested with',
      run: async (engine, { suite }) => {
        expect(engine.capabilities).toEqual(suite.capabilities);
      },
    },
    {
      title: 'after close every operation fails with CLOSED, and closing again is fine',
      run: async (engine) => {
        await engine.close();
        await engine.close();
        expect(await storageError(engine.revision())).toMatchObject({ code: 'CLOSED' });
        expect(await storageError(engine.get('a'))).toMatchObject({ code: 'CLOSED' });
        expect(await storageError(engine.range(''))).toMatchObject({ code: 'CLOSED' });
        expect(await storageError(engine.compact(1n))).toMatchObject({ code: 'CLOSED' });
        const change = { type: 'put', key: 'a', value: bytes('1') } as const;
        expect(await storageError(engine.commit(change))).toMatchObject({ code: 'CLOSED' });
        const recorder = WatchRecorder.open(engine, { prefix: '', after: 1n });
        expect(await recorder.failure()).toMatchObject({ code: 'CLOSED' });
      },
    },
    {
      title: 'close ends a waiting watch with CLOSED',
      run: async (engine) => {
        const recorder = WatchRecorder.open(engine, { prefix: '', after: await engine.revision() });
        await engine.close();
        expect(await recorder.failure()).toMatchObject({ code: 'CLOSED' });
      },
    },
    {
      title: 'commits that were handed over before close are carried out',
      run: async (engine) => {
        const commits = Array.from({ length: 50 }, (_, i) =>
          engine.commit({ type: 'put', key: `k${i}`, value: bytes('1') }),
        );
        await engine.close();
        for (const result of await Promise.all(commits)) expect(result.committed).toBe(true);
      },
    },
    {
      title: 'a store that is made anew begins behind the one before: reads and watches from there are COMPACTED',
      unless: ({ durable }) => (durable ? 'a durable store goes on where it was' : undefined),
      run: async (engine, { open }) => {
        for (let i = 0; i < 100; i += 1) await engine.commit({ type: 'put', key: `k${i}`, value: bytes('1') });
        const before = await engine.revision();
        await engine.close();
        const anew = await open();
        const revision = await anew.revision();
        expect(revision).toBeGreaterThan(before);
        const gone = { code: 'COMPACTED', revision };
        expect(await storageError(anew.range('', { at: before }))).toMatchObject(gone);
        expect(await WatchRecorder.open(anew, { prefix: '', after: before }).failure()).toMatchObject(gone);
        expect((await anew.range('', { at: revision })).count).toBe(0);
      },
    },
    {
      title: 'two engines on two stores do not see each other',
      run: async (engine, { open }) => {
        const other = await open();
        await engine.commit({ type: 'put', key: 'mine', value: bytes('1') });
        expect((await other.range('')).entries).toEqual([]);
      },
    },
  ],
};
