/** WATCH: from where, in which form, until when. */

import {
  badReadVersion,
  decodeListOptions,
  type ParsedListOptions,
  parseResourceVersion,
  ResourceVersionError,
  type StatusError,
  tooLargeResourceVersion,
} from '@listwatch/api';
import { readIncludeObject } from '../answer/include-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import { frame, watchForm } from '../answer/watch-form.ts';
import type { WatchResponse } from '../contract/api-response.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import type { CachedKind, CacheSet } from '../watch/cache-set.ts';
import type { WatchRequest } from '../watch/watch-cursor.ts';
import { replayHistory } from './history-replay.ts';
import { readScope } from './read-scope.ts';

/** Options of the verb. */
export interface WatchVerbOptions {
  /** A watch that names no time ends after this long, or up to twice as long. Default 1800 seconds, as kube-apiserver. */
  readonly minRequestTimeoutMs?: number | undefined;
  /** 0 to 1: how much longer. Default: chance, so that clients do not all come back at once. */
  readonly jitter?: (() => number) | undefined;
}

/** As kube-apiserver's `--min-request-timeout`. */
const MIN_REQUEST_TIMEOUT_MS = 1_800_000;

/** Where a watch begins. */
type WatchStart =
  /** With the objects of a state that is at least this new. */
  | { readonly type: 'state'; readonly version: 'newest' | 'any' | bigint }
  /** With what changes after this. */
  | { readonly type: 'changes'; readonly version: 'newest' | 'any' | bigint };

/** The verb, reading from these caches. */
export function watchVerb(caches: CacheSet, options: WatchVerbOptions = {}): Verb {
  return async (context, call) => {
    const listOptions = decodeListOptions(call.request.query);
    const scope = readScope(call, listOptions);
    const kind = caches.kind(call.definition);
    const start = watchStart(listOptions);
    const form = watchForm(kind.cache, call.form, readIncludeObject(call));
    kind.cache.requireReady();
    const { generation } = kind.cache.state;
    const { timeoutSeconds = 0, allowWatchBookmarks, sendInitialEvents } = listOptions;
    const timeoutMs = timeoutSeconds === 0 ? randomTimeout(options) : timeoutSeconds * 1000;
    const work = { resource: call.definition.resource, operation: 'watch' };
    const from = await reportingStorage(work, () => startingPoint(context, caches, kind, start, call));
    if (!('after' in from)) return failed(from);
    const request: WatchRequest = {
      ...from,
      scope,
      form,
      bookmarks: allowWatchBookmarks,
      markInitialEnd: allowWatchBookmarks && sendInitialEvents === true,
      deadline: context.clock.now() + timeoutMs,
    };
    return open(context, kind, request, generation);
  };
}

function open(
  source: VerbContext,
  { cache, hub }: CachedKind,
  request: WatchRequest,
  generation: number,
): WatchResponse {
  return {
    type: 'watch',
    contentType: 'application/json',
    start: (sink) => {
      // The cache began anew between the check and now: the client comes back and is told what to do then.
      if (cache.state.generation !== generation) sink.end();
      else if (request.initial === undefined && request.after < cache.window.oldestStart) {
        void replayHistory(source, hub, request, sink);
      } else hub.watch(request, sink);
    },
  };
}

/** A watch that fails after it was understood answers 200 and one ERROR event. */
function failed(error: StatusError): WatchResponse {
  return {
    type: 'watch',
    contentType: 'application/json',
    start: (sink) => {
      sink.write([frame('ERROR', Buffer.from(JSON.stringify(error.status)))]);
      sink.end();
    },
  };
}

function watchStart(options: ParsedListOptions): WatchStart {
  const { resourceVersion, sendInitialEvents, watch } = options;
  const revision = parseVersion(resourceVersion);
  const version = revision === 0n ? (resourceVersion === '' ? 'newest' : 'any') : revision;
  // The old /watch/ paths without `watch=true` get the current objects, as old as they may be.
  if (!watch && revision === 0n) return { type: 'state', version: 'any' };
  // Whoever does not say gets them where no version is named, also by another spelling of 0.
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
  { engine }: VerbContext,
  { feed }: CacheSet,
  { cache }: CachedKind,
  { type, version }: WatchStart,
  { request: { signal } }: ResourceCall,
): Promise<Pick<WatchRequest, 'after' | 'initial'> | StatusError> {
  if (type === 'changes' && typeof version === 'bigint') return { after: version, initial: undefined };
  const needed = version === 'newest' ? await engine.revision({ signal }) : version === 'any' ? 0n : version;
  if (!(await feed.reached(needed, signal))) return tooLargeResourceVersion(needed, cache.revision);
  if (type === 'changes') return { after: cache.revision, initial: undefined };
  const initial = cache.snapshot();
  return { after: initial.revision, initial };
}

function randomTimeout({
  minRequestTimeoutMs = MIN_REQUEST_TIMEOUT_MS,
  jitter = Math.random,
}: WatchVerbOptions): number {
  return Math.round(minRequestTimeoutMs * (1 + jitter()));
}
