/** POST of a SelfSubjectReview: who am I? */

import type { JsonRecord } from '@listwatch/api/values';
import { virtualKind, wholeSeconds } from '@listwatch/rules/internal';
import type { UserInfo } from '../../contract/api-request.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import { computedAnswer } from './computed-answer.ts';
import { readReview } from './virtual-request.ts';

/** The endpoint. Its answer ignores the body. */
export const selfSubjectReviewEndpoint: VirtualEndpoint = {
  definition: virtualKind('authentication/v1.SelfSubjectReview'),
  hasTable: false,
  answer: async (context, call) => {
    const kind = call.definition;
    const { object } = await readReview(context, call, kind);
    const metadata = { creationTimestamp: wholeSeconds(context.store.clock.now()) };
    const answer = { ...object, metadata, status: { userInfo: userStatus(call.request.user) } };
    return computedAnswer(call, kind, answer, { status: 201 });
  },
};

/** A user as reviews show it. */
export function userStatus({ name: username, uid, groups, extra }: UserInfo): JsonRecord {
  return { username, ...(uid ? { uid } : {}), groups, ...(extra === undefined ? {} : { extra }) };
}
