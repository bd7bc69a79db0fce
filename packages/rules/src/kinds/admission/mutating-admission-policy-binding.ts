/** MutatingAdmissionPolicyBinding: enables a mutating policy for selected requests, with parameters. */

import { recordOf } from '@listwatch/api/values';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { defaultPolicyBinding, POLICY_BINDING_COLUMNS, validatePolicyBinding } from './admission-policy-rules.ts';
import { validateMutatingOperations } from './admission-rule-validation.ts';

/** The rules of MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBinding: KindRules = {
  columns: POLICY_BINDING_COLUMNS,
  applyDefaults: defaultPolicyBinding,
  validate: (object) => {
    const spec = recordOf(object['spec']);
    return [
      ...validatePolicyBinding(spec),
      ...validateMutatingOperations(recordOf(spec['matchResources']), 'spec.matchResources'),
    ];
  },
  strategy: { allowsUnconditionalUpdate: false },
};
