/** The feeds of a relay, one for each kind. */

import type { Clock } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { CacheFeed, ResourceCache } from '@listwatch/server/read';
import type { RelayedKind, RelayedKinds } from '../kinds/relayed-kind.ts';
import { ClusterIdentity } from './cluster-identity.ts';
import { KindFeed } from './kind-feed.ts';

/** What the feeds need. */
export interface RelayFeedsOptions {
  readonly cluster: Cluster;
  readonly kinds: RelayedKinds;
  readonly clock: Clock;
  /** See `KindFeedParts`. */
  readonly maxKindBytes: number;
  readonly onError: (error: unknown) => void;
}

/** They share the connection of the cluster, and its identity. */
export class RelayFeeds implements CacheFeed, Iterable<KindFeed> {
  readonly #options: RelayFeedsOptions;
  readonly #identity: ClusterIdentity;
  readonly #byCache = new Map<ResourceCache, KindFeed>();

  constructor(options: RelayFeedsOptions, caches: Iterable<ResourceCache>) {
    this.#options = options;
    this.#identity = new ClusterIdentity(options.cluster);
    for (const cache of caches) this.add(cache);
  }

  [Symbol.iterator](): Iterator<KindFeed> {
    return this.#byCache.values();
  }

  add(cache: ResourceCache): void {
    const kind = [...this.#options.kinds].find(({ definition }) => definition === cache.definition);
    if (kind === undefined) throw new TypeError(`${cache.definition.resource.plural} is not relayed`);
    const { cluster, clock, maxKindBytes: maxBytes, onError } = this.#options;
    this.#byCache.set(
      cache,
      new KindFeed({ cluster, kind, cache, clock, maxBytes, onError, verify: () => this.#verify() }),
    );
  }

  remove(cache: ResourceCache): void {
    this.#byCache.get(cache)?.stop();
    this.#byCache.delete(cache);
  }

  of(kind: RelayedKind): KindFeed | undefined {
    for (const feed of this) if (feed.kind === kind) return feed;
    return undefined;
  }

  start(): void {
    for (const feed of this) feed.start();
  }

  stop(): void {
    for (const feed of this) feed.stop();
  }

  /** Another cluster has other objects at the same versions: nothing of the old one may be shown any more. */
  async #verify(): Promise<void> {
    const { isOther } = await this.#identity.check();
    if (!isOther) return;
    for (const feed of this) feed.restart('the upstream server is that of another cluster than before');
    throw new Error('the upstream server is that of another cluster than before');
  }
}
