/** Contract: watch, and its six guarantees. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { requireCommitted, type WatchBatch } from '@listwatch/storage';
import { expect } from 'vitest';
import { amount } from '../parts/long-run.ts';
import { bytes } from './bytes.ts';
import { CommittedHistory } from './committed-history.ts';
import type { StorageSection } from './storage-suite.ts';
import { checkWatchHistory, type WatchSegment } from './watch-history.ts';
import { WatchRecorder } from './watch-recorder.ts';

export const watchCases: StorageSection = {
  title: 'watch',
  cases: [
    {
      title: 'a watch reports creates, updates and deletes of its prefix with the previous entry, and nothing else',
      run: async (engine) => {
        const after = await engine.revision();
        const history = new CommittedHistory(engine);
        const recorder = WatchRecorder.open(engine, { prefix: '/a/', after });
        await history.commit({ type: 'put', key: '/a/x', value: bytes('1') });
        await history.commit({ type: 'put', key: '/b/x', value: bytes('other') });
        await history.commit({ type: 'put', key: '/a/x', value: bytes('2') });
        const last = await history.commit({ type: 'delete', key: '/a/x' });
        await recorder.reached(last.revision);
        expect(recorder.events.map((event) => [event.type, event.revision, event.previous?.modRevision])).toEqual([
          ['put', after + 1n, undefined],
          ['put', after + 3n, after + 1n],
          ['delete', after + 4n, after + 3n],
        ]);
        expect(checkWatchHistory(history.events, recorder.record)).toEqual([]);
        await recorder.stop();
      },
    },
    {
      title: 'a watch from every kept revision gives exactly the changes after it',
      run: async (engine) => {
        const start = await engine.revision();
        const history = new CommittedHistory(engine);
        for (let i = 0; i < 30; i += 1) {
          const key = `/a/${i % 4}`;
          const remove = i % 5 === 4 && history.current(key) !== undefined;
          await history.commit(remove ? { type: 'delete', key } : { type: 'put', key, value: bytes(`${i}`) });
        }
        const end = await engine.revision();
        for (let after = start; after < end; after += 1n) {
          const recorder = WatchRecorder.open(engine, { prefix: '', after });
          await recorder.reached(end);
          expect(checkWatchHistory(history.events, recorder.record)).toEqual([]);
          expect(recorder.events).toHaveLength(Number(end - after));
          await recorder.stop();
        }
      },
    },
    {
      title: 'a watch after a revision that has not happened yet waits and shows only what comes after it',
      run: async (engine) => {
        const now = await engine.revision();
        const recorder = WatchRecorder.open(engine, { prefix: '', after: now + 2n });
        for (const key of ['a', 'b', 'c', 'd']) await engine.commit({ type: 'put', key, value: bytes('1') });
        await recorder.reached(now + 4n);
        expect(recorder.events.map((event) => event.key)).toEqual(['c', 'd']);
        await recorder.stop();
      },
    },
    {
      title: 'a watch broken off after any batch resumes from that batch’s revision without gap or repetition',
      run: async (engine) => {
        const start = await engine.revision();
        const history = new CommittedHistory(engine);
        const commits = Array.from({ length: 200 }, (_, i) =>
          history.commit({ type: 'put', key: `/a/${i}`, value: bytes(`${i}`) }),
        );
        await Promise.all(commits);
        const end = await engine.revision();
        const segments: WatchSegment[] = [];
        for (let after = start; after < end; ) {
          const batches: WatchBatch[] = [];
          const writeMore = history.commit({ type: 'put', key: '/b/more', value: bytes(String(after)) });
          for await (const batch of engine.watch('/a/', { after })) {
            batches.push(batch);
            break;
          }
          await writeMore;
          segments.push({ after, batches });
          after = batches.at(-1)?.revision ?? after;
        }
        expect(checkWatchHistory(history.events, { prefix: '/a/', segments })).toEqual([]);
      },
    },
    {
      title: 'a progress request is answered with the store’s revision although the watched keys are quiet',
      unless: (capabilities) => (capabilities.progressRequests ? undefined : 'no progress requests on this engine'),
      run: async (engine) => {
        const after = await engine.revision();
        const recorder = WatchRecorder.open(engine, { prefix: '/quiet/', after });
        for (let i = 0; i < 10; i += 1) await engine.commit({ type: 'put', key: `/busy/${i}`, value: bytes('1') });
        const now = await engine.revision();
        recorder.requestProgress();
        await recorder.reached(now);
        expect(recorder.events).toEqual([]);
        expect(recorder.batches.at(-1)?.revision).toBeGreaterThanOrEqual(now);
        await recorder.stop();
      },
    },
    {
      title: 'progress never overtakes events: at each answer everything before it has been delivered',
      unless: (capabilities) => (capabilities.progressRequests ? undefined : 'no progress requests on this engine'),
      run: async (engine) => {
        const after = await engine.revision();
        const history = new CommittedHistory(engine);
        const recorder = WatchRecorder.open(engine, { prefix: '/a/', after });
        const writer = async (id: number): Promise<void> => {
          for (let i = 0; i < 100; i += 1) {
            await history.commit({ type: 'put', key: `/${i % 3 === 0 ? 'b' : 'a'}/${id}`, value: bytes(`${i}`) });
            recorder.requestProgress();
          }
        };
        await Promise.all(Array.from({ length: 8 }, (_, id) => writer(id)));
        recorder.requestProgress();
        await recorder.reached(await engine.revision());
        expect(checkWatchHistory(history.events, recorder.record)).toEqual([]);
        await recorder.stop();
      },
    },
    {
      title: 'watches opened while thousands of commits stream in lose and repeat nothing, fast or slow',
      timeoutMs: 120_000,
      run: async (engine) => {
        const start = await engine.revision();
        const history = new CommittedHistory(engine);
        const total = amount(3000, 10_000);
        const recorders: WatchRecorder[] = [];
        let next = 0;
        const writer = async (id: number): Promise<void> => {
          while (next < total) {
            const i = next;
            next += 1;
            const key = `/${i % 2 === 0 ? 'even' : 'odd'}/${id}/${i % 7}`;
            const remove = i % 11 === 10 && history.current(key) !== undefined;
            const change = remove
              ? ({ type: 'delete', key } as const)
              : { type: 'put' as const, key, value: bytes(`${i}`) };
            const result = await history.commit(change);
            if (i % (total / 4) === total / 10) {
              recorders.push(WatchRecorder.open(engine, { prefix: '', after: start }));
              recorders.push(WatchRecorder.open(engine, { prefix: '/odd/', after: result.revision, pace: nextTurn }));
              recorders.push(WatchRecorder.open(engine, { prefix: '/even/', after: await engine.revision() }));
            }
          }
        };
        await Promise.all(Array.from({ length: 64 }, (_, id) => writer(id)));
        // One more change under every prefix, so that watches without progress requests have something to come to.
        await history.commit({ type: 'put', key: '/even/end', value: bytes('end') });
        const end = await history.commit({ type: 'put', key: '/odd/end', value: bytes('end') });
        const evenEnd = end.revision - 1n;
        expect(recorders).toHaveLength(12);
        for (const recorder of recorders) {
          await recorder.reached(recorder.record.prefix === '/even/' ? evenEnd : end.revision);
          expect(checkWatchHistory(history.events, recorder.record)).toEqual([]);
          await recorder.stop();
        }
      },
    },
    {
      title: 'an aborted watch rejects with the signal’s reason, before and while it waits',
      run: async (engine) => {
        const after = await engine.revision();
        const reason = new Error('enough');
        const aborted = engine.watch('', { after, signal: AbortSignal.abort(reason) })[Symbol.asyncIterator]();
        await expect(aborted.next()).rejects.toBe(reason);
        const controller = new AbortController();
        const waiting = engine.watch('', { after, signal: controller.signal })[Symbol.asyncIterator]();
        const next = waiting.next();
        controller.abort(reason);
        await expect(next).rejects.toBe(reason);
        expect(await waiting.next()).toEqual({ done: true, value: undefined });
      },
    },
    {
      title: 'return() ends a watch that is waiting',
      run: async (engine) => {
        const iterator = engine.watch('', { after: await engine.revision() })[Symbol.asyncIterator]();
        const next = iterator.next();
        await iterator.return?.();
        expect(await next).toEqual({ done: true, value: undefined });
        await engine.commit({ type: 'put', key: 'a', value: bytes('1') });
        expect(await iterator.next()).toEqual({ done: true, value: undefined });
      },
    },
    {
      title: 'a watch has one consumer: a second iteration is refused with a TypeError',
      run: async (engine) => {
        const after = await engine.revision();
        requireCommitted(await engine.commit({ type: 'put', key: 'a', value: bytes('1') }), 'a');
        const watch = engine.watch('', { after });
        for await (const batch of watch) {
          expect(batch.events).toHaveLength(1);
          break;
        }
        expect(() => watch[Symbol.asyncIterator]()).toThrow(TypeError);
      },
    },
    {
      title: 'a watch after a negative revision is a RangeError',
      run: async (engine) => {
        expect(() => engine.watch('', { after: -1n })).toThrow(RangeError);
        expect(() => engine.watch('a\0', { after: 1n })).toThrow(RangeError);
      },
    },
  ],
};
