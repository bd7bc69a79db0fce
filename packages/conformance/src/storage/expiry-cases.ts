/** Contract: keys with a time to live. */

import { requireCommitted } from '@listwatch/storage';
import { expect } from 'vitest';
import { bytes } from './bytes.ts';
import type { StorageSection } from './storage-suite.ts';
import { WatchRecorder } from './watch-recorder.ts';

export const expiryCases: StorageSection = {
  title: 'expiry',
  waits: true,
  cases: [
    {
      title: 'a key with a TTL is deleted after it, not before, and watches see an ordinary delete',
      run: async (engine) => {
        const after = await engine.revision();
        const recorder = WatchRecorder.open(engine, { prefix: '', after });
        const written = performance.now();
        const change = { type: 'put', key: 'mortal', value: bytes('1'), ttlSeconds: 2 } as const;
        const revision = requireCommitted(await engine.commit(change), 'mortal');
        await recorder.reached(revision + 1n);
        expect(performance.now() - written).toBeGreaterThanOrEqual(1990);
        expect(recorder.events).toMatchObject([
          { type: 'put', key: 'mortal' },
          { type: 'delete', key: 'mortal', revision: revision + 1n, previous: { modRevision: revision } },
        ]);
        expect((await engine.get('mortal')).entry).toBeUndefined();
        expect((await engine.get('mortal', { at: revision })).entry?.key).toBe('mortal');
        await recorder.stop();
      },
    },
    {
      title: 'a key written again without a TTL stays; a key written again with one lives from then on',
      run: async (engine) => {
        const value = bytes('1');
        const after = await engine.revision();
        const recorder = WatchRecorder.open(engine, { prefix: '', after });
        await engine.commit({ type: 'put', key: 'saved', value, ttlSeconds: 2 });
        await engine.commit({ type: 'put', key: 'renewed', value, ttlSeconds: 2 });
        await engine.commit({ type: 'put', key: 'witness', value, ttlSeconds: 2 });
        await engine.commit({ type: 'put', key: 'saved', value });
        await engine.commit({ type: 'put', key: 'renewed', value, ttlSeconds: 600 });
        await recorder.reached(after + 6n);
        expect(recorder.events.at(-1)).toMatchObject({ type: 'delete', key: 'witness' });
        expect((await engine.range('')).entries.map((entry) => entry.key)).toEqual(['renewed', 'saved']);
        await recorder.stop();
      },
    },
    {
      title: 'a key deleted before its TTL ends and created again is not touched by the old TTL',
      run: async (engine) => {
        const value = bytes('1');
        const after = await engine.revision();
        const recorder = WatchRecorder.open(engine, { prefix: '', after });
        await engine.commit({ type: 'put', key: 'a', value, ttlSeconds: 2 });
        await engine.commit({ type: 'delete', key: 'a' });
        await engine.commit({ type: 'put', key: 'a', value });
        await engine.commit({ type: 'put', key: 'witness', value, ttlSeconds: 3 });
        await recorder.reached(after + 5n);
        expect((await engine.range('')).entries.map((entry) => entry.key)).toEqual(['a']);
        await recorder.stop();
      },
    },
    {
      title: 'keys that expire at the same time are each deleted at their own revision',
      unless: ({ expiryRevisions }) =>
        expiryRevisions === 'own' ? undefined : 'keys of one lease are deleted in one revision',
      run: async (engine) => {
        const after = await engine.revision();
        const recorder = WatchRecorder.open(engine, { prefix: '', after });
        for (let i = 0; i < 20; i += 1) {
          await engine.commit({ type: 'put', key: `k${i}`, value: bytes('1'), ttlSeconds: 2 });
        }
        await recorder.reached(after + 40n);
        const revisions = recorder.events.filter((event) => event.type === 'delete').map((event) => event.revision);
        expect(revisions).toEqual(Array.from({ length: 20 }, (_, i) => after + 21n + BigInt(i)));
        await recorder.stop();
      },
    },
  ],
};
