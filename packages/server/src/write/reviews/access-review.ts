/** POST of a SubjectAccessReview, of a LocalSubjectAccessReview, and of a SelfSubjectAccessReview: may a user do this? */

import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import { virtualKind } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { UserInfo } from '../../contract/api-request.ts';
import { type AccessAttributes, type Authorizer, DenyingFailure, failureReason } from '../../contract/authorization.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import { type AccessReviewRules, requireValidReview } from './access-review-rules.ts';
import { computedAnswer } from './computed-answer.ts';
import { reviewSelectors, selectorProblems } from './review-selectors.ts';
import { readReview } from './virtual-request.ts';

/** The endpoint of one of the three kinds. Without a subject of its own a review is about the user who sends it. */
export function accessReviewEndpoint(
  authorizer: Authorizer,
  type: TypeName,
  rules: AccessReviewRules,
): VirtualEndpoint {
  return {
    definition: virtualKind(type),
    hasTable: false,
    answer: async (context, call) => {
      const kind = call.definition;
      const { object } = await readReview(context, call, kind);
      requireValidReview(object, rules);
      const spec = recordOf(object['spec']);
      const user = rules.hasSubject ? subjectOf(spec) : call.request.user;
      const status = await accessStatus(authorizer, attributesOf(spec, user), selectorProblems(spec));
      return computedAnswer(call, kind, { ...object, status }, { status: 201 });
    },
  };
}

function subjectOf(spec: JsonRecord): UserInfo {
  const extra = Object.entries(recordOf(spec['extra'])).map(
    ([key, values]) => [key, listOf(values).map(textOf)] as const,
  );
  return {
    name: textOf(spec['user']),
    uid: textOf(spec['uid']),
    groups: listOf(spec['groups']).map(textOf),
    extra: Object.fromEntries(extra),
  };
}

function attributesOf(spec: JsonRecord, user: UserInfo): AccessAttributes {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  const isResource = isRecord(resource);
  const from = recordOf(isResource ? resource : other);
  const text = (name: string): string => textOf(from[name]);
  return {
    user,
    verb: text('verb'),
    isResource,
    group: text('group'),
    version: text('version'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
    path: text('path'),
    ...(isResource ? reviewSelectors(resource) : {}),
  };
}

async function accessStatus(
  authorizer: Authorizer,
  attributes: AccessAttributes,
  problems: readonly string[],
): Promise<JsonRecord> {
  const evaluated = (more: readonly string[] = []): JsonRecord => {
    const all = [...problems, ...more];
    return all.length === 0 ? {} : { evaluationError: all.join('; ') };
  };
  try {
    const decision = await authorizer.authorize(attributes);
    const { allowed, reason } = decision;
    const denied = !allowed && decision.denied === true ? { denied: true } : {};
    return { allowed, ...denied, ...(reason ? { reason } : {}), ...evaluated() };
  } catch (error) {
    // A review reports an error of the authorizer in its status instead of failing.
    const failure = evaluated([error instanceof Error ? error.message : String(error)]);
    const reason = failureReason(error);
    const denied = error instanceof DenyingFailure ? { denied: true } : {};
    return { allowed: false, ...denied, ...(reason === '' ? {} : { reason }), ...failure };
  }
}
