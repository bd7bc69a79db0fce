/** Answers the reads that access was granted to: from the cache, or not here. */

import type { Clock } from '@listwatch/api';
import { isStatusError, isTooManyRequests, MEDIA_TYPE, type ResourceRequestPath } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import {
  type ApiRequest,
  type ApiResponse,
  type CacheSet,
  type NegotiatedForm,
  NO_LARGE_WORK,
  negotiate,
  objectAnswer,
  PassRequest,
  type ReadVerbs,
  type RequestHandler,
  UnencodableSink,
} from '@listwatch/server/read';
import { oldAge, silenceOf } from '../feed/feed-state.ts';
import type { KindFeed } from '../feed/kind-feed.ts';
import type { RelayFeeds } from '../feed/relay-feeds.ts';
import { UnknownMessage } from '../kinds/kind-messages.ts';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import { type FreshRead, type FreshReads, freshRead } from './fresh-read.ts';
import type { ReadCounts } from './read-counts.ts';
import type { PassPlan, PassReason, ReadPlan } from './read-plan.ts';
import { isSmallRead } from './read-size.ts';
import type { KnownNow } from './relay-origin.ts';

/** As kube-apiserver waits for a version. */
const VERSION_MS = 3000;
/** The page before may have come from the upstream, whose version nobody knows here while the kind is quiet. */
const CONTINUED_MS = 100;

/** What the handler reads. */
export interface RelayHandlerParts {
  /** The plan of a request that the gate has let in. */
  readonly plan: (request: ApiRequest) => PassPlan | ReadPlan;
  readonly caches: CacheSet<RelayFeeds>;
  /** The verbs that read the caches; with what somebody has found out for this request of what is true now. */
  readonly verbs: (known?: KnownNow) => ReadVerbs;
  readonly fresh: FreshReads;
  /** See `RelayFacts`. */
  readonly isOwnServer: () => boolean;
  readonly clock: Clock;
  readonly counts: ReadCounts;
}

/** A handler that throws `PassRequest` for what the cache cannot answer exactly. */
export function createRelayHandler(parts: RelayHandlerParts): RequestHandler {
  const {
    plan,
    caches,
    fresh: { limit },
    isOwnServer,
    clock,
    counts,
  } = parts;
  const anyVersion = parts.verbs();
  const asTheyAre = parts.verbs({ revision: 0n, isStale: true });
  const large = NO_LARGE_WORK;
  const kinds = { answer: objectAnswer((definition) => caches.kind(definition).cache, large), large };
  /** From the cache, as soon as it may be. */
  const read = async (
    decided: ReadPlan,
    path: ResourceRequestPath,
    feed: KindFeed,
    isSmall: boolean,
    request: ApiRequest,
  ): Promise<ApiResponse> => {
    const { verb, kind } = decided;
    const fresh = await ready(parts, feed, decided, isSmall, request);
    if (fresh?.type === 'answered') {
      counts.cached(kind, verb, request.header('user-agent'));
      return fresh.response;
    }
    const isStale = fresh?.type === 'stale';
    const current = fresh?.type === 'proven' ? parts.verbs({ revision: fresh.revision, isStale: false }) : anyVersion;
    const verbs = isStale ? asTheyAre : current;
    const form = negotiate(request.header('accept'), verb === 'get' ? 'object' : verb, request.route.pretty);
    const call = { request, path, definition: kind.definition, form, warn: () => {} };
    try {
      const answered = await verbs[verb]({ kinds }, call);
      // kube-apiserver writes `null` where a list of metadata is empty.
      if (form.as === 'metadata' && isEmptyList(answered) && !isOwnServer())
        throw new PassRequest('form' satisfies PassReason);
      counts.cached(kind, verb, request.header('user-agent'));
      const response = isProtobuf(form) ? untilUnknown(answered, kind) : answered;
      // What was proven just now is not old, however long its feed has been silent.
      const now = monotonicMs(clock);
      const old = isStale ? silenceOf(feed.state, now) : oldAge(feed.state, now);
      if (old === undefined || fresh?.type === 'proven') return response;
      counts.old(kind);
      return aged(response, old);
    } catch (error) {
      if (error instanceof UnknownMessage) throw new PassRequest('form' satisfies PassReason);
      // The cache has gone meanwhile: the upstream knows. Other refusals are for want of room here.
      if (feed.cache.generation === undefined && isTooManyRequests(error))
        throw new PassRequest('loading' satisfies PassReason);
      // A refusal has no place for its age.
      if ((isStale || feed.state.type === 'away') && isStatusError(error))
        throw new PassRequest('version' satisfies PassReason);
      if (isStatusError(error)) counts.cached(kind, verb, request.header('user-agent'));
      throw error;
    }
  };
  return async (request) => {
    const decided = plan(request);
    const { path } = request.route;
    // The gate has decided by the same head: this is a failure of the relay.
    if (decided.type === 'pass' || path.type !== 'resource') throw new PassRequest('path' satisfies PassReason);
    const { verb, kind } = decided;
    // Its definition has just changed: what the upstream shows of it now is not cached.
    await kind.custom?.settled;
    const { cache } = caches.kind(kind.definition);
    const joined = cache.joined();
    if (joined !== undefined) await joined;
    const { generation } = cache;
    if (generation === undefined) throw new PassRequest('loading' satisfies PassReason);
    const feed = caches.feed.of(kind);
    if (feed === undefined) throw new PassRequest('kind' satisfies PassReason);
    const isSmall = isSmallRead(decided, generation);
    try {
      return await read(decided, path, feed, isSmall, request);
    } catch (error) {
      // Whatever the reason, each of them makes the upstream read the whole kind; a list that is empty here is small.
      if (error instanceof PassRequest && !isSmall && error.reason !== ('form' satisfies PassReason))
        limit.enter(kind, verb === 'watch', request.signal);
      throw error;
    }
  };
}

