/** Validates access reviews, with Kubernetes' words. */

import {
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  invalid,
} from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';

/** Which rules a review has beside the common ones. */
export interface AccessReviewRules {
  /** Does it name the user? */
  readonly hasSubject: boolean;
  /** Is it about one namespace only? */
  readonly isLocal: boolean;
}

/** Throws the 422 with all errors. Kubernetes names no kind in it. */
export function requireValidReview(object: KubeObject, rules: AccessReviewRules): void {
  const errors = reviewErrors(object, rules);
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

function reviewErrors({ metadata, ...object }: KubeObject, { hasSubject, isLocal }: AccessReviewRules): FieldError[] {
  const spec = recordOf(object['spec']);
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  const errors: FieldError[] = [];
  if (isRecord(resource) && isRecord(other)) {
    const why = 'cannot be specified in combination with resourceAttributes';
    errors.push(fieldInvalid('spec.nonResourceAttributes', goAttributes(other), why));
  }
  if (!isRecord(resource) && !isRecord(other)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(fieldInvalid('spec.resourceAttributes', null, why));
  }
  if (isRecord(resource)) {
    errors.push(
      ...selectorErrors('spec.resourceAttributes.fieldSelector', resource['fieldSelector'], fieldRequirement),
    );
    errors.push(
      ...selectorErrors('spec.resourceAttributes.labelSelector', resource['labelSelector'], labelRequirement),
    );
  }
  if (hasSubject && textOf(spec['user']) === '' && listOf(spec['groups']).length === 0) {
    errors.push(fieldInvalid('spec.user', '', 'at least one of user or group must be specified'));
  }
  const { managedFields: _managers, namespace = '', ...rest } = metadata;
  const named = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  if (named.length > 0 || (!isLocal && namespace !== '')) {
    const shown = { ...Object.fromEntries(named), ...(namespace === '' ? {} : { namespace }) };
    errors.push(fieldInvalid('metadata', shown, isLocal ? 'must be empty except for namespace' : 'must be empty'));
  }
  if (isLocal && isRecord(resource) && textOf(resource['namespace']) !== namespace) {
    const field = 'spec.resourceAttributes.namespace';
    errors.push(fieldInvalid(field, textOf(resource['namespace']), 'must match metadata.namespace'));
  }
  if (isLocal && isRecord(other)) {
    errors.push(fieldInvalid('spec.nonResourceAttributes', goAttributes(other), 'disallowed on this kind of request'));
  }
  return errors;
}

/** The attributes as Go prints its own struct, which has no JSON names. */
function goAttributes(attributes: JsonRecord): object {
  return { Path: textOf(attributes['path']), Verb: textOf(attributes['verb']) };
}

/** Gives the errors of a requirement in the order of Kubernetes. */
type RequirementCheck = (field: string, requirement: JsonRecord) => readonly FieldError[];

const fieldRequirement: RequirementCheck = (field, requirement) => [
  ...(textOf(requirement['key']) === '' ? [fieldRequired(`${field}.key`, 'must be specified')] : []),
  ...countErrors(`${field}.values`, requirement),
];
const labelRequirement: RequirementCheck = (field, requirement) => {
  const key = textOf(requirement['key']);
  return [
    ...countErrors(`${field}.values`, requirement),
    ...checkQualifiedName(key).map((why) => fieldInvalid(`${field}.key`, key, why)),
    ...listOf(requirement['values']).flatMap((value, index) =>
      checkLabelValue(textOf(value)).map((why) => fieldInvalid(`${field}.values[${index}]`, value, why)),
    ),
  ];
};

function* selectorErrors(field: string, value: unknown, check: RequirementCheck): Generator<FieldError> {
  if (!isRecord(value)) return;
  const raw = textOf(value['rawSelector']);
  const requirements = recordsOf(value['requirements']);
  if (raw !== '' && requirements.length > 0) {
    yield fieldInvalid(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements');
  }
  if (raw === '' && requirements.length === 0) {
    yield fieldRequired(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`);
  }
  for (const [index, requirement] of requirements.entries()) {
    yield* check(`${field}.requirements[${index}]`, requirement);
  }
}

function countErrors(field: string, requirement: JsonRecord): readonly FieldError[] {
  const operator = textOf(requirement['operator']);
  const count = listOf(requirement['values']).length;
  if ((operator === 'In' || operator === 'NotIn') && count === 0) {
    return [fieldRequired(field, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
    return [fieldForbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return [];
}
