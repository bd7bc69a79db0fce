/** Asks the upstream whether a user may do something, with all that it decides by: selectors too. */

import type { Clock } from '@listwatch/api';
import {
  type AccessAttributes,
  type AccessDecision,
  type Authorizer,
  reviewBody,
  reviewSpec,
  reviewStatus,
} from '@listwatch/server/read';
import { type Decided, DecisionCache, type DecisionCounts } from './decision-cache.ts';
import { cannotAsk, isUnanswered, type SendReview, tooManyReviews } from './review-client.ts';

const PATH = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const MAX_KEPT = 50_000;
const MAX_ASKED = 400;

/** Options of an {@link UpstreamAuthorizer}. */
export interface UpstreamAuthorizerOptions {
  readonly send: SendReview;
  readonly clock: Clock;
  /** How long a decision is kept, yes or no. 0: not at all. */
  readonly keepMs: number;
  /** So long a permission stands in while the upstream cannot be asked. Default: not at all. */
  readonly stretchMs?: number | undefined;
}

/** An authorizer. It throws a 503 while the upstream cannot be asked: nobody is let in then. */
export class UpstreamAuthorizer implements Authorizer {
  readonly #options: UpstreamAuthorizerOptions;
  readonly #cache: DecisionCache<AccessDecision>;

  constructor(options: UpstreamAuthorizerOptions) {
    const { clock, stretchMs: ms } = options;
    this.#options = options;
    const stretch =
      ms === undefined ? undefined : { ms, isUnanswered, isAllowed: ({ allowed }: AccessDecision) => allowed };
    this.#cache = new DecisionCache({
      clock,
      maxKept: MAX_KEPT,
      maxAsked: MAX_ASKED,
      tooMany: tooManyReviews,
      stretch,
    });
  }

  get counts(): DecisionCounts {
    return this.#cache.counts;
  }

  get kept(): number {
    return this.#cache.size;
  }

  /** The whole question is the key: a user of the same name in other groups is another user, another selector another scope. */
  authorize(attributes: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const spec = reviewSpec(attributes);
    return this.#cache.of(JSON.stringify(spec), () => this.#review(spec));
  }

  /** What stands in for answers, for a process that was restarted. */
  get cache(): Pick<DecisionCache<AccessDecision>, 'counts' | 'known' | 'restore'> {
    return this.#cache;
  }

  /** Every decision is asked for again, though nobody has heard that rights have changed. */
  refresh(): void {
    this.#cache.refresh();
  }

  /** Rights have changed: every decision is asked for again. */
  drop(): void {
    this.#cache.drop();
  }

  async #review(spec: ReturnType<typeof reviewSpec>): Promise<Decided<AccessDecision>> {
    const { allowed, denied, reason } = statusOf(await this.#options.send(PATH, reviewBody(spec, 'v1')));
    const shown = reason === '' ? {} : { reason };
    const { keepMs } = this.#options;
    return allowed && !denied
      ? { value: { allowed: true, ...shown }, keepMs }
      : { value: { allowed: false, ...shown }, keepMs };
  }
}

function statusOf(answer: unknown): ReturnType<typeof reviewStatus> {
  try {
    return reviewStatus(answer);
  } catch (cause) {
    throw cannotAsk(cause);
  }
}
