/** WATCH: from where, in which form, until when. */

import {
  badReadVersion,
  decodeListOptions,
  expiredWatch,
  MEDIA_TYPE,
  type ParsedListOptions,
  parseResourceVersion,
  ResourceVersionError,
  type StatusError,
  tooLargeResourceVersion,
} from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';
import { readIncludeObject } from '../answer/include-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import { type WatchForm, watchForm } from '../answer/watch-form.ts';
import type { CacheGeneration } from '../cache/cache-generation.ts';
import { initialObjects } from '../cache/initial-objects.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { WatchResponse } from '../contract/api-response.ts';
import { pauseOf } from '../contract/pause.ts';
import type { ReadCall, ReadVerb } from '../contract/verb.ts';
import type { CacheSet } from '../watch/cache-set.ts';
import type { WatchRequest } from '../watch/watch-cursor.ts';
import { type HistorySource, type ReplayTarget, replayHistory } from './history-replay.ts';
import type { ReadOrigin } from './read-origin.ts';
import { readScope } from './read-scope.ts';

/** Options of the verb. */
export interface WatchVerbOptions {
  readonly clock: Clock;
  /** A watch without `timeoutSeconds` ends after this long, or up to twice as long. Default 1800 s, as kube-apiserver. */
  readonly minRequestTimeoutMs?: number | undefined;
  /** 0 to 1: how much longer. Default: random, so that clients do not all reconnect at once. */
  readonly jitter?: (() => number) | undefined;
}

type WatchOrigin = Pick<ReadOrigin, 'history' | 'newest' | 'proven'>;

/** As kube-apiserver's `--min-request-timeout`. */
const MIN_REQUEST_TIMEOUT_MS = 1_800_000;

/** Where a watch begins. */
type WatchStart =
  /** With the current objects, at this version or newer. */
  | { readonly type: 'state'; readonly version: 'newest' | 'any' | bigint }
  /** With the changes after this version. */
  | { readonly type: 'changes'; readonly version: 'newest' | 'any' | bigint };

/** The verb, reading from these caches and from their origin. */
export function watchVerb(caches: CacheSet, origin: WatchOrigin, options: WatchVerbOptions): ReadVerb {
  const { clock } = options;
  return async (_context, call) => {
    const listOptions = decodeListOptions(call.request.query);
    const scope = readScope(call, listOptions);
    const kind = caches.kind(call.definition);
    const start = watchStart(listOptions);
    const joined = kind.cache.joined();
    if (joined !== undefined) await joined;
    const form = watchForm(kind.cache, call.form, readIncludeObject(call));
    // From here on the watch belongs to this hub's generation, and ends with it.
    const { hub } = kind;
    const keptBytes = requestBytes(call.request.query);
    hub.requireRoom(scope, form, keptBytes);
    const { timeoutSeconds = 0, allowWatchBookmarks, sendInitialEvents } = listOptions;
    const timeoutMs = timeoutSeconds === 0 ? randomTimeout(options) : timeoutSeconds * 1000;
    const marks = allowWatchBookmarks && sendInitialEvents === true;
    const asks = listOptions.listwatchProgress && allowWatchBookmarks;
    // Its objects leave at once, and their end when everything that was acknowledged before has come.
    const isHeld = marks && start.type === 'state' && start.version === 'newest' && origin.proven !== undefined;
    const begins = isHeld ? ({ type: 'state', version: 'any' } as const) : start;
    const from = await reportingStorage(() => startingPoint(origin, hub.generation, begins, call, scope));
    const contentType = watchContentType(call.form);
    if (!('after' in from)) return failed(from, form, contentType);
    const proof = isHeld || asks ? proven(origin, hub.generation, call) : undefined;
    const request: WatchRequest = {
      ...from,
      scope,
      form,
      bookmarks: allowWatchBookmarks,
      markInitialEnd: marks,
      initialEnd: isHeld ? proof : undefined,
      tellsProgress: asks,
      deadline: monotonicMs(clock) + timeoutMs,
      keptBytes,
    };
    // The client gets its progress now, and later whenever another client asks for its own.
    void proof?.then(() => asks && hub.tellProgress(), ignore);
    return open({ origin, clock, pause: pauseOf(call.request) }, { cache: kind.cache, hub }, request, contentType);
  };
}

