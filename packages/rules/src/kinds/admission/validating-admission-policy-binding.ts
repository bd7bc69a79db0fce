/** ValidatingAdmissionPolicyBinding: where a policy applies, and how it treats requests that fail it. */

import { type FieldError, fieldDuplicate, fieldInvalid, fieldRequired } from '@listwatch/api';
import { listOf, recordOf, textOf } from '@listwatch/api/values';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { defaultPolicyBinding, POLICY_BINDING_COLUMNS, validatePolicyBinding } from './admission-policy-rules.ts';
import { supported } from './admission-rule-validation.ts';

/** The rules of ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBinding: KindRules = {
  columns: POLICY_BINDING_COLUMNS,
  applyDefaults: defaultPolicyBinding,
  validate: (object) => {
    const spec = recordOf(object['spec']);
    return [...validatePolicyBinding(spec), ...validateActions(listOf(spec['validationActions']).map(textOf))];
  },
  strategy: { allowsUnconditionalUpdate: false },
};

const FIELD = 'spec.validationActions';
const ACTIONS = ['Audit', 'Deny', 'Warn'];

function validateActions(actions: readonly string[]): readonly FieldError[] {
  if (actions.length === 0) return [fieldRequired(FIELD, 'at least one validation action is required')];
  const seen = new Set<string>();
  const errors = itemErrors(actions, (action, index) => {
    const again = seen.has(action);
    seen.add(action);
    return [
      ...supported(action, ACTIONS, `${FIELD}[${index}]`),
      ...(again ? [fieldDuplicate(`${FIELD}[${index}]`, action)] : []),
    ];
  });
  const detail =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return actions.includes('Deny') && actions.includes('Warn')
    ? [...errors, fieldInvalid(FIELD, actions, detail)]
    : errors;
}
