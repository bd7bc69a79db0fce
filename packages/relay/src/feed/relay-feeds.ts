/** The feeds of a relay, one for each kind. */

import type { Clock } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { CacheFeed, ReadKind, ResourceCache } from '@listwatch/server/read';
import type { RelayedKind, RelayedKinds } from '../kinds/relayed-kind.ts';
import type { ClusterIdentity } from './cluster-identity.ts';
import type { KindKeeper } from './kept-kind.ts';
import { KindFeed } from './kind-feed.ts';

/** What the feeds need. */
export interface RelayFeedsOptions {
  readonly cluster: Cluster;
  readonly kinds: RelayedKinds;
  readonly clock: Clock;
  /** See `KindFeedParts`. */
  readonly maxKindBytes: number;
  readonly identity: ClusterIdentity;
  /** Who keeps a kind while the process is gone. Default: nobody. */
  readonly keeper?: ((kind: RelayedKind, cache: ResourceCache) => KindKeeper | undefined) | undefined;
  /** After the upstream has said that it is the same cluster: why it is not what is shown. Rejects when it cannot be asked. */
  readonly contradiction?: (() => Promise<string | undefined>) | undefined;
  /** The upstream is not the one that was asked before. */
  readonly onOther?: (() => void) | undefined;
  /** A kind that was as the upstream had it some time ago is as the upstream again. */
  readonly onReturn?: (() => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** They share the connection of the cluster, and its identity. */
export class RelayFeeds implements CacheFeed, Iterable<KindFeed> {
  readonly #options: RelayFeedsOptions;
  readonly #byCache = new Map<ResourceCache, KindFeed>();
  readonly #byKind = new Map<ReadKind, KindFeed>();
  #isStarted = false;

  constructor(options: RelayFeedsOptions, caches: Iterable<ResourceCache>) {
    this.#options = options;
    for (const cache of caches) this.add(cache);
  }

  [Symbol.iterator](): Iterator<KindFeed> {
    return this.#byCache.values();
  }

  add(cache: ResourceCache): void {
    const kind = this.#options.kinds.of(cache.definition);
    if (kind === undefined) throw new TypeError(`${cache.definition.resource.plural} is not relayed`);
    const { cluster, clock, maxKindBytes: maxBytes, onReturn, onError } = this.#options;
    const keeper = this.#options.keeper?.(kind, cache);
    const verify = async (): Promise<void> => {
      await this.#verify();
      await kind.custom?.verify();
    };
    const feed = new KindFeed({ cluster, kind, cache, clock, maxBytes, keeper, onReturn, onError, verify });
    this.#byCache.set(cache, feed);
    this.#byKind.set(cache.definition, feed);
    if (this.#isStarted) feed.start();
  }

  remove(cache: ResourceCache): void {
    this.#byCache.get(cache)?.stop();
    this.#byCache.delete(cache);
    this.#byKind.delete(cache.definition);
  }

  of({ definition }: Pick<RelayedKind, 'definition'>): KindFeed | undefined {
    return this.#byKind.get(definition);
  }

  start(): void {
    this.#isStarted = true;
    for (const feed of this) feed.start();
  }

  stop(): void {
    this.#isStarted = false;
    for (const feed of this) feed.stop();
  }

  /** Another cluster has other objects at the same versions: nothing of the old one may be shown any more. */
  async #verify(): Promise<void> {
    const { isOther } = await this.#options.identity.check();
    const reason = isOther
      ? 'the upstream server is that of another cluster than before'
      : await this.#options.contradiction?.();
    if (reason === undefined) return;
    this.#options.onOther?.();
    for (const feed of this) feed.restart(reason);
    throw new Error(reason);
  }
}
