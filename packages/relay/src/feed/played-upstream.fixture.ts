/** An upstream whose watches a test plays. No test itself, and not shipped. */

import type { ApiObject, WatchEvent } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import type { Cluster, WatchQuery } from '@listwatch/client';
import { CacheSet, type ReadKind, type ResourceCache } from '@listwatch/server/read';
import { type CustomPart, RelayedKinds, relayedKinds } from '../kinds/relayed-kind.ts';
import { ClusterIdentity } from './cluster-identity.ts';
import type { KindFeed } from './kind-feed.ts';
import { RelayFeeds, type RelayFeedsOptions } from './relay-feeds.ts';

type Decode = (json: Uint8Array) => ApiObject;

/** One watch of the upstream; the test says what comes. */
export class Stream {
  readonly query: WatchQuery;
  readonly #decode: Decode;
  readonly #waiting: WatchEvent[][] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => {};

  constructor(query: WatchQuery) {
    this.query = query;
    const { decode } = query;
    // A feed decodes by itself; of a second watch only the versions are read.
    this.#decode = typeof decode === 'function' ? decode : (json) => JSON.parse(Buffer.from(json).toString());
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

/** Whether the upstream says who it is. */
type Identity = string | Error;

/** A feed of one kind. */
export class PlayedUpstream {
  readonly clock: FakeClock = new FakeClock();
  /** The watches of the feed, the first one first. */
  readonly streams: Stream[] = [];
  readonly errors: string[] = [];
  /** The uid of its namespace `kube-system`. */
  uid: Identity = 'cluster-1';
  /** The version of its lists. */
  version = '1';
  /** The version of the one object in them; undefined: they have none. */
  listed: string | undefined;
  /** Questions how far the kind is that wait for their answers. */
  readonly probes: ((version: number | undefined) => void)[] = [];
  readonly feeds: RelayFeeds;
  readonly feed: KindFeed;
  readonly cache: ResourceCache;

  private constructor(kinds: Awaited<ReturnType<typeof relayedKinds>>, keeper: RelayFeedsOptions['keeper']) {
    const [kind] = kinds;
    if (kind === undefined) throw new Error('there is no kind');
    const { clock } = this;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a feed asks of a cluster
    const cluster = {
      clock,
      server: 'upstream',
      get: async () => {
        if (this.uid instanceof Error) throw this.uid;
        return { metadata: { name: 'kube-system', uid: this.uid } };
      },
      watch: (_resource: unknown, query: WatchQuery) => {
        const stream = new Stream(query);
        this.streams.push(stream);
        return stream;
      },
      pages: () => this.#pages(),
      list: () =>
        new Promise((resolve, reject) => {
          this.probes.push((version) => {
            if (version === undefined) reject(new Error('not now'));
            else resolve({ metadata: { resourceVersion: String(version) }, items: [] });
          });
        }),
    } as unknown as Cluster;
    const onError = (error: unknown): number => this.errors.push(String(error));
    const caches = new CacheSet<RelayFeeds>(
      { definitions: [kind.definition] satisfies ReadKind[], layout: () => kind.layout, clock },
      (made) =>
        new RelayFeeds(
          { cluster, kinds, clock, maxKindBytes: 1000, identity: new ClusterIdentity(cluster), keeper, onError },
          made,
        ),
    );
    this.feeds = caches.feed;
    const [feed] = this.feeds;
    if (feed === undefined) throw new Error('there is no feed');
    this.feed = feed;
    this.cache = caches.kind(kind.definition).cache;
  }

  /** Begins to follow. */
  static async start(
    name: string,
    keeper?: RelayFeedsOptions['keeper'],
    begins: Partial<Pick<PlayedUpstream, 'listed' | 'uid' | 'version'>> = {},
    custom?: CustomPart,
  ): Promise<PlayedUpstream> {
    const kinds = await relayedKinds([name]);
    const defined = custom && new RelayedKinds([...kinds].map((kind) => ({ ...kind, custom })));
    const played = new PlayedUpstream(defined ?? kinds, keeper);
    Object.assign(played, begins);
    played.feeds.start();
    await played.clock.advance(0);
    return played;
  }

  /** The same, with an object at version 3 in a state at version 10. */
  static async loaded(name: string, make: (name: string, version: number) => string): Promise<PlayedUpstream> {
    const played = await PlayedUpstream.start(name);
    played.stream.send('ADDED', make('one', 3));
    played.stream.bookmark('10', true);
    await played.clock.advance(0);
    return played;
  }

  /** The last watch that was opened. */
  get stream(): Stream {
    const stream = this.streams.at(-1);
    if (stream === undefined) throw new Error('nothing is watched');
    return stream;
  }

  /** The second watches, the first one first. */
  get beats(): readonly Stream[] {
    return this.streams.filter(({ query }) => query.timeoutSeconds === 3);
  }

  /** Answers the oldest question; undefined: with a failure. */
  async answerProbe(version: number | undefined): Promise<void> {
    const answer = this.probes.shift();
    if (answer === undefined) throw new Error('nothing is asked');
    answer(version);
    await this.clock.advance(0);
  }

  get names(): readonly string[] {
    return [...(this.cache.generation?.snapshot().walk() ?? [])].map((object) => object.name);
  }

  /** What a feed asks before it goes on. */
  async *#pages(): AsyncGenerator<object, undefined> {
    const metadata = { resourceVersion: this.version };
    const { listed } = this;
    const items = listed === undefined ? [] : [{ metadata: { name: 'one', namespace: 'a', resourceVersion: listed } }];
    yield { number: 1, metadata, items: async () => items, [Symbol.asyncIterator]: noItems };
    return undefined;
  }
}

async function* noItems(): AsyncGenerator<never, undefined> {}

export const pod = (name: string, version: number, more = ''): string =>
  `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"${name}","namespace":"a","resourceVersion":"${version}"}${more}}`;

export const event = (name: string, version: number): string =>
  `{"kind":"Event","apiVersion":"v1","metadata":{"name":"${name}","namespace":"a","resourceVersion":"${version}"},"involvedObject":{}}`;
