/** Read your writes: what a key has written and the caches have not shown yet. */

import {
  type ApiObject,
  type Clock,
  compareResourceVersions,
  isResourceVersion,
  type ResourceVersion,
  sleep,
} from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';
import type { Store } from '../store/store.ts';

/** The delete of one object, until a cache shows it. */
interface PendingDelete {
  readonly listeners: Set<() => void>;
  isSeen: boolean;
}

/** What the caches must show before the next reconcile of a key. */
interface PendingWrites {
  /** The highest version written, for each cache. */
  readonly versions: Map<Store, ResourceVersion>;
  readonly deletes: Set<PendingDelete>;
}

/** Follows the writes of one controller, by the key of the reconcile that made them. */
export class WriteTracker {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #pending = new Map<string, PendingWrites>();
  readonly #deletesByUid = new Map<string, PendingDelete>();

  /** `limitMs` is the longest wait of `settled`; 0: nothing is followed. */
  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** An object was written: the cache must reach its version. */
  wrote(key: string, store: Store, { metadata: { resourceVersion } }: ApiObject): void {
    if (this.#limitMs === 0 || !isResourceVersion(resourceVersion) || hasReached(store, resourceVersion)) return;
    const { versions } = this.#of(key);
    const known = versions.get(store);
    if (known === undefined || compareResourceVersions(resourceVersion, known) > 0)
      versions.set(store, resourceVersion);
  }

  /** An object was deleted: the cache must drop the one of this uid. */
  deleted(key: string, store: Store, objectKey: string, uid: string): void {
    // The event may have come before the answer.
    if (this.#limitMs === 0 || store.get(objectKey)?.metadata.uid !== uid) return;
    const pending = this.#deletesByUid.get(uid) ?? { listeners: new Set(), isSeen: false };
    this.#deletesByUid.set(uid, pending);
    this.#of(key).deletes.add(pending);
  }

  /** The cache has dropped an object. */
  sawDelete(uid: string | undefined): void {
    const pending = uid === undefined ? undefined : this.#deletesByUid.get(uid);
    if (uid === undefined || pending === undefined) return;
    this.#deletesByUid.delete(uid);
    pending.isSeen = true;
    for (const listener of pending.listeners) listener();
  }

  /**
   * Waits until the caches show all writes of the key. False: they did not in time. A cache that lags must not stop its
   * controller for ever.
   */
  async settled(key: string, signal: AbortSignal): Promise<boolean> {
    const pending = this.#pending.get(key);
    if (pending === undefined) return true;
    this.#pending.delete(key);
    const stop = new AbortController();
    const unlink = onAbort(signal, () => stop.abort(signal.reason));
    try {
      const seen = Promise.all([
        ...Array.from(pending.versions, ([store, version]) => store.waitFor(version, { signal: stop.signal })),
        ...Array.from(pending.deletes, (deletion) => untilSeen(deletion, stop.signal)),
      ]);
      return await Promise.race([
        seen.then(() => true),
        sleep(this.#clock, this.#limitMs, stop.signal).then(() => false),
      ]);
    } catch {
      // The store was closed, or the controller stops.
      return false;
    } finally {
      unlink();
      stop.abort();
    }
  }

  #of(key: string): PendingWrites {
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = { versions: new Map(), deletes: new Set() };
      this.#pending.set(key, pending);
    }
    return pending;
  }
}

function hasReached(store: Store, version: ResourceVersion): boolean {
  return store.resourceVersion !== undefined && compareResourceVersions(store.resourceVersion, version) >= 0;
}

function untilSeen(deletion: PendingDelete, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (deletion.isSeen) return resolve();
    const done = (): void => {
      off();
      deletion.listeners.delete(done);
      resolve();
    };
    const off = onAbort(signal, done);
    deletion.listeners.add(done);
  });
}
