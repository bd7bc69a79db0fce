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
}

/** What becomes of a read. What has to pass throws a `PassRequest`. */
export type FreshRead =
  /** The cache has everything that was acknowledged before the request: it may show this version or a later one. */
  | { readonly type: 'proven'; readonly revision: bigint }
  /** It may begin: its end is held until that is known. */
  | { readonly type: 'begin' }
  | { readonly type: 'answered'; readonly response: ApiResponse };

/** Of a request whose access was granted. */
export async function freshRead(
  { passes }: Pick<FreshReads, 'passes'>,
  feed: KindFeed,
  plan: ReadPlan,
  isSmall: boolean,
  request: ApiRequest,
): Promise<FreshRead> {
  const { verb } = plan;
  const { signal } = request;
  // Nothing comes from the upstream: no proof will.
  if (feed.state.type !== 'live') throw pass('most recent');
  const { ladder } = feed;
  if (verb === 'watch' && isMarked(plan) && !ladder.isHopeless) return { type: 'begin' };
  const isShared = verb === 'list' && isSmall;
  const end = await ladder.climb(isShared, signal);
  if (end.type === 'proven') return end;
  if (end.why === 'away') throw pass('most recent');
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
