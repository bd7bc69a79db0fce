/** What a watcher can be told, and what it makes of it. */

import {
  type AbortOptions,
  type ApiObject,
  isResourceVersion,
  type ListOptions,
  type ResourceVersion,
} from '@listwatch/api';
import { checkSelectors } from '@listwatch/api/internal/selector-check';
import type { DecodeOptions, ProjectionOptions } from '@listwatch/client';
import type { OptionNames } from '@listwatch/client/internal';
import { type BackoffConfig, type BackoffOptions, resolveBackoff } from './backoff.ts';
import { type KnownPosition, knownPosition } from './list-position.ts';

/** How the first state is fetched: one stream for all, or pages and then a watch. */
export type InitialStrategy = 'auto' | 'listWatch' | 'streamingList';

/** Options of `watcher`. */
export interface WatcherOptions<T extends ApiObject = ApiObject>
  extends AbortOptions,
    ProjectionOptions,
    DecodeOptions<T>,
    Pick<ListOptions, 'fieldSelector' | 'labelSelector'> {
  /** Absent: every namespace. */
  readonly namespace?: string | undefined;
  /**
   * `auto`, the default: streaming first; a server or proxy that cannot do it is noticed, listed in pages instead, and
   * remembered for the cluster and the resource.
   */
  readonly initialStrategy?: InitialStrategy | undefined;
  /**
   * What the very first state may be. `any`, the default: whatever the server has cached, which costs it least (client-go
   * lists so). `mostRecent`: what is true now. Later lists are never older than what has been seen.
   */
  readonly listSemantic?: 'any' | 'mostRecent' | undefined;
  /** Items on a page. Default: 500 (client-go's pager); a list at a known version is then asked for in one piece, so that a cache can serve it. */
  readonly pageSize?: number | undefined;
  /** Each watch asks for a random time between this and twice this. Default: 300 (client-go's reflector). */
  readonly timeoutSeconds?: number | undefined;
  /** Default: true. Without them a quiet watch cannot resume far, is not seen to be dead, and streaming is impossible. */
  readonly bookmarks?: boolean | undefined;
  /** Passed to each watch; see `WatchQuery`. */
  readonly heartbeatMs?: number | undefined;
  /** Passed to each watch; see `WatchQuery`. */
  readonly deadlineMarginMs?: number | undefined;
  /** Begin with a watch from this version, without a list. */
  readonly resourceVersion?: ResourceVersion | undefined;
  readonly backoff?: BackoffOptions | undefined;
  /** How long a stream of initial events may be silent without its end marker. Default: 10 000 (when client-go starts to warn). */
  readonly markerQuietMs?: number | undefined;
  /** Between 0 and 1; for jitter. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options with every default filled in. */
export interface WatcherConfig<T extends ApiObject = ApiObject> {
  readonly selection: Pick<
    WatcherOptions<T>,
    'fieldSelector' | 'labelSelector' | 'namespace' | 'projection' | 'decode'
  >;
  readonly initialStrategy: InitialStrategy;
  readonly listSemantic: 'any' | 'mostRecent';
  readonly pageSize: number;
  /** Was the page size asked for? Then every list is paged. */
  readonly alwaysPaged: boolean;
  readonly timeoutSeconds: number;
  readonly bookmarks: boolean;
  /** What is passed on to each watch. */
  readonly liveness: Pick<WatcherOptions, 'deadlineMarginMs' | 'heartbeatMs'>;
  /** Where to begin with a watch, without a list. */
  readonly start: KnownPosition | undefined;
  readonly backoff: BackoffConfig;
  readonly markerQuietMs: number;
  readonly random: () => number;
}

const PAGE_SIZE = 500;
const TIMEOUT_SECONDS = 300;
const MARKER_QUIET_MS = 10_000;

/** The names of the options. */
export const WATCHER_OPTION_NAMES: OptionNames<WatcherOptions> = {
  signal: true,
  projection: true,
  decode: true,
  fieldSelector: true,
  labelSelector: true,
  namespace: true,
  initialStrategy: true,
  listSemantic: true,
  pageSize: true,
  timeoutSeconds: true,
  bookmarks: true,
  heartbeatMs: true,
  deadlineMarginMs: true,
  resourceVersion: true,
  backoff: true,
  markerQuietMs: true,
  random: true,
};

/** Checks options, once. Throws a TypeError or RangeError that shows the value. */
export function resolveWatcherOptions<T extends ApiObject>(options: WatcherOptions<T>): WatcherConfig<T> {
  checkSelectors(options);
  const { initialStrategy = 'auto', listSemantic = 'any', bookmarks = true, resourceVersion } = options;
  oneOf('initialStrategy', initialStrategy, ['auto', 'listWatch', 'streamingList']);
  oneOf('listSemantic', listSemantic, ['any', 'mostRecent']);
  if (!bookmarks && initialStrategy === 'streamingList') {
    throw new TypeError('streamingList needs bookmarks: its end is a bookmark');
  }
  if (resourceVersion !== undefined && !isResourceVersion(resourceVersion)) {
    throw new TypeError(`resourceVersion is not a version: ${JSON.stringify(resourceVersion)}`);
  }
  const { fieldSelector, labelSelector, namespace, projection, decode } = options;
  return Object.freeze({
    selection: Object.freeze({ fieldSelector, labelSelector, namespace, projection, decode }),
    initialStrategy: bookmarks ? initialStrategy : 'listWatch',
    listSemantic,
    pageSize: positiveInteger('pageSize', options.pageSize ?? PAGE_SIZE),
    alwaysPaged: options.pageSize !== undefined,
    timeoutSeconds: positiveInteger('timeoutSeconds', options.timeoutSeconds ?? TIMEOUT_SECONDS),
    bookmarks,
    liveness: Object.freeze({ heartbeatMs: options.heartbeatMs, deadlineMarginMs: options.deadlineMarginMs }),
    start: resourceVersion === undefined ? undefined : knownPosition(resourceVersion),
    backoff: resolveBackoff(options.backoff),
    markerQuietMs: positiveInteger('markerQuietMs', options.markerQuietMs ?? MARKER_QUIET_MS),
    random: options.random ?? Math.random,
  });
}

/** Gives `value` back if it is a whole number above 0. */
export function positiveInteger(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`${name} must be a whole number above 0: ${value}`);
  return value;
}

function oneOf(name: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) {
    throw new TypeError(`${name} must be one of ${allowed.join(', ')}: ${JSON.stringify(value)}`);
  }
}
