/** Reads of what is true now: whether the cache may answer them, and what becomes of those that it may not. */

import { type ApiRequest, type ApiResponse, type CacheGeneration, PassRequest } from '@listwatch/server/read';
import type { KindFeed } from '../feed/kind-feed.ts';
import type { PassLimit } from './pass-limit.ts';
import type { PassReason, ReadPlan } from './read-plan.ts';
import type { SharedPasses } from './shared-passes.ts';

/** What they share. */
export interface FreshReads {
  readonly passes: SharedPasses;
  readonly limit: PassLimit;
}

/** What becomes of a read. What has to pass throws a `PassRequest`, or a 429. */
export type FreshRead =
  /** The cache has everything that was acknowledged before the request: it may show this version or a later one. */
  | { readonly type: 'proven'; readonly revision: bigint }
  /** It may begin: its end is held until that is known. */
  | { readonly type: 'begin' }
  | { readonly type: 'answered'; readonly response: ApiResponse };

/** A list of this size costs the upstream less than to wait for a proof costs the client. */
const SMALL_BYTES = 1024 * 1024;

/** Of a request whose access was granted. */
export async function freshRead(
  { passes, limit }: FreshReads,
  feed: KindFeed,
  generation: CacheGeneration,
  plan: ReadPlan,
  request: ApiRequest,
): Promise<FreshRead> {
  const { verb, kind } = plan;
  const { signal } = request;
  // Nothing comes from the upstream: no proof will.
  if (feed.state.type !== 'live') throw pass('most recent');
  const isSmall = bytesOf(generation, plan, request) < SMALL_BYTES;
  const { ladder } = feed;
  if (verb === 'watch' && isMarked(plan) && !ladder.isHopeless) return { type: 'begin' };
  const isShared = verb === 'list' && isSmall;
  const end = await ladder.climb(isShared, signal);
  if (end.type === 'proven') return end;
  if (end.why === 'away') throw pass('most recent');
  if (!isSmall) limit.enter(kind, verb === 'watch', signal);
  const response = isShared ? await passes.answer(request) : undefined;
  if (response !== undefined) return { type: 'answered', response };
  throw pass(end.why === 'quiet' ? 'quiet' : 'no proof');
}

/** About how many bytes the answer takes at most. */
function bytesOf({ bytes, size }: CacheGeneration, { needs }: ReadPlan, { route }: ApiRequest): number {
  if (route.path.type === 'resource' && route.path.name !== '') return 0;
  if (needs.type !== 'newest') return bytes;
  if (needs.isOneName) return 0;
  return needs.limit > 0 && size > 0 ? Math.min(bytes, (needs.limit * bytes) / size) : bytes;
}

function isMarked({ needs }: ReadPlan): boolean {
  return needs.type === 'newest' && needs.isMarked;
}

function pass(reason: PassReason): PassRequest {
  return new PassRequest(reason);
}
