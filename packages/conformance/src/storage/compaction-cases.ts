/** Contract: compaction, also in the middle of lists and watches. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Revision, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { expect } from 'vitest';
import { bytes } from './bytes.ts';
import { CommittedHistory } from './committed-history.ts';
import { compactUnlessDone } from './compact-unless-done.ts';
import { storageError } from './expect-error.ts';
import type { StorageSection } from './storage-suite.ts';
import { checkWatchHistory } from './watch-history.ts';
import { WatchRecorder } from './watch-recorder.ts';

async function put(engine: StorageEngine, key: string, value: string): Promise<Revision> {
  return requireCommitted(await engine.commit({ type: 'put', key, value: bytes(value) }), key);
}

export const compactionCases: StorageSection = {
  title: 'compaction',
  cases: [
    {
      title: 'before the compacted revision reads fail with COMPACTED, which carries it; at it and after it they work',
      run: async (engine) => {
        const one = await put(engine, 'a', '1');
        const two = await put(engine, 'a', '2');
        const three = await put(engine, 'b', '1');
        await engine.compact(two);
        const compacted = { code: 'COMPACTED', revision: two };
        expect(await storageError(engine.get('a', { at: one }))).toMatchObject(compacted);
        expect(await storageError(engine.range('', { at: one }))).toMatchObject(compacted);
        expect((await engine.get('a', { at: two })).entry?.modRevision).toBe(two);
        expect((await engine.range('', { at: two })).count).toBe(1);
        expect((await engine.range('', { at: three })).count).toBe(2);
        expect(await engine.revision()).toBe(three);
      },
    },
    {
      title: 'what is current survives compaction to the newest revision; what was deleted does not come back',
      run: async (engine) => {
        await put(engine, 'keep', '1');
        await put(engine, 'keep', '2');
        await put(engine, 'gone', '1');
        const last = requireCommitted(await engine.commit({ type: 'delete', key: 'gone' }), 'gone');
        await engine.compact(last);
        const { entries, revision } = await engine.range('');
        expect(entries.map((entry) => entry.key)).toEqual(['keep']);
        expect(revision).toBe(last);
        expect(await put(engine, 'gone', '2')).toBe(last + 1n);
      },
    },
    {
      title: 'compacting what is compacted fails with COMPACTED, compacting the future with FUTURE_REVISION',
      run: async (engine) => {
        await put(engine, 'a', '1');
        const two = await put(engine, 'a', '2');
        await engine.compact(two);
        const again = { code: 'COMPACTED', revision: two };
        expect(await storageError(engine.compact(two))).toMatchObject(again);
        expect(await storageError(engine.compact(two - 1n))).toMatchObject(again);
        expect(await storageError(engine.compact(two + 1n))).toMatchObject({ code: 'FUTURE_REVISION', revision: two });
      },
    },
    {
      title: 'of compactions that overlap the furthest counts: what one of them has hidden never shows again',
      run: async (engine) => {
        for (let round = 0; round < 8; round += 1) {
          const revisions: Revision[] = [];
          for (let i = 0; i < 6; i += 1) revisions.push(await put(engine, `k${i % 2}`, `${round}`));
          const [low = 0n, middle = 0n, high = 0n] = [revisions[1], revisions[2], revisions[4]];
          const far = compactUnlessDone(engine, high);
          // The second one arrives before, while and after the first one is carried out.
          for (let turn = 0; turn < round; turn += 1) await nextTurn();
          await Promise.all([far, compactUnlessDone(engine, low)]);
          const gone = { code: 'COMPACTED', revision: high };
          expect(await storageError(engine.range('', { at: middle }))).toMatchObject(gone);
          expect(await storageError(engine.get('k0', { at: low }))).toMatchObject(gone);
          expect(await WatchRecorder.open(engine, { prefix: '', after: middle }).failure()).toMatchObject(gone);
          expect(await storageError(engine.compact(high))).toMatchObject(gone);
          expect((await engine.range('', { at: high })).count).toBe(2);
        }
      },
    },
    {
      title: 'a watch from before the compacted revision fails with COMPACTED; from it, all later changes come',
      run: async (engine) => {
        const history = new CommittedHistory(engine);
        const start = await engine.revision();
        for (let i = 0; i < 10; i += 1) await history.commit({ type: 'put', key: `k${i % 3}`, value: bytes(`${i}`) });
        await history.commit({ type: 'delete', key: 'k1' });
        const end = await engine.revision();
        const compacted = start + 5n;
        await engine.compact(compacted);
        const late = WatchRecorder.open(engine, { prefix: '', after: compacted - 1n });
        expect(await late.failure()).toMatchObject({ code: 'COMPACTED', revision: compacted });
        expect(late.batches).toEqual([]);
        const onTime = WatchRecorder.open(engine, { prefix: '', after: compacted });
        await onTime.reached(end);
        expect(checkWatchHistory(history.events, onTime.record)).toEqual([]);
        await onTime.stop();
      },
    },
    {
      title: 'a watch that has caught up goes on through compactions',
      run: async (engine) => {
        const history = new CommittedHistory(engine);
        const after = await engine.revision();
        const recorder = WatchRecorder.open(engine, { prefix: '', after });
        for (let round = 0; round < 5; round += 1) {
          await history.commit({ type: 'put', key: 'a', value: bytes(`${round}`) });
          await history.commit({ type: round % 2 === 0 ? 'put' : 'delete', key: 'b', value: bytes(`${round}`) });
          const revision = await engine.revision();
          await recorder.reached(revision);
          await engine.compact(revision);
        }
        expect(checkWatchHistory(history.events, recorder.record)).toEqual([]);
        await recorder.stop();
      },
    },
    {
      title: 'paging: a page at a revision that was compacted in between fails with COMPACTED, it is never a mix',
      run: async (engine) => {
        for (let i = 0; i < 20; i += 1) await put(engine, `p/${i}`, '1');
        const first = await engine.range('p/', { limit: 10 });
        const later = await put(engine, 'p/1', '2');
        await engine.compact(later);
        const next = engine.range('p/', { limit: 10, start: `${first.entries.at(-1)?.key}\0`, at: first.revision });
        expect(await storageError(next)).toMatchObject({ code: 'COMPACTED', revision: later });
      },
    },
    {
      title: 'reads of the newest state never fail while commits and compactions go on',
      run: async (engine) => {
        const keys = Array.from({ length: 1000 }, (_, i) => `k/${i}`);
        await Promise.all(keys.map((key) => put(engine, key, '0')));
        const stop = new AbortController();
        const churn = (async () => {
          for (let i = 0; !stop.signal.aborted; i += 1) {
            const revision = await put(engine, keys[i % keys.length] ?? '', `${i}`);
            await engine.compact(revision);
          }
        })();
        for (let read = 0; read < 20; read += 1) {
          const { entries, count } = await engine.range('k/');
          expect([entries.length, count]).toEqual([1000, 1000]);
          expect((await engine.get('k/7')).entry?.key).toBe('k/7');
        }
        stop.abort();
        await churn;
      },
    },
  ],
};
