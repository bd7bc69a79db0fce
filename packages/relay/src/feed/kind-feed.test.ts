import type { ApiObject, WatchEvent } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import type { Cluster, WatchQuery } from '@listwatch/client';
import { CacheSet, type ReadKind, type ResourceCache } from '@listwatch/server/read';
import { beforeEach, describe, expect, it } from 'vitest';
import { relayedKinds } from '../kinds/relayed-kind.ts';
import type { KindFeed } from './kind-feed.ts';
import { RelayFeeds } from './relay-feeds.ts';

type Decode = (json: Uint8Array) => ApiObject;

/** One watch of the upstream; the test says what comes. */
class Stream {
  readonly query: WatchQuery;
  readonly #decode: Decode;
  readonly #waiting: WatchEvent[][] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => {};

  constructor(query: WatchQuery) {
    this.query = query;
    const { decode } = query;
    if (typeof decode !== 'function') throw new TypeError('a feed decodes by itself');
    this.#decode = decode;
    query.signal?.addEventListener('abort', () => this.end());
  }

  /** An event of the upstream, its object as text. */
  send(type: 'ADDED' | 'DELETED' | 'MODIFIED', json: string): void {
    this.#push({ type, object: this.#decode(Buffer.from(json)) });
  }

  bookmark(resourceVersion: string, isEnd = false): void {
    const annotations = isEnd ? { 'k8s.io/initial-events-end': 'true' } : {};
    this.#push({
      type: 'BOOKMARK',
      object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion, annotations } },
    });
  }

  expire(): void {
    this.#push({
      type: 'ERROR',
      object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired' },
    });
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  readonly opened = true;

  async *batches(): AsyncGenerator<readonly WatchEvent[], undefined> {
    for (;;) {
      const batch = this.#waiting.shift();
      if (batch !== undefined) yield batch;
      else if (this.#end === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (this.#end.error === undefined) return undefined;
      else throw this.#end.error;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent, undefined> {
    for await (const batch of this.batches()) yield* batch;
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
  }

  #push(event: WatchEvent): void {
    this.#waiting.push([event]);
    this.#wake();
  }
}

/** The first pause before another attempt is not longer. */
const PAUSE_MS = 3000;

let clock: FakeClock;
let streams: Stream[];
let uid: string;
let errors: string[];

beforeEach(() => {
  clock = new FakeClock();
  streams = [];
  uid = 'cluster-1';
  errors = [];
});

/** An empty list, which says that the history is the same. */
async function* onePage(): AsyncGenerator<object, undefined> {
  yield { number: 1, metadata: { resourceVersion: '1' }, items: async () => [], [Symbol.asyncIterator]: noItems };
  return undefined;
}

async function* noItems(): AsyncGenerator<never, undefined> {}

/** A feed in front of an upstream that a test plays. */
async function feedOf(
  name: string,
): Promise<{ readonly feed: KindFeed; readonly cache: ResourceCache; readonly feeds: RelayFeeds }> {
  const kinds = await relayedKinds([name]);
  const [kind] = kinds;
  if (kind === undefined) throw new Error('there is no kind');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a feed asks of a cluster
  const cluster = {
    clock,
    server: 'upstream',
    get: async () => ({ metadata: { name: 'kube-system', uid } }),
    watch: (_resource: unknown, query: WatchQuery) => {
      const stream = new Stream(query);
      streams.push(stream);
      return stream;
    },
    pages: onePage,
  } as unknown as Cluster;
  const caches = new CacheSet<RelayFeeds>(
    { definitions: [kind.definition] satisfies ReadKind[], layout: () => kind.layout, clock },
    (made) =>
      new RelayFeeds(
        { cluster, kinds, clock, maxKindBytes: 1000, onError: (error) => errors.push(String(error)) },
        made,
      ),
  );
  const feeds = caches.feed;
  feeds.start();
  const [feed] = feeds;
  if (feed === undefined) throw new Error('there is no feed');
  await clock.advance(0);
  return { feed, feeds, cache: caches.kind(kind.definition).cache };
}

const pod = (name: string, version: number, more = ''): string =>
  `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"${name}","namespace":"a","resourceVersion":"${version}"}${more}}`;

const event = (name: string, version: number): string =>
  `{"kind":"Event","apiVersion":"v1","metadata":{"name":"${name}","namespace":"a","resourceVersion":"${version}"},"involvedObject":{}}`;

async function loaded(name: string, make: typeof pod): Promise<Awaited<ReturnType<typeof feedOf>>> {
  const made = await feedOf(name);
  streams[0]?.send('ADDED', make('one', 3));
  streams[0]?.bookmark('10', true);
  await clock.advance(0);
  return made;
}

const namesIn = (cache: ResourceCache): readonly string[] =>
  [...(cache.generation?.snapshot().walk() ?? [])].map((object) => object.name);