function ignore(): void {}

/** Resolves when the generation has everything that was acknowledged before. */
async function proven(
  origin: WatchOrigin,
  generation: CacheGeneration,
  { definition, request: { signal } }: ReadCall,
): Promise<void> {
  const revision = await (origin.proven ?? origin.newest).call(origin, definition, signal);
  if (!(await generation.reached(revision, signal))) throw tooLargeResourceVersion(revision, generation.revision);
}

/** Shorter queries are not counted: they take less than the rest of a watch. */
const SHORT_QUERY = 1024;

/** The URL stays in memory as long as its connection is used, once as it was sent and once decoded. */
function requestBytes(query: string): number {
  return query.length <= SHORT_QUERY ? 0 : 2 * query.length;
}

/** As kube-apiserver names them: JSON without the parameter. */
function watchContentType({ mediaType }: AnswerForm): string {
  return mediaType === MEDIA_TYPE.protobuf ? `${mediaType};stream=watch` : MEDIA_TYPE.json;
}

function open(source: HistorySource, target: ReplayTarget, request: WatchRequest, contentType: string): WatchResponse {
  const { hub } = target;
  return {
    type: 'watch',
    contentType,
    hasInitial: request.initial !== undefined,
    start: (sink) => {
      if (request.initial === undefined && request.after < hub.generation.window.oldestStart) {
        void replayHistory(source, target, request, sink);
      } else hub.watch(request, sink);
    },
  };
}

/** A valid watch that fails answers 200 and one ERROR event. */
function failed(error: StatusError, form: WatchForm, contentType: string): WatchResponse {
  return {
    type: 'watch',
    contentType,
    start: (sink) => {
      sink.write([form.error(error.status)]);
      sink.end();
    },
  };
}

function watchStart(options: ParsedListOptions): WatchStart {
  const { resourceVersion, sendInitialEvents, watch } = options;
  const revision = parseVersion(resourceVersion);
  const version = revision === 0n ? (resourceVersion === '' ? 'newest' : 'any') : revision;
  // The old /watch/ paths without `watch=true` get the cached objects at any version.
  if (!watch && revision === 0n) return { type: 'state', version: 'any' };
  // Default: initial events without a version, or with any spelling of 0.
  return { type: (sendInitialEvents ?? revision === 0n) ? 'state' : 'changes', version };
}

function parseVersion(text: string): bigint {
  try {
    return text === '' ? 0n : parseResourceVersion(text);
  } catch (error) {
    throw error instanceof ResourceVersionError ? badReadVersion(error) : error;
  }
}

async function startingPoint(
  origin: WatchOrigin,
  generation: CacheGeneration,
  { type, version }: WatchStart,
  { request: { signal }, definition }: ReadCall,
  scope: WatchScope,
): Promise<Pick<WatchRequest, 'after' | 'initial'> | StatusError> {
  if (type === 'changes' && typeof version === 'bigint') {
    const { custom } = definition;
    // The client has objects in the form of an older schema: it must list again.
    if (custom !== undefined && version < custom.since) return expiredWatch(version, custom.since + 1n);
    return { after: version, initial: undefined };
  }
  const needed = version === 'newest' ? await origin.newest(definition, signal) : version === 'any' ? 0n : version;
  if (!(await generation.reached(needed, signal))) return tooLargeResourceVersion(needed, generation.revision);
  if (type === 'changes') return { after: generation.revision, initial: undefined };
  const initial = initialObjects(generation, scope);
  return { after: initial.revision, initial };
}

function randomTimeout({
  minRequestTimeoutMs = MIN_REQUEST_TIMEOUT_MS,
  jitter = Math.random,
}: WatchVerbOptions): number {
  return Math.round(minRequestTimeoutMs * (1 + jitter()));
}
