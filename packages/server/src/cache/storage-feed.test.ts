import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, StorageError } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configMap, pod } from '../kinds/built-in-definitions.fixture.ts';
import type { StoredForm } from '../stored/stored-form.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { parseObject } from './cached-object.ts';
import { ResourceCache } from './resource-cache.ts';
import { StorageFeed } from './storage-feed.ts';

let engine: ReturnType<typeof createMemoryEngine>;
let clock: FakeClock;
let cache: ResourceCache;
let feed: StorageFeed;
let errors: unknown[];
let attempts: number;
/** What loads fail with; undefined: they succeed. */
let failure: StorageError | undefined;
/** Reads of this folder fail. */
let damaged: string | undefined;

beforeEach(() => {
  errors = [];
  attempts = 0;
  failure = undefined;
  damaged = undefined;
  engine = createMemoryEngine();
  const range = engine.range.bind(engine);
  engine.range = async (prefix, options) => {
    attempts += 1;
    if (failure !== undefined) throw failure;
    if (prefix === damaged) throw new StorageError('CORRUPT', 'a page is damaged');
    return range(prefix, options);
  };
  clock = new FakeClock();
  cache = new ResourceCache({ definition: configMap, clock });
  feed = new StorageFeed({ engine, caches: [cache], clock, onError: (error) => errors.push(error) });
});

afterEach(async () => {
  await feed.stop();
  await engine.close();
  expect(clock.pending).toBe(0);
});

describe('the feed', () => {
  it('tries again with growing pauses while the store fails, counts the attempts and reports the reason once', async () => {
    failure = new StorageError('UNAVAILABLE', 'no leader');
    const started = feed.start();
    await clock.advance(60_000);
    expect(feed.failures).toBe(attempts);
    expect(attempts).toBeGreaterThan(8);
    expect(attempts).toBeLessThan(25);
    expect(errors).toEqual([failure]);
    expect(() => cache.requireReady()).toThrow('storage is (re)initializing: no leader');
    failure = undefined;
    await clock.advance(10_000);
    await started;
    expect(cache.state.type).toBe('ready');
  });

  it('counts the bytes of the objects that a cache begins with, and of what becomes of them', async () => {
    const putFilled = async (name: string, filler: string): Promise<number> => {
      const metadata = { name, namespace: 'x', annotations: { filler } };
      const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata });
      await engine.commit({ type: 'put', key: `${cache.root}x/${name}`, value });
      return value.length;
    };
    const first = (await putFilled('a', 'x'.repeat(100))) + (await putFilled('b', ''));
    await feed.start();
    const begun = cache.generation?.bytes ?? 0;
    expect(begun).toBeGreaterThanOrEqual(first);
    const { revision } = await engine.commit({ type: 'delete', key: `${cache.root}x/a` });
    await feed.reached(revision);
    const left = cache.generation?.bytes ?? 0;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(begun - 100);
  });

  it('a kind whose part of the store is damaged is not served; the others are', async () => {
    const pods = new ResourceCache({ definition: pod, clock });
    const both = new StorageFeed({ engine, caches: [cache, pods], clock, onError: (error) => errors.push(error) });
    damaged = cache.root;
    await both.start();
    expect(() => cache.requireReady()).toThrow('storage is (re)initializing: a page is damaged');
    const value = layoutOf(pods.definition).encode({ ...pods.layout.type, metadata: { name: 'a', namespace: 'x' } });
    await engine.commit({ type: 'put', key: `${pods.root}x/a`, value });
    await engine.commit({ type: 'put', key: `${cache.root}x/a`, value });
    await both.reached(await engine.revision());
    expect(pods.requireReady().size).toBe(1);
    expect(errors).toEqual([expect.objectContaining({ code: 'CORRUPT' })]);
    await both.stop();
  });

  it('requests that wait for a revision hear of the end of the run: 429 for those of a generation', async () => {
    await feed.start();
    const generation = cache.requireReady();
    const waiting = generation.reached(generation.revision + 1000n).catch((error: unknown) => error);
    await engine.close();
    expect(await waiting).toMatchObject({ httpCode: 429, message: 'storage is (re)initializing' });
    expect(generation.isEnded).toBe(true);
    expect(await generation.reached(1n).catch((error: unknown) => error)).toMatchObject({ httpCode: 429 });
  });

  it('a generation that has ended takes no more changes', async () => {
    await feed.start();
    const generation = cache.requireReady();
    generation.end();
    const key = `${cache.root}x/a`;
    const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name: 'a', namespace: 'x' } });
    await engine.commit({ type: 'put', key, value });
    await clock.advance(0);
    expect([generation.size, generation.window.size]).toEqual([0, 0]);
  });
});