function isProtobuf({ mediaType }: NegotiatedForm): boolean {
  return mediaType === MEDIA_TYPE.protobuf;
}

function isEmptyList(response: ApiResponse): boolean {
  return response.type === 'bytes' && response.body.includes('"items":[]');
}

/** A watch ends before an event whose protobuf only the upstream knows: its client goes on there from the event before. */
function untilUnknown(response: ApiResponse, { messages }: RelayedKind): ApiResponse {
  if (response.type !== 'watch') return response;
  const refuses = (): boolean => messages?.areKnown !== true;
  return { ...response, start: (sink) => response.start(new UnencodableSink(sink, refuses)) };
}

/** Of a version that is not here in time the upstream says whether it will ever be. */
async function ready(
  { fresh }: RelayHandlerParts,
  feed: KindFeed,
  plan: ReadPlan,
  isSmall: boolean,
  request: ApiRequest,
): Promise<FreshRead | undefined> {
  const { needs } = plan;
  if (needs.type === 'newest') return freshRead(fresh, feed, plan, isSmall, request);
  if (needs.type === 'any' || needs.type === 'after') return undefined;
  const ms = needs.type === 'exact' && needs.isContinued === true ? CONTINUED_MS : VERSION_MS;
  if (!(await feed.reached(needs.revision, request.signal, ms))) throw new PassRequest('version' satisfies PassReason);
  return undefined;
}

/** The upstream is away: an answer says how old it may be, for people and for programs; a watch, how old it begins. */
function aged(response: ApiResponse, ms: number): ApiResponse {
  if (response.type === 'tunnel') return response;
  const seconds = Math.ceil(ms / 1000);
  const text = `the upstream server has not answered for ${seconds} s; this may be as old as that`;
  const warning = response.headers?.['warning'];
  const own = `299 - "${text}"`;
  const told = { age: String(seconds), warning: warning === undefined ? own : `${own}, ${warning}` };
  return { ...response, headers: { ...response.headers, ...told } };
}
