/** MutatingAdmissionPolicy: expressions that change objects. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf, recordsOf, textOf } from '../../json/json-value.ts';
import type { KindRules } from '../../kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { oneOf } from '../../validation/value-rules.ts';
import { defaultPolicy, policyColumns, validatePolicy } from './admission-policy-rules.ts';
import { REINVOCATION_POLICIES, validateMutatingOperations } from './admission-rule-validation.ts';

type Errors = readonly FieldError[];

/** The rules of MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicy: KindRules = {
  columns: policyColumns('Mutations', 'mutations'),
  applyDefaults: defaultPolicy,
  validate: (object) => {
    const spec = recordOf(object['spec']);
    const mutations = recordsOf(spec['mutations']);
    return [
      ...validatePolicy(spec, validateMutatingOperations),
      ...(mutations.length === 0
        ? [fieldRequired('spec.mutations', 'mutations must contain at least one item')]
        : itemErrors(mutations, (mutation, index) => validateMutation(mutation, `spec.mutations[${index}]`))),
      ...oneOf(spec['reinvocationPolicy'], REINVOCATION_POLICIES, 'spec.reinvocationPolicy'),
    ];
  },
  strategy: { allowsUnconditionalUpdate: false },
};

/** The field that holds the expression of each type of patch. */
const FIELD_OF_TYPE = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

function validateMutation(mutation: JsonRecord, field: string): Errors {
  const type = textOf(mutation['patchType']);
  if (type === '') return [fieldRequired(`${field}.patchType`)];
  if (type !== 'ApplyConfiguration' && type !== 'JSONPatch') {
    return [fieldNotSupported(`${field}.patchType`, type, Object.keys(FIELD_OF_TYPE))];
  }
  const own = FIELD_OF_TYPE[type];
  const other = type === 'JSONPatch' ? 'applyConfiguration' : 'jsonPatch';
  const patch = mutation[own];
  return [
    ...validatePatch(patch, `${field}.${own}`, type),
    ...(isRecord(mutation[other])
      ? [fieldInvalid(`${field}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`)]
      : []),
  ];
}

function validatePatch(patch: unknown, field: string, type: string): Errors {
  if (!isRecord(patch)) return [fieldRequired(field, `must be specified when patchType is ${type}`)];
  return textOf(patch['expression']).trim() === '' ? [fieldRequired(`${field}.expression`)] : [];
}
