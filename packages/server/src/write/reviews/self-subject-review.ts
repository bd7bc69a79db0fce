/** POST of a SelfSubjectReview: who am I? */

import type { JsonRecord } from '@listwatch/api/values';
import { answeredKind, wholeSeconds } from '@listwatch/rules/internal';
import { warningHeader } from '../../answer/warning-header.ts';
import type { AnsweredEndpoint } from '../../contract/answered-endpoint.ts';
import type { UserInfo } from '../../contract/api-request.ts';
import { readAnsweredBody } from './answered-body.ts';
import { computedAnswer } from './computed-answer.ts';

/** The endpoint. Its answer has nothing of what was sent. */
export const selfSubjectReviewEndpoint: AnsweredEndpoint = {
  definition: answeredKind('authentication/v1.SelfSubjectReview'),
  hasTable: false,
  answer: async (context, call) => {
    const kind = call.definition;
    const { object, warnings } = await readAnsweredBody(context, call, kind);
    const metadata = { creationTimestamp: wholeSeconds(context.store.clock.now()) };
    const answer = { ...object, metadata, status: { userInfo: userStatus(call.request.user) } };
    return computedAnswer(call, kind, answer, { status: 201, headers: warningHeader(warnings) });
  },
};

/** A user as reviews show it. */
export function userStatus({ name: username, uid, groups, extra }: UserInfo): JsonRecord {
  return { username, ...(uid ? { uid } : {}), groups, ...(extra === undefined ? {} : { extra }) };
}
