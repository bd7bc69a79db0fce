/** MutatingAdmissionPolicy: expressions that change objects. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { problemErrors } from '../../validation/expression-problem.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { oneOf } from '../../validation/value-rules.ts';
import type { AdmissionExpressions } from './admission-expressions.ts';
import { defaultPolicy, policyColumns, type ValidatedPolicy, validatePolicy } from './admission-policy-rules.ts';
import { REINVOCATION_POLICIES, validateMutatingOperations } from './admission-rule-validation.ts';
import { policyValidation } from './policy-validation.ts';

type Errors = readonly FieldError[];

/** The rules of MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicy: KindRules = {
  columns: policyColumns('Mutations', 'mutations'),
  applyDefaults: defaultPolicy,
  ...policyValidation(validate, () => true),
  strategy: { allowsUnconditionalUpdate: false },
};

function validate(_object: KubeObject, policy: ValidatedPolicy): Errors {
  const { spec, expressions } = policy;
  const mutations = recordsOf(spec['mutations']);
  return [
    ...validatePolicy(policy, validateMutatingOperations),
    ...(mutations.length === 0
      ? [fieldRequired('spec.mutations', 'mutations must contain at least one item')]
      : itemErrors(mutations, (mutation, index) =>
          validateMutation(mutation, expressions, `spec.mutations[${index}]`),
        )),
    ...oneOf(spec['reinvocationPolicy'], REINVOCATION_POLICIES, 'spec.reinvocationPolicy'),
  ];
}

/** The field that holds the expression of each type of patch. */
const FIELD_OF_TYPE = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

function validateMutation(mutation: JsonRecord, expressions: AdmissionExpressions, field: string): Errors {
  const type = textOf(mutation['patchType']);
  if (type === '') return [fieldRequired(`${field}.patchType`)];
  if (type !== 'ApplyConfiguration' && type !== 'JSONPatch') {
    return [fieldNotSupported(`${field}.patchType`, type, Object.keys(FIELD_OF_TYPE))];
  }
  const own = FIELD_OF_TYPE[type];
  const other = type === 'JSONPatch' ? 'applyConfiguration' : 'jsonPatch';
  const patch = mutation[own];
  return [
    ...validatePatch(patch, type, expressions, `${field}.${own}`),
    ...(isRecord(mutation[other])
      ? [fieldInvalid(`${field}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`)]
      : []),
  ];
}

function validatePatch(
  patch: unknown,
  type: keyof typeof FIELD_OF_TYPE,
  expressions: AdmissionExpressions,
  field: string,
): Errors {
  if (!isRecord(patch)) return [fieldRequired(field, `must be specified when patchType is ${type}`)];
  const text = textOf(patch['expression']).trim();
  const use = type === 'JSONPatch' ? 'jsonPatch' : 'apply';
  return text === ''
    ? [fieldRequired(`${field}.expression`)]
    : problemErrors(expressions.problem(use, text), text, `${field}.expression`);
}
