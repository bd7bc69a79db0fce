/** Informers that share their watch and their cache with whoever asks for the same. */

import { type AbortOptions, type ApiObject, apiVersionOf, type Clock, type Resource } from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';
import { type LinkedSignal, linkSignal } from '@listwatch/client/internal';
import type { StoreChange } from '../reflector/store-change.ts';
import type { Store } from '../store/store.ts';
import type { WatchedCluster } from '../watched-cluster.ts';
import type { ChangeStream, ChangesOptions } from './change-stream.ts';
import type { HandlerLoopOptions, Handlers } from './handler-loop.ts';
import { type Informer, informer } from './informer.ts';
import type { InformerMetrics } from './informer-metrics.ts';
import type { InformerOptions } from './informer-options.ts';
import type { InformerStatus } from './informer-status.ts';
import type { InformerWarning } from './informer-warning.ts';
import { type Registration, registrationOf } from './registration.ts';

/** How one shared watch is doing. */
export interface SharedInformerState {
  readonly resource: Resource;
  /** The namespaces and selectors that tell it from other watches of the resource; empty: everything. */
  readonly scope: string;
  readonly objects: number;
  readonly hasSynced: boolean;
  readonly status: InformerStatus;
  readonly metrics: InformerMetrics;
}

/** One watch for each resource, namespaces, selectors and projection, however many ask for it. */
export interface SharedInformers extends AsyncDisposable {
  /**
   * An informer that shares. Its `close` gives back this share: handlers and streams that were made through it end, and with
   * the last share the watch. `transform`, `compact`, `freeze` and `checkpoint` must be those of the first who asked (a TypeError
   * says so); indexes are added.
   */
  informer<T extends ApiObject>(resource: Resource<T>, options?: InformerOptions<T>): Informer<T>;
  /** How many watches there are. */
  readonly size: number;
  /** How each of them is doing. */
  states(): readonly SharedInformerState[];
  /** Ends all of them. */
  close(): Promise<void>;
}

/** Hears of shared watches. `scope` is the name of a watch among those of its resource. */
export interface InformersObserver {
  /** A watch begins. */
  onOpened(informer: Informer, scope: string): void;
  /** A watch has a warning for which it was given no `onWarning`. */
  onWarning(resource: Resource, scope: string, warning: InformerWarning): void;
}

/** The same, for an observer of this package. */
export function observedInformers(cluster: WatchedCluster, observer: InformersObserver): SharedInformers {
  return new ClusterInformers(cluster, observer);
}

/** Makes a set of informers to share. */
export function sharedInformers(cluster: WatchedCluster): SharedInformers {
  return new ClusterInformers(cluster);
}

/** Why a follower of a share's status is ended by the share. */
const GIVEN_BACK = Symbol('given back');

const FIXED = ['transform', 'compact', 'freeze', 'checkpoint'] as const;

interface Shared {
  readonly inner: Informer;
  readonly scope: string;
  readonly fixed: readonly unknown[];
  readonly shares: Set<InformerShare<never>>;
}

class ClusterInformers implements SharedInformers {
  readonly #cluster: WatchedCluster;
  readonly #observer: InformersObserver | undefined;
  readonly #shared = new Map<string, Shared>();

  constructor(cluster: WatchedCluster, observer?: InformersObserver) {
    this.#cluster = cluster;
    this.#observer = observer;
  }

  get size(): number {
    return this.#shared.size;
  }

  informer<T extends ApiObject>(resource: Resource<T>, options: InformerOptions<T> = {}): Informer<T> {
    const key = keyOf(resource, options);
    const { signal, ...others } = options;
    const fixed = FIXED.map((name) => options[name]);
    const found = this.#shared.get(key);
    const differs = FIXED.find((_, index) => found !== undefined && found.fixed[index] !== fixed[index]);
    if (differs !== undefined) throw new TypeError(`${differs} must be the same for all who share ${resource.plural}`);
    const scope = scopeOf(options);
    const observer = this.#observer;
    const { onWarning = observer && ((warning) => observer.onWarning(resource, scope, warning)) } = options;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key names the resource, so the objects are the same
    const known = found?.inner as unknown as Informer<T> | undefined;
    const inner = known ?? informer(this.#cluster, resource, { ...others, onWarning });
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) inner.store.addIndex(name, valuesOf);
    const shares: Set<unknown> = found?.shares ?? new Set();
    const share = new InformerShare(inner, this.#cluster.clock, signal, async () => {
      shares.delete(share);
      if (shares.size > 0 || this.#shared.get(key)?.shares !== shares) return;
      // Before the wait: who asks meanwhile gets a new watch, not one that ends.
      this.#shared.delete(key);
      await inner.close();
    });
    shares.add(share);
    if (found !== undefined) return share;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read only through the key, as above
    const shared = { inner, scope, fixed, shares } as unknown as Shared;
    this.#shared.set(key, shared);
    observer?.onOpened(shared.inner, scope);
    return share;
  }

