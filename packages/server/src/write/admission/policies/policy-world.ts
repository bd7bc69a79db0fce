/** The environment of policies besides the request. */

import type { KubeObject, MutatingPolicy, PolicyOutcome, ValidatingPolicy } from '@listwatch/rules/internal';
import type { Authorizer } from '../../../contract/authorization.ts';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { RoundOptions, RoundResult } from './mutation-round.ts';
import type { PolicyCounts } from './policy-counts.ts';
import type { ReadNamespace } from './policy-inputs.ts';
import type { PlanFacts, PolicyInvocation } from './policy-plan.ts';

/** Evaluates policies in another thread. */
export interface ElsewhereEvaluation {
  /** Evaluates one policy. */
  validate(request: DynamicRequest, invocation: PolicyInvocation<ValidatingPolicy>): Promise<PolicyOutcome>;
  /** Runs a round of mutations. */
  mutate(
    request: DynamicRequest,
    invocations: readonly PolicyInvocation<MutatingPolicy>[],
    round: Pick<RoundOptions, 'isSecond' | 'reinvocations'>,
  ): Promise<RoundResult & { readonly object: KubeObject | undefined }>;
}

/** The surroundings of policies in one server. */
export interface PolicyWorld extends PlanFacts {
  readonly namespace: ReadNamespace;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly counts: PolicyCounts;
  /** Undefined: all evaluations run here, however long they take. */
  readonly elsewhere: ElsewhereEvaluation | undefined;
  /** Milliseconds, for durations. */
  readonly now: () => number;
  /** The time for defaults. */
  readonly time: () => number;
}
