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
import { linkSignal } from '@listwatch/client/internal';
import type { Store } from '../store/store.ts';
import { keyText } from './reconcile-key.ts';

/** What a cache must show of one object: this version or a later one, or that the object of this uid is gone. */
type Expected = { readonly version: ResourceVersion } | { readonly goneUid: string };

/** By the key of the object. */
type ExpectedObjects = Map<string, Expected>;

/** Keys whose object never changes again would be remembered for ever: from this many on they are looked through. */
const SWEEP_AT = 1024;

/** Follows the writes of one controller, by the key of the reconcile that made them. */
export class WriteTracker {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #pending = new Map<string, Map<Store, ExpectedObjects>>();
  /** Reconciles that wait for a cache. */
  readonly #listeners = new Map<Store, Set<() => void>>();
  #sweepAt = SWEEP_AT;

  /** `limitMs` is the longest wait of `settled`; 0: nothing is followed. */
  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** Keys with writes that some cache may not show yet. */
  get size(): number {
    return this.#pending.size;
  }

  /** An object was written: the cache must show this version of it. */
  wrote(key: string, store: Store, { metadata }: ApiObject): void {
    const version = metadata.resourceVersion;
    if (isResourceVersion(version)) this.#expect(key, store, keyText(metadata), { version });
  }

  /** An object was deleted: the cache must drop the one of this uid. */
  deleted(key: string, store: Store, objectKey: string, goneUid: string): void {
    this.#expect(key, store, objectKey, { goneUid });
  }

  /** The cache has changed. */
  saw(store: Store): void {
    for (const listener of this.#listeners.get(store) ?? []) listener();
  }

  /**
   * Waits until the caches show all writes of the key. False: they did not in time, or the signal was aborted. A cache that
   * lags must not stop its controller for ever.
   */
  async settled(key: string, signal: AbortSignal): Promise<boolean> {
    const pending = this.#pending.get(key);
    if (pending === undefined) return true;
    if (signal.aborted) return false;
    this.#pending.delete(key);
    const behind = Array.from(pending).filter(([store, expected]) => !showsAll(store, expected));
    if (behind.length === 0) return true;
    const stop = linkSignal(signal);
    try {
      const shown = Promise.all(behind.map(([store, expected]) => this.#shown(store, expected, stop.signal)));
      const late = sleep(this.#clock, this.#limitMs, stop.signal);
      return await Promise.race([shown.then(() => true), late.then(() => false)]);
    } catch {
      // The store was closed, or the controller stops.
      return false;
    } finally {
      stop.unlink();
      stop.abort();
    }
  }

  /**
   * By its changes, because the version of a cache with several namespaces or a selector moves on only with their bookmarks;
   * and by its version, because a state that was replaced in the meantime is never reported.
   */
  async #shown(store: Store, expected: ExpectedObjects, signal: AbortSignal): Promise<void> {
    const byChanges = new Promise<void>((resolve, reject) => {
      const listener = (): void => {
        if (!showsAll(store, expected)) return;
        end();
        resolve();
      };
      const off = onAbort(signal, () => {
        end();
        reject(signal.reason);
      });
      const end = (): void => {
        off();
        this.#unlisten(store, listener);
      };
      this.#listen(store, listener);
    });
    const version = highestOf(expected);
    const hasDeletes = Array.from(expected.values()).some((one) => 'goneUid' in one);
    if (version === undefined || hasDeletes) return byChanges;
    return Promise.race([byChanges, store.waitFor(version, { signal })]);
  }

  #listen(store: Store, listener: () => void): void {
    const listeners = this.#listeners.get(store) ?? new Set();
    this.#listeners.set(store, listeners.add(listener));
  }

  #unlisten(store: Store, listener: () => void): void {
    const listeners = this.#listeners.get(store);
    if (listeners?.delete(listener) === true && listeners.size === 0) this.#listeners.delete(store);
  }

  #expect(key: string, store: Store, objectKey: string, one: Expected): void {
    // The event may have come before the answer.
    if (this.#limitMs === 0 || shows(store, objectKey, one)) return;
    const stores = this.#pending.get(key) ?? new Map<Store, ExpectedObjects>();
    const expected = stores.get(store) ?? new Map<string, Expected>();
    this.#pending.set(key, stores.set(store, expected.set(objectKey, one)));
    if (this.#pending.size > this.#sweepAt) this.#sweep();
  }

  #sweep(): void {
    for (const [key, stores] of this.#pending) {
      for (const [store, expected] of stores) if (showsAll(store, expected)) stores.delete(store);
      if (stores.size === 0) this.#pending.delete(key);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#pending.size);
  }
}

/** Drops what is shown, up to the first that is not: thousands of objects are then not looked up for every change. */
function showsAll(store: Store, expected: ExpectedObjects): boolean {
  for (const [objectKey, one] of expected) {
    if (!shows(store, objectKey, one)) return false;
    expected.delete(objectKey);
  }
  return true;
}

function shows(store: Store, objectKey: string, expected: Expected): boolean {
  if ('goneUid' in expected) return store.get(objectKey)?.metadata.uid !== expected.goneUid;
  const { version } = expected;
  return (
    hasReached(store.resourceVersion, version) || hasReached(store.get(objectKey)?.metadata.resourceVersion, version)
  );
}

function hasReached(version: string | undefined, wanted: ResourceVersion): boolean {
  return isResourceVersion(version) && compareResourceVersions(version, wanted) >= 0;
}

function highestOf(expected: ExpectedObjects): ResourceVersion | undefined {
  let highest: ResourceVersion | undefined;
  for (const one of expected.values()) {
    if ('version' in one && (highest === undefined || compareResourceVersions(one.version, highest) > 0)) {
      highest = one.version;
    }
  }
  return highest;
}
