/** One watch of an informer: its watcher, its reflector, and how it is doing. */

import {
  type ApiObject,
  isForbidden,
  isMethodNotAllowed,
  isNotFound,
  isUnauthorized,
  type Resource,
  type ResourceVersion,
} from '@listwatch/api';
import type { ObjectDecoder } from '@listwatch/client';
import { Reflector } from '../reflector/reflector.ts';
import type { StoreChange } from '../reflector/store-change.ts';
import type { StoreWriter } from '../store/store-writer.ts';
import type { WatchedCluster } from '../watched-cluster.ts';
import type { KnownPosition } from '../watcher/list-position.ts';
import { newestOf } from '../watcher/seen-history.ts';
import { runWatcher } from '../watcher/watcher-driver.ts';
import type { WatcherMemory } from '../watcher/watcher-memory.ts';
import type { WatcherOutput, WatcherState } from '../watcher/watcher-state.ts';
import type { WatcherError } from '../watcher-error.ts';
import type { InformerMetrics } from './informer-metrics.ts';
import type { InformerConfig } from './informer-options.ts';
import type { SourceStatus } from './informer-status.ts';

/** Who is told. */
export interface SourceListener<T extends ApiObject> {
  /** Is there anybody who reads changes? */
  readonly isFollowed: () => boolean;
  readonly onChanges: (changes: readonly StoreChange<T>[]) => void;
  readonly onStatus: () => void;
  /** The first complete state is here. */
  readonly onSynced: () => void;
  /** The first state cannot be had now, for a reason that somebody should look at. It is tried again all the same. */
  readonly onBlocked: (error: WatcherError) => void;
}

export class InformerSource<T extends ApiObject> {
  readonly name: string;
  readonly #reflector: Reflector<T>;
  readonly #config: InformerConfig<T>;
  readonly #listener: SourceListener<T>;
  /** How objects come off the wire, for a store that does not keep them as objects. */
  readonly #decode: ObjectDecoder<T> | undefined;
  #status: SourceStatus = { phase: 'syncing' };
  #synced = false;
  #start: KnownPosition | undefined;
  #lastError: WatcherError | undefined;
  readonly #counts = { lists: 0, watches: 0, errors: 0 };

  constructor(
    name: string,
    writer: StoreWriter<T>,
    config: InformerConfig<T>,
    listener: SourceListener<T>,
    decode?: ObjectDecoder<T>,
  ) {
    this.name = name;
    this.#decode = decode;
    this.#config = config;
    this.#listener = listener;
    this.#reflector = new Reflector(writer, {
      source: name,
      transform: config.transform,
      isFollowed: listener.isFollowed,
      onTransformError: (error, key) =>
        config.warn({ type: 'TRANSFORM_FAILED', message: 'the transform threw; the object is kept whole', key, error }),
    });
  }

  get synced(): boolean {
    return this.#synced;
  }

  get status(): SourceStatus {
    return this.#status;
  }

  get lastError(): WatcherError | undefined {
    return this.#lastError;
  }

  get metrics(): InformerMetrics {
    return this.#counts;
  }

  /** Begins with what a checkpoint has. */
  restore(objects: readonly T[], version: ResourceVersion): void {
    this.#reflector.restore(objects, version);
    this.#start = { type: 'at', resourceVersion: version, seen: newestOf({ type: 'nothing' }, objects) };
    this.#synced = true;
    this.#setStatus({ phase: 'syncing', reason: 'filled from a checkpoint, catching up' });
  }

  /** Never resolves; rejects with the signal's reason. */
  run(cluster: WatchedCluster, resource: Resource<T>, signal: AbortSignal): Promise<never> {
    const { watcher } = this.#config;
    const selection = {
      ...watcher.selection,
      namespace: this.name === '' ? undefined : this.name,
      decode: this.#decode,
    };
    const config = { ...watcher, selection, start: this.#start };
    const sink = {
      deliver: (output: WatcherOutput<T>): undefined => this.#deliver(output),
      observe: (state: WatcherState): void => this.#observe(state),
    };
    return runWatcher(cluster, resource, config, sink, signal);
  }

  #deliver(output: WatcherOutput<T>): undefined {
    const changes = this.#reflector.apply(output);
    switch (output.type) {
      case 'init':
        this.#counts.lists++;
        if (!this.#synced && this.#status.phase === 'degraded') this.#setStatus({ phase: 'syncing' });
        break;
      case 'initDone': {
        const first = !this.#synced;
        this.#synced = true;
        this.#setStatus({ phase: 'live' });
        if (changes.length > 0) this.#listener.onChanges(changes);
        if (first) this.#listener.onSynced();
        return undefined;
      }
      case 'changes':
      case 'delete':
      case 'bookmark':
      case 'steady':
        if (this.#synced && this.#status.phase !== 'live') this.#setStatus({ phase: 'live' });
        break;
      case 'error':
        this.#counts.errors++;
        this.#lastError = output.error;
        this.#setStatus({ phase: 'degraded', reason: output.error.message, error: output.error });
        break;
      case 'initApply':
      case 'initBatch':
        break;
    }
    if (changes.length > 0) this.#listener.onChanges(changes);
    return undefined;
  }

  /** Only a pause shows that nothing else helped: a refused stream, for one, is followed by a list that may work. */
  #observe(state: WatcherState): void {
    if (state.type === 'watching' || state.type === 'streaming') this.#counts.watches++;
    if (this.#synced || state.type !== 'waiting' || this.#lastError === undefined) return;
    if (isBlocked(this.#lastError, state.memory.streaming)) this.#listener.onBlocked(this.#lastError);
  }

  #setStatus(status: SourceStatus): void {
    this.#status = status;
    this.#listener.onStatus();
  }
}

/** Waiting alone will hardly cure these. Without the marker there is another way, unless streaming alone is wanted. */
function isBlocked({ code, cause }: WatcherError, streaming: WatcherMemory['streaming']): boolean {
  if (code === 'NO_END_MARKER') return streaming === 'only';
  return isForbidden(cause) || isNotFound(cause) || isUnauthorized(cause) || isMethodNotAllowed(cause);
}