describe('a feed', () => {
  it('has nothing to read before the whole state has come, and then has it with its bytes at the version of the marker', async () => {
    const { feed, cache } = await feedOf('pods');
    streams[0]?.send('ADDED', pod('one', 3));
    await clock.advance(0);
    expect([cache.generation, feed.state.type]).toEqual([undefined, 'loading']);
    streams[0]?.bookmark('10', true);
    await clock.advance(0);
    expect(cache.generation?.revision).toBe(10n);
    expect(cache.generation?.get('a/one')?.bytes.toString()).toBe(pod('one', 3));
    expect(feed.state.type).toBe('live');
  });

  it('rises by its own events and bookmarks, and by nothing else', async () => {
    const { cache } = await loaded('pods', pod);
    streams[0]?.send('MODIFIED', pod('one', 12));
    await clock.advance(0);
    expect(cache.generation?.revision).toBe(12n);
    streams[0]?.bookmark('40');
    await clock.advance(0);
    expect(cache.generation?.revision).toBe(40n);
    await clock.advance(20_000);
    expect(cache.generation?.revision).toBe(40n);
  });

  it('wakes who waits for a version when that has come, and not before', async () => {
    const { cache } = await loaded('pods', pod);
    let isReached = false;
    const waiting = async (): Promise<void> => {
      isReached = (await cache.generation?.reached(12n)) ?? false;
    };
    void waiting();
    streams[0]?.send('MODIFIED', pod('one', 11));
    await clock.advance(0);
    expect(isReached).toBe(false);
    streams[0]?.send('MODIFIED', pod('one', 12));
    await clock.advance(0);
    expect(isReached).toBe(true);
  });

  it('that is told of a 410 serves what it had until the new state is whole', async () => {
    const { feed, cache } = await loaded('pods', pod);
    const before = cache.generation;
    streams[0]?.expire();
    await clock.advance(0);
    expect(feed.state.type).toBe('away');
    await clock.advance(PAUSE_MS);
    const next = streams.at(-1);
    expect(next).not.toBe(streams[0]);
    next?.send('ADDED', pod('two', 50));
    await clock.advance(0);
    expect(namesIn(cache)).toEqual(['one']);
    next?.bookmark('60', true);
    await clock.advance(0);
    expect(namesIn(cache)).toEqual(['two']);
    expect(before?.isEnded).toBe(true);
  });

  it('of an upstream that was restored ends what it had before it shows anything else', async () => {
    const { cache } = await loaded('pods', pod);
    streams[0]?.bookmark('5');
    for (let i = 0; i < 10 && streams.length < 2; i += 1) await clock.advance(PAUSE_MS);
    expect(namesIn(cache)).toEqual(['one']);
    streams[1]?.send('ADDED', pod('old', 2));
    await clock.advance(0);
    expect(cache.generation).toBeUndefined();
  });

  it('of another cluster than before ends what it had at once', async () => {
    const { cache } = await loaded('pods', pod);
    uid = 'cluster-2';
    streams[0]?.expire();
    await clock.advance(PAUSE_MS);
    expect(namesIn(cache)).toEqual(['one']);
    streams.at(-1)?.send('ADDED', pod('two', 50));
    await clock.advance(0);
    expect(cache.generation).toBeUndefined();
    expect(errors.join()).toContain('another cluster');
  });

  it('whose objects begin in another way is not shown: a list would not be the one of the upstream', async () => {
    const { cache } = await feedOf('pods');
    expect(() =>
      streams[0]?.send('ADDED', `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","namespace":"a"}}`),
    ).toThrow(SyntaxError);
    expect(cache.generation).toBeUndefined();
  });

  it('takes items of a list without their type, and makes of them what a watch would show', async () => {
    const { cache } = await feedOf('pods');
    streams[0]?.send('ADDED', '{"metadata":{"name":"one","namespace":"a","resourceVersion":"3"}}');
    streams[0]?.bookmark('10', true);
    await clock.advance(0);
    expect(cache.generation?.get('a/one')?.bytes.toString()).toBe(pod('one', 3));
  });

  it('that grows too large passes, and asks for the whole state again ever less often', async () => {
    const { cache } = await loaded('pods', pod);
    streams[0]?.send('MODIFIED', pod('one', 12, `,"spec":"${'x'.repeat(1000)}"`));
    await clock.advance(0);
    expect(cache.generation).toBeUndefined();
    expect(errors.join()).toContain('more than 1000 bytes');
    const attempts: number[] = [];
    for (let minute = 0; minute < 12; minute += 1) {
      const before = streams.length;
      for (let second = 0; second < 60; second += 1) {
        const open = streams.at(-1);
        if (open?.isEnded === false) open.send('ADDED', pod('one', 12, `,"spec":"${'x'.repeat(1000)}"`));
        await clock.advance(1000);
      }
      attempts.push(streams.length - before);
    }
    expect(attempts[0]).toBeLessThan(8);
    expect(attempts.slice(6).reduce((sum, count) => sum + count, 0)).toBeLessThan(4);
  });

  it('that stops ends its watches and its requests', async () => {
    const { feeds, cache } = await loaded('pods', pod);
    const before = cache.generation;
    feeds.stop();
    await clock.advance(0);
    expect([before?.isEnded, cache.state.type]).toEqual([true, 'stopped']);
  });
});

describe('a kind whose objects expire', () => {
  it('holds a deletion until something later has come: others may be deleted at the same version', async () => {
    const { cache } = await loaded('events', event);
    streams[0]?.send('ADDED', event('two', 11));
    streams[0]?.send('DELETED', event('one', 20));
    await clock.advance(0);
    expect(cache.generation?.revision).toBe(11n);
    streams[0]?.send('DELETED', event('two', 20));
    await clock.advance(0);
    expect([cache.generation?.revision, namesIn(cache)]).toEqual([11n, ['one', 'two']]);
    streams[0]?.send('ADDED', event('three', 25));
    await clock.advance(0);
    expect([cache.generation?.revision, namesIn(cache)]).toEqual([25n, ['three']]);
  });

  it('counts a bookmark as later', async () => {
    const { cache } = await loaded('events', event);
    streams[0]?.send('DELETED', event('one', 20));
    streams[0]?.bookmark('20');
    await clock.advance(0);
    expect([cache.generation?.revision, namesIn(cache)]).toEqual([20n, []]);
  });
});
