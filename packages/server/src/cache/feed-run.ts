/** One run of the feed: the generations that it fills, by the folders of their kinds. */

import type { StorageEvent, WatchBatch } from '@listwatch/storage';
import { REGISTRY_ROOT } from '../stored/object-folder.ts';
import type { ResourceCache } from './resource-cache.ts';

/** Gets the changes of a kind. */
export interface FeedTarget {
  apply(event: StorageEvent): void;
  /** All changes of a batch have been applied. Only targets that it changed are told. */
  settle(revision: bigint): void;
}

/** A cache that falls further behind while it is loaded is loaded again. */
const MAX_KEPT_EVENTS = 10_000;

/** Keeps the changes of a kind while its cache is loaded. */
export class KeptEvents implements FeedTarget {
  readonly events: StorageEvent[] = [];
  isOverrun = false;

  apply(event: StorageEvent): void {
    if (this.events.length < MAX_KEPT_EVENTS) this.events.push(event);
    else this.isOverrun = true;
  }

  settle(): void {
    // The changes are applied later.
  }
}

/** Finds the targets of a change. */
export class FeedRun {
  /** The revision that the run begins after. */
  readonly revision: bigint;
  /** Several where a kind is served under several groups or versions. */
  readonly #byRoot = new Map<string, Map<ResourceCache, FeedTarget>>();

  constructor(revision: bigint) {
    this.revision = revision;
  }

  add(cache: ResourceCache, target: FeedTarget): void {
    const targets = this.#byRoot.get(cache.root) ?? new Map<ResourceCache, FeedTarget>();
    this.#byRoot.set(cache.root, targets.set(cache, target));
  }

  remove(cache: ResourceCache): void {
    const targets = this.#byRoot.get(cache.root);
    if (targets?.delete(cache) === true && targets.size === 0) this.#byRoot.delete(cache.root);
  }

  /** Tells the targets of a batch. A change may add and remove caches: the definition of a custom kind does. */
  apply({ events, revision }: WatchBatch): void {
    const changed = new Set<FeedTarget>();
    for (const event of events) {
      const targets = this.#targetsOf(event.key);
      if (targets === undefined) continue;
      for (const target of targets.values()) {
        target.apply(event);
        changed.add(target);
      }
    }
    for (const target of changed) target.settle(revision);
  }

  /** A kind's folder is one segment or two: `configmaps`, `services/specs`, `example.com/widgets`. */
  #targetsOf(key: string): ReadonlyMap<ResourceCache, FeedTarget> | undefined {
    const first = key.indexOf('/', REGISTRY_ROOT.length) + 1;
    const second = key.indexOf('/', first) + 1;
    return this.#byRoot.get(key.slice(0, first)) ?? this.#byRoot.get(key.slice(0, second));
  }
}
