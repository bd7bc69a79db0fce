/** POST of a TokenReview: whose token is this? */

import { badRequest } from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import { virtualKind } from '@listwatch/rules/internal';
import type { TokenReviewer, TokenVerdict } from '../../contract/service-account-token.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import { computedAnswer } from './computed-answer.ts';
import { userStatus } from './self-subject-review.ts';
import { readReview } from './virtual-request.ts';

/** The endpoint. A refused token is an answer, and not a failure. */
export function tokenReviewEndpoint(review: TokenReviewer): VirtualEndpoint {
  return {
    definition: virtualKind('authentication/v1.TokenReview'),
    hasTable: false,
    answer: async (context, call) => {
      const kind = call.definition;
      const { object } = await readReview(context, call, kind);
      const spec = recordOf(object['spec']);
      const token = textOf(spec['token']);
      if (token === '') throw badRequest('token is required for TokenReview in authentication');
      const audiences = listOf(spec['audiences']).map(textOf);
      const status = statusOf(await review(token, audiences.length > 0 ? audiences : undefined));
      return computedAnswer(call, kind, { ...object, status }, { status: 201 });
    },
  };
}

function statusOf(verdict: TokenVerdict): JsonRecord {
  if ('error' in verdict) return { user: {}, error: verdict.error };
  return { authenticated: true, user: userStatus(verdict.user), audiences: verdict.audiences };
}