  states(): readonly SharedInformerState[] {
    return Array.from(this.#shared.values(), ({ inner, scope }) => {
      const { resource, store, hasSynced, status, metrics } = inner;
      return { resource, scope, objects: store.size, hasSynced, status, metrics };
    });
  }

  async close(): Promise<void> {
    const all = [...this.#shared.values()];
    await Promise.all(all.flatMap(({ shares }) => Array.from(shares, (share) => share.close())));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** One user's part of an informer. */
class InformerShare<T extends ApiObject> implements Informer<T> {
  readonly resource: Resource<T>;
  readonly store: Store<T>;
  readonly #inner: Informer<T>;
  readonly #clock: Clock;
  readonly #release: () => Promise<void>;
  readonly #unlink: () => void;
  readonly #registrations = new Set<Registration>();
  readonly #followers = new Set<LinkedSignal>();
  readonly #readers = new Set<AsyncIterator<StoreChange<T>>>();
  #closing: Promise<void> | undefined;
  #closedAt: number | undefined;

  constructor(inner: Informer<T>, clock: Clock, signal: AbortSignal | undefined, release: () => Promise<void>) {
    this.#clock = clock;
    this.resource = inner.resource;
    this.store = inner.store;
    this.#inner = inner;
    this.#release = release;
    const close = (): void => void this.close();
    this.#unlink = onAbort(signal, close);
    // After the caller has noted this share: a share that is given back before it was taken would be counted for ever.
    if (signal?.aborted === true) queueMicrotask(close);
  }

  get synced(): Promise<void> {
    return this.#inner.synced;
  }

  get hasSynced(): boolean {
    return this.#inner.hasSynced;
  }

  get status(): InformerStatus {
    return this.#closedAt === undefined ? this.#inner.status : { phase: 'stopped', since: this.#closedAt };
  }

  get metrics(): InformerMetrics {
    return this.#inner.metrics;
  }

  async *statuses({ signal }: AbortOptions = {}): AsyncGenerator<InformerStatus, undefined> {
    const link = linkSignal(signal);
    this.#followers.add(link);
    try {
      if (this.#closing === undefined) yield* this.#inner.statuses({ signal: link.signal });
    } catch (reason) {
      if (reason !== GIVEN_BACK) throw reason;
    } finally {
      link.unlink();
      this.#followers.delete(link);
    }
    // The informer goes on for the others; for this user it has stopped.
    if (this.#closing !== undefined) yield this.status;
    return undefined;
  }

  changes(options?: ChangesOptions): ChangeStream<T> {
    const stream = this.#inner.changes(options);
    const readers = this.#readers;
    const isClosed = (): boolean => this.#closing !== undefined;
    return {
      get depth() {
        return stream.depth;
      },
      [Symbol.asyncIterator]() {
        const reader = stream[Symbol.asyncIterator]();
        readers.add(reader);
        if (isClosed()) void reader.return?.();
        return forgetting(reader, () => readers.delete(reader));
      },
    };
  }

  on(handlers: Handlers<T>, options?: HandlerLoopOptions): Registration {
    const registration = this.#inner.on(handlers, options);
    this.#registrations.add(registration);
    if (this.#closing !== undefined) void registration();
    return registrationOf(registration, () => {
      this.#registrations.delete(registration);
      return registration();
    });
  }

  resync(): void {
    for (const registration of this.#registrations) registration.resync();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#unlink();
    this.#closedAt = this.#clock.now();
    for (const follower of this.#followers) follower.abort(GIVEN_BACK);
    for (const reader of this.#readers) await reader.return?.();
    await Promise.all(Array.from(this.#registrations, (off) => off()));
    await this.#release();
  }
}

/** The reader, forgotten at its end: a share would else keep every stream that was ever read through it. */
function forgetting<V>(reader: AsyncIterator<V>, forget: () => void): AsyncIterator<V> {
  return {
    next: async () => {
      try {
        const result = await reader.next();
        if (result.done === true) forget();
        return result;
      } catch (error) {
        forget();
        throw error;
      }
    },
    return: async () => {
      forget();
      await reader.return?.();
      return { done: true, value: undefined };
    },
  };
}

function keyOf<T extends ApiObject>(resource: Resource<T>, options: InformerOptions<T>): string {
  const { namespace, namespaces, labelSelector, fieldSelector, projection } = options;
  const scope = namespaces === undefined ? [namespace ?? ''] : [...new Set(namespaces)].toSorted();
  const selectors = [String(labelSelector ?? ''), String(fieldSelector ?? '')];
  return JSON.stringify([apiVersionOf(resource), resource.plural, scope, ...selectors, projection ?? 'full']);
}

function scopeOf<T extends ApiObject>(options: InformerOptions<T>): string {
  const { namespace, namespaces, labelSelector, fieldSelector, projection } = options;
  const parts = {
    namespace: (namespaces ?? [namespace ?? '']).toSorted().join(','),
    labels: String(labelSelector ?? ''),
    fields: String(fieldSelector ?? ''),
    projection: projection === 'metadata' ? projection : '',
  };
  const named = Object.entries(parts).filter(([, text]) => text !== '');
  return named.map(([name, text]) => `${name}=${text}`).join(' ');
}