describe('a cache whose objects a webhook converts', () => {
  it('keeps nobody else waiting, and is loaded and followed through the webhook', async () => {
    const answers: (() => void)[] = [];
    const form: StoredForm = {
      show: (value) => ({ object: parseObject(Buffer.from(value)), value, isRewritten: false, isStale: false }),
      convert: (entries) =>
        new Promise((resolve) => {
          answers.push(() =>
            resolve(
              entries.map((entry) => ({
                ...entry,
                value: Buffer.from(Buffer.from(entry.value).toString().replace('"stored"', '"converted"')),
              })),
            ),
          );
        }),
      store: (value) => value,
      isStorage: false,
    };
    const converted = new ResourceCache({ definition: { ...pod, form }, clock });
    const write = (name: string): Promise<unknown> => {
      const metadata = { name, namespace: 'x', labels: { form: 'stored' } };
      const value = layoutOf(pod).encode({ ...converted.layout.type, metadata });
      return engine.commit({ type: 'put', key: `${converted.root}x/${name}`, value });
    };
    const labelOf = (name: string): unknown => converted.generation?.get(`x/${name}`)?.labels?.['form'];
    await write('a');
    const both = new StorageFeed({ engine, caches: [cache, converted], clock });
    await both.start();
    expect([cache.state.type, converted.state.type]).toEqual(['ready', 'pending']);
    await vi.waitFor(() => expect(answers).toHaveLength(1), { interval: 1 });
    answers[0]?.();
    await converted.joining;
    expect([converted.state.type, labelOf('a')]).toEqual(['ready', 'converted']);
    await write('b');
    await vi.waitFor(() => expect(answers).toHaveLength(2), { interval: 1 });
    expect(labelOf('b')).toBeUndefined();
    answers[1]?.();
    await vi.waitFor(() => expect(labelOf('b')).toBe('converted'), { interval: 1 });
    await both.stop();
  });
});

describe('a feed whose history was compacted', () => {
  /** Ends the watch of the feed, as etcd does that was compacted while the server was cut off from it. */
  let compact: () => void;
  beforeEach(() => {
    const watch = engine.watch.bind(engine);
    engine.watch = (prefix, options) => {
      const end = new AbortController();
      compact = () => end.abort(new StorageError('COMPACTED', 'revision 1 has been compacted', { revision: 2n }));
      return watch(prefix, { ...options, signal: AbortSignal.any([end.signal, options.signal ?? end.signal]) });
    };
  });

  it('serves the old state until the new one is loaded, and ends its watches only then', async () => {
    await put(cache, 'a');
    await feed.start();
    const old = cache.requireReady();
    compact();
    await clock.advance(0);
    await put(cache, 'b');
    expect(errors).toEqual([expect.objectContaining({ code: 'COMPACTED' })]);
    expect(cache.requireReady()).toBe(old);
    expect([old.isEnded, old.size]).toEqual([false, 1]);
    const waiting = old.reached(await engine.revision()).catch((error: unknown) => error);
    await clock.advance(200);
    const { revision, size } = cache.requireReady();
    expect([old.isEnded, size, revision, feed.revision]).toEqual([true, 2, await engine.revision(), revision]);
    expect(await waiting).toMatchObject({ httpCode: 429 });
    await put(cache, 'c');
    expect(await cache.requireReady().reached(await engine.revision())).toBe(true);
    expect(cache.requireReady().size).toBe(3);
  });

  it('answers 429 when the new state cannot be loaded, and serves again when it can', async () => {
    await feed.start();
    const old = cache.requireReady();
    failure = new StorageError('UNAVAILABLE', 'no leader');
    compact();
    await clock.advance(200);
    expect(old.isEnded).toBe(true);
    expect(() => cache.requireReady()).toThrow('storage is (re)initializing: no leader');
    failure = undefined;
    await clock.advance(2000);
    expect(cache.requireReady().revision).toBe(await engine.revision());
  });
});

/** Writes an object of a kind. */
function put(at: ResourceCache, name: string): Promise<unknown> {
  const value = layoutOf(at.definition).encode({ ...at.layout.type, metadata: { name, namespace: 'x' } });
  return engine.commit({ type: 'put', key: `${at.root}x/${name}`, value });
}

