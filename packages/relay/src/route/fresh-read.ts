/** Reads of what is true now: whether the cache may answer them, and what becomes of those that it may not. */

import { type ApiRequest, type ApiResponse, PassRequest } from '@listwatch/server/read';
import type { KindFeed } from '../feed/kind-feed.ts';
import type { PassLimit } from './pass-limit.ts';
import type { PassReason, ReadPlan } from './read-plan.ts';
import type { SharedPasses } from './shared-passes.ts';

/** What they share. */
export interface FreshReads {
  readonly passes: SharedPasses;
  readonly limit: PassLimit;
  /** Is a read answered with what the cache has while the upstream does not answer? */
  readonly servesStale: boolean;
}

/** What becomes of a read. What has to pass throws a `PassRequest`. */
export type FreshRead =
  /** The cache has everything that was acknowledged before the request: it may show this version or a later one. */
  | { readonly type: 'proven'; readonly revision: bigint }
  /** The upstream does not answer: the cache may show what it has, and says how old it is. */
  | { readonly type: 'stale' }
  /** It may begin: its end is held until that is known. */
  | { readonly type: 'begin' }
  | { readonly type: 'answered'; readonly response: ApiResponse };

/** Of a request whose access was granted. */
export async function freshRead(
  { passes, servesStale }: Pick<FreshReads, 'passes' | 'servesStale'>,
  feed: KindFeed,
  plan: ReadPlan,
  isSmall: boolean,
  request: ApiRequest,
): Promise<FreshRead> {
  const { verb } = plan;
  const { signal } = request;
  const { ladder } = feed;
  const isLive = feed.state.type === 'live';
  if (!isLive) {
    // Nothing comes from the upstream: no proof will.
    if (!servesStale) throw pass('most recent');
    if (ladder.isSilent) return { type: 'stale' };
  }
  if (isLive && verb === 'watch' && isMarked(plan) && !ladder.isHopeless) return { type: 'begin' };
  const isShared = verb === 'list' && isSmall;
  // A single object is asked for as cheaply as a proof. A feed that is away may only be refused: then the upstream answers.
  const end = await ladder.climb(isShared || verb === 'get' || !isLive, signal);
  if (end.type === 'proven') return end;
  if (end.why === 'away' && servesStale) return { type: 'stale' };
  if (end.why === 'away' || end.why === 'doubt') throw pass('most recent');
  const response = isShared ? await passes.answer(request) : undefined;
  if (response !== undefined) return { type: 'answered', response };
  throw pass(end.why === 'quiet' ? 'quiet' : 'no proof');
}

function isMarked({ needs }: ReadPlan): boolean {
  return needs.type === 'newest' && needs.isMarked;
}

function pass(reason: PassReason): PassRequest {
  return new PassRequest(reason);
}
