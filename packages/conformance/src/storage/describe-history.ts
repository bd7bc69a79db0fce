/** The suite of engines that compact by themselves, with a clock that the test controls. */

import { FakeClock } from '@listwatch/api/fake-clock';
import {
  type Clock,
  type HistoryOptions,
  type Revision,
  requireCommitted,
  type StorageEngine,
} from '@listwatch/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { storageError } from './expect-error.ts';
import { WatchRecorder } from './watch-recorder.ts';

/** An engine whose history is tested. */
export interface HistorySuite {
  readonly name: string;
  readonly create: (options: { readonly history: HistoryOptions; readonly clock: Clock }) => Promise<StorageEngine>;
}

const MINUTE = 60_000;

/** Declares the history tests for one engine. Call it at the top of a test file. */
export function describeHistory({ name, create }: HistorySuite): void {
  describe(`history and time: ${name}`, () => {
    const opened: StorageEngine[] = [];
    const open = async (history: HistoryOptions): Promise<{ engine: StorageEngine; clock: FakeClock }> => {
      const clock = new FakeClock();
      const engine = await create({ history, clock });
      opened.push(engine);
      return { engine, clock };
    };
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close();
    });

    it('changes stay readable for the age and are compacted after it', async () => {
      const { engine, clock } = await open({ age: '10m' });
      const old = await put(engine, 'a', 'old');
      const newer = await put(engine, 'a', 'newer');
      await clock.advance(9 * MINUTE);
      const newest = await put(engine, 'a', 'newest');
      expect((await engine.get('a', { at: old })).entry?.modRevision).toBe(old);
      await clock.advance(2 * MINUTE);
      const error = await eventually('the old revision to be compacted', () => compactedAt(engine, old));
      expect(error).toBe(newer);
      expect((await engine.get('a', { at: newer })).entry?.modRevision).toBe(newer);
      expect((await engine.get('a')).entry?.modRevision).toBe(newest);
    });

    it('an idle store forgets its past but neither its keys nor its revision', async () => {
      const { engine, clock } = await open({ age: '1m' });
      await put(engine, 'a', '1');
      const last = await put(engine, 'a', '2');
      await clock.advance(10 * MINUTE);
      await eventually('everything old to be compacted', () => compactedAt(engine, last - 1n));
      expect(await engine.revision()).toBe(last);
      expect((await engine.get('a')).entry?.modRevision).toBe(last);
      expect(await put(engine, 'b', '1')).toBe(last + 1n);
    });

    it('changes beyond the limit in bytes are compacted, the newest within it stay', async () => {
      const { engine, clock } = await open({ age: '24h', bytes: 100_000 });
      const value = 'x'.repeat(1000);
      const revisions: Revision[] = [];
      for (let i = 0; i < 300; i += 1) revisions.push(await put(engine, `k${i % 5}`, value));
      const first = revisions[0] ?? 0n;
      expect((await engine.get('k0', { at: first })).entry?.modRevision).toBe(first);
      await clock.advance(2 * MINUTE);
      const compacted = await eventually('the limit to be applied', () => compactedAt(engine, first));
      const kept = Number((revisions.at(-1) ?? 0n) - compacted);
      expect(kept).toBeGreaterThan(80);
      expect(kept).toBeLessThanOrEqual(100);
    });

    it('a watch that keeps up does not notice compaction; one that sleeps through it gets COMPACTED', async () => {
      const { engine, clock } = await open({ age: '1m' });
      const after = await engine.revision();
      const awake = WatchRecorder.open(engine, { prefix: '', after });
      const asleep = engine.watch('', { after })[Symbol.asyncIterator]();
      const old = await put(engine, 'a', '1');
      await clock.advance(5 * MINUTE);
      await eventually('the change to be compacted', () => compactedAt(engine, after));
      const last = await put(engine, 'a', '2');
      await awake.reached(last);
      expect(awake.events.map((event) => event.revision)).toEqual([old, last]);
      expect(await storageError(asleep.next())).toMatchObject({ code: 'COMPACTED' });
      await awake.stop();
    });

    it('a TTL ends exactly when the clock says so', async () => {
      const { engine, clock } = await open({});
      await engine.commit({ type: 'put', key: 'mortal', value: new Uint8Array(1), ttlSeconds: 3600 });
      await clock.advance(60 * MINUTE - 1);
      expect((await engine.get('mortal')).entry?.key).toBe('mortal');
      await clock.advance(1);
      await eventually('the key to expire', async () => (await engine.get('mortal')).entry === undefined);
    });

    it('refuses settings that are no duration or no size', async () => {
      // @ts-expect-error minutes are spelled m
      await expect(open({ age: '5min' })).rejects.toThrow(RangeError);
      await expect(open({ age: -1 })).rejects.toThrow(RangeError);
      await expect(open({ bytes: Number.NaN })).rejects.toThrow(RangeError);
    });
  });
}

async function put(engine: StorageEngine, key: string, value: string): Promise<Revision> {
  return requireCommitted(await engine.commit({ type: 'put', key, value: Buffer.from(value) }), key);
}

/** The compacted revision, if `at` lies before it. */
async function compactedAt(engine: StorageEngine, at: Revision): Promise<Revision | undefined> {
  try {
    await engine.get('any', { at });
    return undefined;
  } catch (error) {
    return (await storageError(Promise.reject(error))).revision;
  }
}
