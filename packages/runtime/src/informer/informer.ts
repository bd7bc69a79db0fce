/** A cache of a collection that follows the cluster, and tells of every change. */

import { type AbortOptions, type ApiObject, apiVersionOf, type Resource } from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';
import type { ObjectDecoder } from '@listwatch/client';
import { linkSignal } from '@listwatch/client/internal';
import type { StoreChange } from '../reflector/store-change.ts';
import { CompactKeeper } from '../store/compact-keeper.ts';
import type { CompactObject } from '../store/compact-object.ts';
import { PlainKeeper } from '../store/object-keeper.ts';
import { ObjectPacker, type PackingStore } from '../store/object-packer.ts';
import type { Store } from '../store/store.ts';
import type { IndexErrorSink } from '../store/store-index.ts';
import { StoreWriter, type ToldStore } from '../store/store-writer.ts';
import type { WatchedCluster } from '../watched-cluster.ts';
import type { ChangeListener, ListenerSet } from './change-listener.ts';
import { type ChangeStream, type ChangesOptions, InformerChangeStream } from './change-stream.ts';
import type { CheckpointIdentity } from './checkpoint.ts';
import { CheckpointKeeper } from './checkpoint-keeper.ts';
import { HandlerLoop, type HandlerLoopOptions, type Handlers } from './handler-loop.ts';
import { InformerError } from './informer-error.ts';
import { type InformerMetrics, totalOf } from './informer-metrics.ts';
import { type InformerConfig, type InformerOptions, resolveInformerOptions } from './informer-options.ts';
import { InformerSource, type SourceListener } from './informer-source.ts';
import { type InformerStatus, worstOf } from './informer-status.ts';
import { LatestValue } from './latest-value.ts';
import { type Registration, registrationOf } from './registration.ts';
import { SyncGate } from './sync-gate.ts';

