import { AccessAnswers, type DecideAccess } from './access-answers.ts';
import type { EvaluationThread } from './policy-evaluation.ts';
import { PolicyInput, type PolicyRequest } from './policy-input.ts';

/** A thread that nobody waits for. */
export const PATIENT: EvaluationThread = { quick: undefined, now: () => 0 };

/** The input of a policy: the creation of a ConfigMap, with changes. */
export function policyInput(changes: Partial<PolicyRequest> = {}, decide: DecideAccess = () => ALLOWED): PolicyInput {
  return new PolicyInput({
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'ns' }, data: { k: 'v' } },
    oldObject: null,
    request: { operation: 'CREATE', name: 'a', namespace: 'ns', userInfo: { username: 'jane', groups: ['g'] } },
    namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns', labels: { team: 'blue' } } },
    target: {
      group: '',
      resource: 'configmaps',
      subresource: '',
      namespace: 'ns',
      name: 'a',
      fieldSelector: '',
      labelSelector: '',
    },
    access: new AccessAnswers(decide),
    ...changes,
  });
}

const ALLOWED = { allowed: true, reason: '', error: '' };