describe('a cache that joins a feed which is under way', () => {
  it('has what was there before, and every change since, once', async () => {
    await feed.start();
    const pods = new ResourceCache({ definition: pod, clock });
    await put(pods, 'before');
    feed.add(pods);
    const writes = Array.from({ length: 50 }, (_, index) => put(pods, `during${index}`));
    await pods.joining;
    const { generation } = pods;
    const seen: string[] = [];
    generation?.listen({ changed: ({ key }) => seen.push(key), settled: () => undefined, ended: () => undefined });
    await Promise.all(writes);
    await put(pods, 'after');
    await feed.reached(await engine.revision());
    expect(generation?.size).toBe(52);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain('x/after');
    expect(generation?.revision).toBe(feed.revision);
  });

  it('while the store is away is loaded with the others, when it is back', async () => {
    failure = new StorageError('UNAVAILABLE', 'no leader');
    const started = feed.start();
    await clock.advance(1000);
    const late = new ResourceCache({ definition: pod, clock });
    feed.add(late);
    expect(late.joining).toBeUndefined();
    failure = undefined;
    await clock.advance(10_000);
    await started;
    expect([cache.state.type, late.state.type]).toEqual(['ready', 'ready']);
  });

  it('is tried again while the store fails, and requests wait for the first attempt alone', async () => {
    await feed.start();
    const pods = new ResourceCache({ definition: pod, clock });
    damaged = undefined;
    failure = new StorageError('UNAVAILABLE', 'no leader');
    feed.add(pods);
    await pods.joining;
    expect(() => pods.requireReady()).toThrow('storage is (re)initializing: no leader');
    expect(pods.joined()).toBeUndefined();
    failure = undefined;
    await clock.advance(10_000);
    expect(pods.requireReady().size).toBe(0);
  });

  it('leaves no generation behind when it is removed while it is filled', async () => {
    await feed.start();
    const pods = new ResourceCache({ definition: pod, clock });
    for (let i = 0; i < 500; i += 1) await put(pods, `n${i}`);
    const begin = vi.spyOn(pods, 'begin');
    feed.add(pods);
    await vi.waitFor(() => expect(begin).toHaveBeenCalled(), { interval: 1 });
    const generation = begin.mock.results[0]?.value;
    feed.remove(pods);
    await pods.joining;
    expect([generation?.isEnded, pods.generation, pods.joining]).toEqual([true, undefined, undefined]);
    await put(pods, 'later');
    await feed.reached(await engine.revision());
    expect(generation?.size).toBeLessThanOrEqual(500);
  });

  it('is loaded again when more than ten thousand changes come while it is loaded', async () => {
    await feed.start();
    const pods = new ResourceCache({ definition: pod, clock });
    await put(pods, 'a');
    const range = engine.range.bind(engine);
    let answer: (() => void) | undefined;
    engine.range = async (...args) => {
      const result = await range(...args);
      await new Promise<void>((resolve) => (answer = resolve));
      return result;
    };
    const begin = vi.spyOn(pods, 'begin');
    feed.add(pods);
    for (let i = 0; i <= 10_000; i += 1) await put(pods, 'b');
    await feed.reached(await engine.revision());
    engine.range = range;
    answer?.();
    await pods.joining;
    expect(pods.generation).toBeUndefined();
    expect(begin.mock.results[0]?.value.isEnded).toBe(true);
    await clock.advance(99);
    expect(begin).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    await vi.waitFor(() => expect(pods.generation?.size).toBe(2), { interval: 1 });
    expect(pods.requireReady().revision).toBe(await engine.revision());
  });

  it('is waited for until it can be read, and no longer than three seconds', async () => {
    await feed.start();
    const range = engine.range.bind(engine);
    let answer: (() => void) | undefined;
    engine.range = async (...args) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return range(...args);
    };
    const [pods, other] = [pod, pod].map((definition) => new ResourceCache({ definition, clock }));
    if (pods === undefined || other === undefined) return expect.unreachable();
    expect(pods.joined()).toBeUndefined();
    feed.add(pods);
    await clock.advance(0);
    const waiting = clock.pending;
    let joined = false;
    const join = async (): Promise<void> => {
      await pods.joined();
      joined = true;
    };
    const first = join();
    await clock.advance(2999);
    expect(joined).toBe(false);
    await clock.advance(1);
    await first;
    expect(pods.state.type).toBe('pending');
    joined = false;
    const second = join();
    expect(clock.pending).toBe(waiting + 1);
    answer?.();
    await second;
    expect([pods.state.type, pods.joined(), clock.pending]).toEqual(['ready', undefined, waiting]);
  });

  it('ends with its watches when it is removed, and is not filled again', async () => {
    await feed.start();
    const pods = new ResourceCache({ definition: pod, clock });
    feed.add(pods);
    await pods.joining;
    const generation = pods.requireReady();
    feed.remove(pods);
    expect(generation.isEnded).toBe(true);
    await put(pods, 'later');
    await feed.reached(await engine.revision());
    expect(pods.generation).toBeUndefined();
  });
});
