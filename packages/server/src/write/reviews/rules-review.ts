/** POST of a SelfSubjectRulesReview: all that the user may do in a namespace. */

import { badRequest } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import { virtualKind } from '@listwatch/rules/internal';
import type { UserInfo } from '../../contract/api-request.ts';
import type { AccessRules, Authorizer } from '../../contract/authorization.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import { computedAnswer } from './computed-answer.ts';
import { readReview } from './virtual-request.ts';

const UNLISTED: AccessRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: 'the authorizer does not support user rule resolution',
};

/** The endpoint. An authorizer that cannot list its rules is answered as incomplete. */
export function rulesReviewEndpoint(authorizer: Authorizer): VirtualEndpoint {
  return {
    definition: virtualKind('authorization/v1.SelfSubjectRulesReview'),
    hasTable: false,
    answer: async (context, call) => {
      const kind = call.definition;
      const { object } = await readReview(context, call, kind);
      const namespace = textOf(recordOf(object['spec'])['namespace']);
      if (namespace === '') throw badRequest('no namespace on request');
      const rules = await rulesOf(authorizer, call.request.user, namespace);
      const { incomplete = false, ...listed } = rules;
      // Kubernetes answers without the spec and the metadata that it was sent.
      const answer = { ...object, metadata: {}, spec: {}, status: { ...listed, incomplete } };
      return computedAnswer(call, kind, answer, { status: 201 });
    },
  };
}

async function rulesOf(authorizer: Authorizer, user: UserInfo, namespace: string): Promise<AccessRules> {
  if (authorizer.rules === undefined) return UNLISTED;
  try {
    return await authorizer.rules(user, namespace);
  } catch (error) {
    return { ...UNLISTED, evaluationError: error instanceof Error ? error.message : String(error) };
  }
}
