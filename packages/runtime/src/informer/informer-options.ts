/** The options of an informer. */

import type { ApiObject } from '@listwatch/api';
import { checkOptionNames, type OptionNames } from '@listwatch/client/internal';
import { type Freezing, freezingOf } from '../store/deep-freeze.ts';
import type { IndexFunction } from '../store/store-index.ts';
import {
  positiveInteger,
  resolveWatcherOptions,
  WATCHER_OPTION_NAMES,
  type WatcherConfig,
  type WatcherOptions,
} from '../watcher/watcher-options.ts';
import type { Checkpoint } from './checkpoint.ts';
import { unfailing, type WarningSink, warnOnConsole } from './informer-warning.ts';

/** Options of `informer`. `Index` are the names of the indexes. */
export interface InformerOptions<T extends ApiObject = ApiObject, Index extends string = string>
  extends Omit<WatcherOptions<T>, 'decode' | 'resourceVersion'> {
  /** Several namespaces, each with a watch of its own; instead of `namespace`. */
  readonly namespaces?: readonly string[] | undefined;
  /** More indexes than the one by namespace. `store.addIndex` adds others later. */
  readonly indexes?: Readonly<Record<Index, IndexFunction<T>>> | undefined;
  /**
   * Makes an object smaller before it is kept; runs once on each. May change it in place. Must leave name, namespace, uid and
   * version.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** Keep objects as bytes and parse them on each read. Default: false. */
  readonly compact?: boolean | undefined;
  /** Make objects read-only: a write to one throws where it is. Default: all, in production those that are read. */
  readonly freeze?: boolean | undefined;
  /** `synced` rejects after this. Default: 120 000 (controller-runtime's CacheSyncTimeout); 0: never. */
  readonly syncTimeoutMs?: number | undefined;
  readonly checkpoint?: Checkpoint | undefined;
  /** How often the checkpoint is saved, if there is news. Default: 60 000. Ours. It is also saved by `close`. */
  readonly checkpointIntervalMs?: number | undefined;
  /** Default: on the console. */
  readonly onWarning?: WarningSink | undefined;
}

/** The options, checked and filled in. */
export interface InformerConfig<T extends ApiObject> {
  readonly watcher: WatcherConfig<T>;
  /** Namespaces; `['']` for all. */
  readonly sources: readonly string[];
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
  readonly transform: ((object: T) => T) | undefined;
  readonly compact: boolean;
  readonly freezing: Freezing;
  readonly syncTimeoutMs: number;
  readonly checkpoint: Checkpoint | undefined;
  readonly checkpointIntervalMs: number;
  readonly warn: WarningSink;
}

const SYNC_TIMEOUT_MS = 120_000;
const CHECKPOINT_INTERVAL_MS = 60_000;

const { decode: _decode, resourceVersion: _resourceVersion, ...SHARED_NAMES } = WATCHER_OPTION_NAMES;

const OPTION_NAMES: OptionNames<InformerOptions> = {
  ...SHARED_NAMES,
  namespaces: true,
  indexes: true,
  transform: true,
  compact: true,
  freeze: true,
  syncTimeoutMs: true,
  checkpoint: true,
  checkpointIntervalMs: true,
  onWarning: true,
};

/** Checks options, once. */
export function resolveInformerOptions<T extends ApiObject>(options: InformerOptions<T>): InformerConfig<T> {
  checkOptionNames('informer', options, OPTION_NAMES);
  const {
    namespace,
    namespaces,
    syncTimeoutMs = SYNC_TIMEOUT_MS,
    checkpointIntervalMs = CHECKPOINT_INTERVAL_MS,
  } = options;
  if (!(syncTimeoutMs >= 0)) throw new RangeError(`syncTimeoutMs must not be negative: ${syncTimeoutMs}`);
  return Object.freeze({
    watcher: resolveWatcherOptions<T>(options),
    sources: sourcesOf(namespace, namespaces),
    indexes: options.indexes ?? {},
    transform: options.transform,
    compact: options.compact ?? false,
    freezing: freezingOf(options.freeze),
    syncTimeoutMs,
    checkpoint: options.checkpoint,
    checkpointIntervalMs: positiveInteger('checkpointIntervalMs', checkpointIntervalMs),
    warn: unfailing(options.onWarning ?? warnOnConsole),
  });
}

function sourcesOf(namespace: string | undefined, namespaces: readonly string[] | undefined): readonly string[] {
  if (namespaces === undefined) return [namespace ?? ''];
  if (namespace !== undefined) throw new TypeError('give namespace or namespaces, not both');
  // An empty list by mistake, such as from a selector that finds none, must not become a watch of everything.
  if (namespaces.length === 0 || namespaces.includes('')) {
    throw new TypeError(`namespaces must name at least one, and none may be empty: ${JSON.stringify(namespaces)}`);
  }
  return [...new Set(namespaces)];
}
