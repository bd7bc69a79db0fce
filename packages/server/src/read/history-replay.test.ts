import { EVERY_FIELD, EVERY_LABEL } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import {
  createMemoryEngine,
  requireCommitted,
  type StorageEngine,
  StorageError,
  type StorageWatch,
  type WatchBatch,
  type WatchOptions,
} from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchForm } from '../answer/watch-form.ts';
import { justPause } from '../contract/pause.ts';
import { pod } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import type { CachedKind } from '../watch/cached-kind.ts';
import { parseFrame, TestSink } from '../watch/test-sink.fixture.ts';
import type { WatchRequest } from '../watch/watch-cursor.ts';
import { replayHistory } from './history-replay.ts';
import { engineOrigin } from './read-origin.fixture.ts';

const JSON_FORM = { mediaType: 'application/json', as: 'object', metaVersion: 'v1', pretty: false } as const;

let memory: StorageEngine;
let clock: FakeClock;
let caches: StorageCaches;
let pods: CachedKind;
/** Before the pod was written. */
let start: bigint;
let written: bigint;

/** A store with a past: a pod, and something newer that is nobody's object. The caches know neither as a change. */
beforeEach(async () => {
  clock = new FakeClock();
  memory = createMemoryEngine();
  start = await memory.revision();
  caches = storageCaches({ engine: memory, definitions: [pod], clock });
  pods = caches.kind(pod);
  written = await put(pods, 'a');
  await memory.commit({ type: 'put', key: 'elsewhere', value: Buffer.alloc(0) });
  await caches.feed.start();
});

afterEach(async () => {
  await caches.feed.stop();
  await memory.close();
});

async function put({ cache }: CachedKind, name: string): Promise<bigint> {
  const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name, namespace: 'x' } });
  return requireCommitted(await memory.commit({ type: 'put', key: `${cache.root}x/${name}`, value }), name);
}

function request(deadline = clock.now() + 3_600_000): WatchRequest {
  const scope = { namespace: '', name: '', labels: EVERY_LABEL, fields: EVERY_FIELD };
  const form = watchForm(pods.cache, JSON_FORM);
  return { scope, form, initial: undefined, after: start, bookmarks: false, markInitialEnd: false, deadline };
}

/** An engine whose watches say no more than their events do, as etcd before 3.4.25. */
function withoutProgress(watch: StorageEngine['watch'] = terse): StorageEngine {
  return {
    capabilities: { ...memory.capabilities, progressRequests: false },
    revision: () => memory.revision(),
    get: (key, options) => memory.get(key, options),
    range: (prefix, options) => memory.range(prefix, options),
    commit: (change, options) => memory.commit(change, options),
    watch,
    compact: (revision) => memory.compact(revision),
    close: () => memory.close(),
    [Symbol.asyncDispose]: () => memory.close(),
  };
}

describe('a watch that is read from the store', () => {
  it('asks for another turn again and again while it parses what has changed', async () => {
    for (let i = 0; i < 200; i += 1) await put(pods, `p${i}`);
    await eventually('the cache', () => pods.cache.generation?.snapshot().revision === written + 201n);
    const sink = new TestSink();
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    // Each look at the time finds that a millisecond has passed.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    await replayHistory({ origin: engineOrigin(memory, clock), clock, pause }, pods, request(), sink);
    vi.restoreAllMocks();
    expect(sink.events).toHaveLength(201);
    expect(pauses).toBeGreaterThanOrEqual(8);
  });

  it('goes over to the cache also where a quiet kind says nothing of how far the store was read', async () => {
    const sink = new TestSink();
    await replayHistory(
      { origin: engineOrigin(withoutProgress(), clock), clock, pause: justPause },
      pods,
      request(),
      sink,
    );
    expect(pods.counts.watchers).toBe(1);
    const live = await put(pods, 'c');
    await eventually('the live event', () => sink.frames.length > 1);
    expect(sink.events).toEqual([`ADDED a@${written}`, `ADDED c@${live}`]);
    expect(clock.pending, 'the timers of the hub alone are left').toBe(1);
  });

  it('asks again when the store could not be written to', async () => {
    const engine = withoutProgress();
    let refusals = 1;
    const flaky: StorageEngine = {
      ...engine,
      commit: async (change) => {
        if (refusals-- > 0) throw new StorageError('UNAVAILABLE', 'not now');
        return memory.commit(change);
      },
    };
    const sink = new TestSink();
    const replayed = replayHistory(
      { origin: engineOrigin(flaky, clock), clock, pause: justPause },
      pods,
      request(),
      sink,
    );
    await eventually('the first event', () => sink.frames.length > 0);
    expect(pods.counts.watchers).toBe(0);
    await clock.advance(1000);
    await replayed;
    expect(pods.counts.watchers).toBe(1);
  });

  it('ends on time while the store is still being read', async () => {
    const sink = new TestSink();
    const replayed = replayHistory(
      { origin: engineOrigin(withoutProgress(silent), clock), clock, pause: justPause },
      pods,
      request(clock.now() + 1500),
      sink,
    );
    await clock.advance(1499);
    expect(sink.ended).toBe(false);
    await clock.advance(1);
    await replayed;
    expect([sink.ended, sink.frames.length, pods.counts.watchers]).toEqual([true, 0, 0]);
  });

  it('that the store fails ends with an ERROR event that says so', async () => {
    const sink = new TestSink();
    await replayHistory(
      { origin: engineOrigin(withoutProgress(damaged), clock), clock, pause: justPause },
      pods,
      request(),
      sink,
    );
    expect(sink.ended).toBe(true);
    expect(sink.frames.map(parseFrame)).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 500, reason: 'InternalError' } },
    ]);
  });
});

/** A watch whose revisions are those of its events. */
function terse(prefix: string, options: WatchOptions): StorageWatch {
  async function* batches(): AsyncGenerator<WatchBatch, undefined> {
    for await (const { events } of memory.watch(prefix, options)) {
      const newest = events.at(-1)?.revision;
      if (newest !== undefined) yield { events, revision: newest };
    }
  }
  return { requestProgress: () => undefined, [Symbol.asyncIterator]: batches };
}

/** A watch that never brings anything, until it is ended. */
function silent(_prefix: string, { signal }: WatchOptions): StorageWatch {
  const next = (): Promise<never> =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  return { requestProgress: () => undefined, [Symbol.asyncIterator]: () => ({ next }) };
}

function damaged(): StorageWatch {
  const error = new StorageError('CORRUPT', 'a page is damaged');
  return { requestProgress: () => undefined, [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
