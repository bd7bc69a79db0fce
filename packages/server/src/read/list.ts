/** LIST: which revision, from where, and how much of it. */

import {
  ANY_RESOURCE_VERSION,
  badListVersion,
  type ContinueToken,
  decodeContinueToken,
  decodeListOptions,
  encodeContinueToken,
  expiredContinue,
  expiredList,
  MEDIA_TYPE,
  type ParsedListOptions,
  parseResourceVersion,
  ResourceVersionError,
  tooLargeResourceVersion,
  versionWithContinue,
} from '@listwatch/api';
import { isStorageError } from '@listwatch/storage';
import { readIncludeObject } from '../answer/include-object.ts';
import { answerList } from '../answer/list-answer.ts';
import { answerProtobufList } from '../answer/protobuf-list.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { CacheGeneration } from '../cache/cache-generation.ts';
import { type CachedPage, type PageRequest, pacedPage } from '../cache/list-page.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { ApiResponse, BytesResponse, StreamResponse } from '../contract/api-response.ts';
import { type Pause, pauseOf } from '../contract/pause.ts';
import type { ReadVerb } from '../contract/verb.ts';
import type { CacheSet } from '../watch/cache-set.ts';
import type { ReadOrigin } from './read-origin.ts';
import { readScope } from './read-scope.ts';

type ListOrigin = Pick<ReadOrigin, 'newest' | 'page'>;

/** Which state a list shows. */
type ListVersion =
  /** At least as new as the store when the request arrives. */
  | { readonly type: 'newest' }
  /** Whatever version the cache has. */
  | { readonly type: 'any' }
  | { readonly type: 'notOlderThan'; readonly revision: bigint }
  | { readonly type: 'exact'; readonly revision: bigint };

/** The verb, reading from these caches and from their origin. */
export function listVerb(caches: CacheSet, origin: ListOrigin): ReadVerb {
  return async ({ kinds }, call) => {
    const options = decodeListOptions(call.request.query);
    const scope = readScope(call, options);
    const includeObject = readIncludeObject(call);
    const kind = caches.kind(call.definition);
    const { cache } = kind;
    const joined = cache.joined();
    if (joined !== undefined) await joined;
    // One generation for the whole list: its waits, its snapshot and its page.
    const generation = isServedDirectly(cache, scope, options.limit) ? undefined : cache.requireReady();
    const token = options.continue === '' ? undefined : decodeContinueToken(options.continue);
    const version = listVersion(options, token);
    // A list at version "0" is not paged, nor are its next pages. Kubernetes compares the text: `00` is paged.
    const unpaged = options.resourceVersion === ANY_RESOURCE_VERSION && generation !== undefined;
    const limit = unpaged ? 0 : Math.max(0, options.limit);
    const request = { scope, start: token?.start ?? '', limit };
    const pause = pauseOf(call.request);
    const page = await reportingStorage(() =>
      (generation === undefined
        ? readOriginPage(origin, cache, version, { request, pause, signal: call.request.signal })
        : readPage(origin, cache, generation, version, { request, pause, signal: call.request.signal })
      ).catch((error: unknown) => {
        throw isStorageError(error, 'COMPACTED') ? compacted(token) : error;
      }),
    );
    if (version.type === 'newest') kind.tellProgress();
    const left = page.undecodable ?? generation?.undecodable ?? 0;
    const { form } = call;
    const elsewhere = { large: kinds.large, request: call.request };
    const isProtobuf = form.mediaType === MEDIA_TYPE.protobuf;
    const response = isProtobuf
      ? await answerProtobufList(cache, page, form, pause, elsewhere)
      : answerList(cache, page, form, includeObject, pause, elsewhere);
    return withWarning(response, left);
  };
}

/** A list that leaves out values which cannot be decoded says so: kubectl and client-go show the warning. */
function withWarning(response: BytesResponse | StreamResponse, undecodable: number): ApiResponse {
  if (undecodable === 0) return response;
  const text = `${undecodable} stored object(s) of this resource cannot be decoded; lists leave them out`;
  return { ...response, headers: { ...response.headers, warning: `299 - "${text}"` } };
}

/** The rules of server-side resource versions for lists, in the order in which Kubernetes applies them. */
function listVersion(options: ParsedListOptions, token: ContinueToken | undefined): ListVersion {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (token !== undefined) {
    // By the text, and before it is known to be a version at all.
    if (resourceVersion !== '' && resourceVersion !== ANY_RESOURCE_VERSION) throw versionWithContinue();
    return token.revision === undefined ? { type: 'newest' } : { type: 'exact', revision: token.revision };
  }
  const revision = parseVersion(resourceVersion);
  if (resourceVersion === '') return { type: 'newest' };
  if (revision === 0n) return { type: 'any' };
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0);
  return { type: exact ? 'exact' : 'notOlderThan', revision };
}

function parseVersion(text: string): bigint {
  try {
    return text === '' ? 0n : parseResourceVersion(text);
  } catch (error) {
    throw error instanceof ResourceVersionError ? badListVersion(error) : error;
  }
}

interface PageCall {
  readonly request: PageRequest;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

async function readPage(
  origin: ListOrigin,
  cache: ResourceCache,
  generation: CacheGeneration,
  version: ListVersion,
  { request, pause, signal }: PageCall,
): Promise<CachedPage> {
  if (version.type === 'newest') {
    const newest = await origin.newest(cache.definition, signal);
    // The cache is late, or its origin cannot say how far the feed has come: the origin itself answers.
    if (!(await generation.reached(newest, signal))) return origin.page(cache, request, undefined, { signal, pause });
  }
  if (version.type === 'notOlderThan' || version.type === 'exact') {
    const { revision } = version;
    if (!(await generation.reached(revision, signal))) throw tooLargeResourceVersion(revision, generation.revision);
  }
  // No await until the objects are chosen from: the snapshot, the index and the window belong to one revision.
  if (version.type === 'exact') {
    const snapshot = generation.snapshotAt(version.revision);
    if (snapshot === undefined) return origin.page(cache, request, version.revision, { signal, pause });
    return pacedPage(snapshot, request, undefined, pause);
  }
  const snapshot = generation.snapshot();
  const page = await pacedPage(snapshot, request, generation.candidates(request.scope), pause);
  // After breaks the window may have moved on: the next page is then read from the store.
  if (page.next !== undefined && snapshot.revision >= generation.window.oldestStart) generation.keepSnapshot(snapshot);
  return page;
}

/**
 * While a cache is being filled, its origin answers cheap lists: one page without a selector. Other lists get a 429, or
 * every client that lost its watch would read the whole store at once.
 */
function isServedDirectly({ state }: ResourceCache, { labels, fields }: WatchScope, limit: number): boolean {
  return state.type === 'pending' && limit > 0 && labels.isEmpty && fields.isEmpty;
}

async function readOriginPage(
  origin: ListOrigin,
  cache: ResourceCache,
  version: ListVersion,
  { request, pause, signal }: PageCall,
): Promise<CachedPage> {
  const at = version.type === 'exact' ? version.revision : undefined;
  const page = await origin.page(cache, request, at, { signal, pause });
  if (version.type === 'notOlderThan' && page.revision < version.revision) {
    throw tooLargeResourceVersion(version.revision, page.revision);
  }
  return page;
}

function compacted(token: ContinueToken | undefined): Error {
  if (token === undefined) return expiredList();
  return expiredContinue(encodeContinueToken({ revision: undefined, start: token.start }));
}