/** See `docs/guarantees.md` for what may be relied upon. */
export interface Informer<T extends ApiObject = ApiObject, Index extends string = string> extends AsyncDisposable {
  readonly resource: Resource<T>;
  readonly store: Store<T, Index>;
  /**
   * Resolves when the store has its first complete state. Rejects with the reason when that cannot be had (403, 404, no end
   * marker, `SYNC_TIMEOUT`, `CLOSED`); the informer goes on trying, and who reads `synced` again waits for the next outcome.
   */
  readonly synced: Promise<void>;
  readonly hasSynced: boolean;
  readonly status: InformerStatus;
  readonly metrics: InformerMetrics;
  /** The status now, and then whenever it has changed. */
  statuses(options?: AbortOptions): AsyncIterable<InformerStatus>;
  /** What is in the store now as adds, and then every change. */
  changes(options?: ChangesOptions): ChangeStream<T>;
  /** The same by calls, one after the other. */
  on(handlers: Handlers<T>, options?: HandlerLoopOptions): Registration;
  /** Tells everybody of every object once more, as updates. Nothing is asked of the server. */
  resync(): void;
  /** Ends the watch, the streams of changes and the handlers, and saves the checkpoint. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Makes an informer, which begins at once. It ends by `close()`, `await using`, or its signal.
 *
 * @example
 * await using web = informer(cluster, pods, { labelSelector: 'app=web' });
 * await web.synced;
 * console.log(web.store.size);
 */
export function informer<T extends ApiObject, Index extends string = string>(
  cluster: WatchedCluster,
  resource: Resource<T>,
  options: InformerOptions<T, Index> = {},
): Informer<T, Index> {
  return new ClusterInformer(cluster, resource, resolveInformerOptions(options), options.signal);
}

class ClusterInformer<T extends ApiObject> implements Informer<T> {
  readonly resource: Resource<T>;
  readonly store: ToldStore<T>;
  readonly #cluster: WatchedCluster;
  readonly #config: InformerConfig<T>;
  readonly #writer: StoreWriter<T>;
  readonly #sources: readonly InformerSource<T>[];
  readonly #listeners = new Set<ChangeListener<T>>();
  readonly #listenerSet: ListenerSet<T>;
  readonly #gate = new SyncGate();
  readonly #status: LatestValue<InformerStatus>;
  readonly #stop = new AbortController();
  readonly #saver: CheckpointKeeper<T> | undefined;
  readonly #running: Promise<unknown>;
  readonly #unlink: () => void;
  #cancelSyncTimeout: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(cluster: WatchedCluster, resource: Resource<T>, config: InformerConfig<T>, signal?: AbortSignal) {
    this.resource = resource;
    this.#cluster = cluster;
    this.#config = config;
    const isClosed = (): boolean => this.#closing !== undefined;
    this.#listenerSet = {
      add: (listener) => this.#listeners.add(listener),
      delete: (listener) => this.#listeners.delete(listener),
      get isClosed() {
        return isClosed();
      },
    };
    const { writer, decode } = openStore(resource, config);
    this.#writer = writer;
    this.store = this.#writer.store;
    for (const [name, valuesOf] of Object.entries(config.indexes)) this.store.addIndex(name, valuesOf);
    this.#status = new LatestValue({ phase: 'syncing', since: cluster.clock.now() });
    this.#sources = config.sources.map((name) => this.#source(name, decode));
    this.#saver = this.#checkpointKeeper();
    const close = (): void => void this.close();
    this.#unlink = onAbort(signal, close);
    this.#awaitSync();
    this.#running = this.#run();
    if (signal?.aborted === true) close();
  }

  get synced(): Promise<void> {
    return this.#gate.promise;
  }

  get hasSynced(): boolean {
    return this.#gate.isOpen;
  }

  get status(): InformerStatus {
    return this.#status.value;
  }

  get metrics(): InformerMetrics {
    return totalOf(this.#sources.map(({ metrics }) => metrics));
  }

  statuses(options?: AbortOptions): AsyncIterable<InformerStatus> {
    return this.#status.follow(options);
  }

  changes(options: ChangesOptions = {}): ChangeStream<T> {
    return new InformerChangeStream(this.store, this.#listenerSet, options);
  }

  on(handlers: Handlers<T>, options: HandlerLoopOptions = {}): Registration {
    const surroundings = { listeners: this.#listenerSet, clock: this.#cluster.clock, warn: this.#config.warn };
    const loop = new HandlerLoop(this.store, handlers, surroundings, options);
    if (this.#closing === undefined) this.#listeners.add(loop);
    else void loop.close(closed());
    if (this.hasSynced) loop.markSynced();
    return registrationOf(loop, () => loop.close());
  }

  resync(): void {
    for (const listener of this.#listeners) listener.resync();
  }

  close(): Promise<void> {
    return this.#closeBecause(undefined);
  }

  #closeBecause(cause: unknown): Promise<void> {
    this.#closing ??= this.#close(cause);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(cause: unknown): Promise<void> {
    const reason = closed(cause);
    this.#unlink();
    this.#cancelSyncTimeout();
    this.#stop.abort(reason);
    this.#gate.close(reason);
    this.#writer.version.close(reason);
    const listeners = Array.from(this.#listeners, (listener) => listener.close());
    await this.#running;
    // Before the handlers: one that never returns must not cost the checkpoint.
    await this.#saver?.close();
    await Promise.all(listeners);
    this.#setStatus({ phase: 'stopped', reason: cause === undefined ? undefined : reason.message });
    this.#status.end();
  }

  #source(name: string, decode: ObjectDecoder<T> | undefined): InformerSource<T> {
    const listener: SourceListener<T> = {
      isFollowed: () => this.#listeners.size > 0,
      // The store has been changed before anybody hears of it, so that a handler never finds less than it was told.
      onChanges: (changes) => this.#tell(changes),
      onStatus: () => this.#setStatus(worstOf(this.#sources.map(({ status }) => status))),
      onSynced: () => this.#checkSynced(),
      onBlocked: (error) => this.#gate.fail(error),
    };
    return new InformerSource(name, this.#writer, this.#config, listener, decode);
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const restored = await this.#restore();
    this.#saver?.start(restored);
    const link = linkSignal(this.#stop.signal);
    const runs = this.#sources.map((source) => source.run(this.#cluster, this.resource, link.signal));
    try {
      await Promise.all(runs);
    } catch (error) {
      link.abort();
      await Promise.allSettled(runs);
      // Not our own close: the cluster was closed, or there is a mistake in this package, which must be seen.
      if (!this.#stop.signal.aborted) queueMicrotask(() => void this.#closeBecause(error));
    } finally {
      link.unlink();
    }
  }

  async #restore(): Promise<boolean> {
    const { checkpoint, warn } = this.#config;
    if (checkpoint === undefined) return false;
    const setAside = (message: string, error?: unknown): void => warn({ type: 'CHECKPOINT_SET_ASIDE', message, error });
    try {
      const state = await checkpoint.load<T>(this.#identity(), setAside);
      if (state === undefined || this.#stop.signal.aborted) return false;
      for (const source of this.#sources) {
        const version = state.versions.get(source.name);
        const own = state.objects.filter(({ metadata }) => source.name === '' || metadata.namespace === source.name);
        if (version !== undefined) source.restore(own, version);
      }
      // Readers that came before get what the file has as they would get a first list.
      this.#announce();
      return true;
    } catch (error) {
      setAside('it could not be read', error);
      return false;
    }
  }

  #announce(): void {
    const adds: StoreChange<T>[] = [];
    for (const key of this.store.keys()) {
      const object = this.store.told(key);
      if (object !== undefined) adds.push({ type: 'add', key, object, initial: true });
    }
    this.#tell(adds);
    this.#checkSynced();
  }

  #tell(changes: readonly StoreChange<T>[]): void {
    for (const listener of this.#listeners) listener.push(changes);
  }

  #checkSynced(): void {
    if (this.hasSynced || !this.#sources.every(({ synced }) => synced)) return;
    this.#cancelSyncTimeout();
    this.#gate.open();
    for (const listener of this.#listeners) listener.markSynced();
  }

  #awaitSync(): void {
    const { syncTimeoutMs } = this.#config;
    if (syncTimeoutMs === 0) return;
    this.#cancelSyncTimeout = this.#cluster.clock.after(syncTimeoutMs, () => {
      const late = this.#sources.filter(({ synced }) => !synced);
      const names = late.map(({ name }) => (name === '' ? 'all namespaces' : name)).join(', ');
      const cause = late.find(({ lastError }) => lastError !== undefined)?.lastError;
      const why = cause === undefined ? 'the server has not answered' : cause.message;
      const message = `no complete state of ${this.resource.plural} (${names}) within ${syncTimeoutMs} ms: ${why}`;
      this.#awaitSync();
      this.#gate.fail(new InformerError('SYNC_TIMEOUT', message, { cause }));
    });
  }

  #setStatus({ phase, reason, error }: Omit<InformerStatus, 'since'>): void {
    const before = this.#status.value;
    if (before.phase === phase && before.reason === reason && before.error === error) return;
    const since = before.phase === phase ? before.since : this.#cluster.clock.now();
    this.#status.set({ phase, reason, error, since });
  }

  #checkpointKeeper(): CheckpointKeeper<T> | undefined {
    const { checkpoint, checkpointIntervalMs: intervalMs, warn } = this.#config;
    if (checkpoint === undefined) return undefined;
    const { clock } = this.#cluster;
    return new CheckpointKeeper(this.#writer, { checkpoint, identity: this.#identity(), intervalMs, clock, warn });
  }

  #identity(): CheckpointIdentity {
    const { labelSelector, fieldSelector, projection } = this.#config.watcher.selection;
    return {
      server: this.#cluster.server,
      resource: `${apiVersionOf(this.resource)}/${this.resource.plural}`,
      labelSelector: String(labelSelector ?? ''),
      fieldSelector: String(fieldSelector ?? ''),
      projection: projection ?? 'full',
    };
  }
}

/** A store for these options, and the decoder for what goes into it when that is not the default one. */
function openStore<T extends ApiObject>(
  resource: Resource<T>,
  { compact, freezing, transform, sources, warn, watcher }: InformerConfig<T>,
): { readonly writer: StoreWriter<T>; readonly decode: ObjectDecoder<T> | undefined } {
  const onIndexError: IndexErrorSink = (index, key, error) =>
    warn({ type: 'INDEX_FAILED', message: `the index ${index} cannot take an object`, key, error });
  if (!compact)
    return { writer: new StoreWriter(new PlainKeeper<T>(freezing), sources, onIndexError), decode: undefined };
  const keeper = new CompactKeeper<T>(freezing);
  const writer = new StoreWriter<T, CompactObject>(keeper, sources, onIndexError);
  const store: PackingStore<T> = {
    known: (key) => writer.known(key),
    keepBytes: (object) => keeper.keepBytes(object),
    keepObject: (object) => keeper.keepObject(object),
  };
  // A transform takes objects: then each is parsed, transformed and packed as it arrives.
  const decode = transform === undefined ? new ObjectPacker(store, resource, watcher.selection) : undefined;
  return { writer, decode };
}

/** `cause`: why, when it was not the informer's own `close`. */
function closed(cause?: unknown): InformerError {
  if (cause === undefined) return new InformerError('CLOSED', 'the informer was closed');
  const why = cause instanceof Error ? cause.message : JSON.stringify(cause);
  return new InformerError('CLOSED', `the informer stopped: ${why}`, { cause });
}
