/** POST of a SubjectAccessReview, of a LocalSubjectAccessReview, and of a SelfSubjectAccessReview: may a user do this? */

import { parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import { answeredKind } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import { warningHeader } from '../../answer/warning-header.ts';
import type { AnsweredEndpoint } from '../../contract/answered-endpoint.ts';
import type { UserInfo } from '../../contract/api-request.ts';
import type { AccessAttributes, Authorizer } from '../../contract/authorization.ts';
import { type AccessReviewRules, requireValidReview } from './access-review-rules.ts';
import { readAnsweredBody } from './answered-body.ts';
import { computedAnswer } from './computed-answer.ts';

/** The endpoint of one of the three kinds. Without a subject of its own a review is about the user who sends it. */
export function accessReviewEndpoint(
  authorizer: Authorizer,
  type: TypeName,
  rules: AccessReviewRules,
): AnsweredEndpoint {
  return {
    definition: answeredKind(type),
    hasTable: false,
    answer: async (context, call) => {
      const kind = call.definition;
      const { object, warnings } = await readAnsweredBody(context, call, kind);
      requireValidReview(object, rules);
      const spec = recordOf(object['spec']);
      const user = rules.hasSubject ? subjectOf(spec) : call.request.user;
      const status = await accessStatus(authorizer, attributesOf(spec, user), selectorProblems(spec));
      return computedAnswer(call, kind, { ...object, status }, { status: 201, headers: warningHeader(warnings) });
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
    if (decision.allowed) return { allowed: true, ...evaluated() };
    return { allowed: false, ...(decision.reason ? { reason: decision.reason } : {}), ...evaluated() };
  } catch (error) {
    // A review reports what went wrong with the decision; only the request itself would fail with it.
    return { allowed: false, ...evaluated([error instanceof Error ? error.message : String(error)]) };
  }
}

/** Selectors that cannot be parsed are left out of the question, and the answer says so. */
function selectorProblems(spec: JsonRecord): readonly string[] {
  const resource = recordOf(spec['resourceAttributes']);
  const problem = (name: string, parse: (text: string) => unknown): readonly string[] => {
    const raw = textOf(recordOf(resource[name])['rawSelector']);
    return raw === '' || canParse(parse, raw) ? [] : [`spec.resourceAttributes.${name} ignored due to parse error`];
  };
  return [...problem('fieldSelector', parseFieldSelector), ...problem('labelSelector', parseLabelSelector)];
}

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
