/** Validates the rules that select requests for a webhook or an admission policy. */

import {
  checkPathSegment,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';
import { problemErrors } from '../../validation/expression-problem.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import type { AdmissionExpressions } from './admission-expressions.ts';

type Errors = readonly FieldError[];

/** The operations that a rule can match. */
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
/** The operations that a rule of a mutating policy can match. */
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/** Checks an optional text with a list of values. */
export function supported(value: unknown, values: readonly string[], field: string): Errors {
  return typeof value !== 'string' || values.includes(value) ? [] : [fieldNotSupported(field, value, values)];
}

/** The values of `failurePolicy`. */
export const FAILURE_POLICIES: readonly string[] = ['Fail', 'Ignore'];

/** The values of `matchPolicy`. */
export const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact'];

/** The values of `reinvocationPolicy`. */
export const REINVOCATION_POLICIES: readonly string[] = ['IfNeeded', 'Never'];

/** Checks one rule: operations, groups, versions and resources. */
export function validateAdmissionRule(rule: JsonRecord, field: string): Errors {
  const operations = textsOf(rule['operations']);
  const versions = textsOf(rule['apiVersions']);
  return [
    ...(operations.length === 0 ? [fieldRequired(`${field}.operations`)] : []),
    ...alone(operations, `${field}.operations`, 'operations'),
    ...itemErrors(operations, (operation, index) => supported(operation, OPERATIONS, `${field}.operations[${index}]`)),
    ...(textsOf(rule['apiGroups']).length === 0 ? [fieldRequired(`${field}.apiGroups`)] : []),
    ...alone(textsOf(rule['apiGroups']), `${field}.apiGroups`, 'API groups'),
    ...(versions.length === 0 ? [fieldRequired(`${field}.apiVersions`)] : []),
    ...alone(versions, `${field}.apiVersions`, 'API versions'),
    ...itemErrors(versions, (version, index) =>
      version === '' ? [fieldRequired(`${field}.apiVersions[${index}]`)] : [],
    ),
    ...validateResources(textsOf(rule['resources']), `${field}.resources`),
    ...supported(rule['scope'], SCOPES, `${field}.scope`),
  ];
}

/** A wildcard must be the only item of its list. */
function alone(values: readonly string[], field: string, what: string): Errors {
  const detail = `if '*' is present, must not specify other ${what}`;
  return values.length > 1 && values.includes('*') ? [fieldInvalid(field, values, detail)] : [];
}

function validateResources(resources: readonly string[], field: string): Errors {
  if (resources.length === 0) return [fieldRequired(field)];
  const wholes = new Set<string>();
  const everywhere = new Set<string>();
  const errors = itemErrors(resources, (text, index) => {
    if (text === '') return [fieldRequired(`${field}[${index}]`)];
    const slash = text.indexOf('/');
    if (slash < 0) return [];
    const [resource, part] = [text.slice(0, slash), text.slice(slash + 1)];
    const covered = (by: string): FieldError =>
      fieldInvalid(`${field}[${index}]`, text, `if '${by}' is present, must not specify ${text}`);
    const found = [
      ...(wholes.has(resource) ? [covered(`${resource}/*`)] : []),
      ...(everywhere.has(part) ? [covered(`*/${part}`)] : []),
    ];
    if (part === '*') wholes.add(resource);
    if (resource === '*') everywhere.add(part);
    return found;
  });
  const plain = resources.filter((text) => text !== '' && !text.includes('/'));
  return [
    ...errors,
    ...(resources.length > 1 && resources.includes('*/*')
      ? [fieldInvalid(field, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    // Kubernetes looks at the last resource without a subresource only.
    ...(plain.includes('*') && plain.at(-1) !== '*'
      ? [fieldInvalid(field, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}

/** Checks `matchConstraints` of a policy or `matchResources` of a binding. */
export function validateMatchResources(match: JsonRecord, field: string): Errors {
  return [
    ...supported(match['matchPolicy'], MATCH_POLICIES, `${field}.matchPolicy`),
    ...validateLabelSelector(match['namespaceSelector'], `${field}.namespaceSelector`),
    ...validateLabelSelector(match['objectSelector'], `${field}.objectSelector`),
    ...['resourceRules', 'excludeResourceRules'].flatMap((list) =>
      itemErrors(recordsOf(match[list]), (rule, index) => [
        ...validateResourceNames(textsOf(rule['resourceNames']), `${field}.${list}[${index}].resourceNames`),
        ...validateAdmissionRule(rule, `${field}.${list}[${index}]`),
      ]),
    ),
  ];
}

/** A mutating policy cannot match deletions. */
export function validateMutatingOperations(match: JsonRecord, field: string): Errors {
  const operations = recordsOf(match['resourceRules']).flatMap((rule) => textsOf(rule['operations']));
  return itemErrors(operations, (operation) =>
    supported(operation, MUTATING_OPERATIONS, `${field}.resourceRules.operations`),
  );
}

function validateResourceNames(names: readonly string[], field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(names, (name, index) => {
    const again = seen.has(name);
    seen.add(name);
    return [
      ...checkPathSegment(name).map((complaint) => fieldInvalid(`${field}[${index}]`, name, complaint)),
      ...(again ? [fieldDuplicate(`${field}[${index}]`, name)] : []),
    ];
  });
}

const CONDITIONS_MAX = 64;

/** Checks the conditions of a webhook or a policy. */
export function validateMatchConditions(value: unknown, expressions: AdmissionExpressions, field: string): Errors {
  const conditions = recordsOf(value);
  const seen = new Set<string>();
  const errors = itemErrors(conditions, (condition, index) => {
    const name = textOf(condition['name']);
    const again = name !== '' && seen.has(name);
    seen.add(name);
    return [
      ...validateCondition(textOf(condition['expression']).trim(), expressions, `${field}[${index}].expression`),
      ...(name === ''
        ? [fieldRequired(`${field}[${index}].name`)]
        : checkQualifiedName(name).map((complaint) => fieldInvalid(`${field}[${index}].name`, name, complaint))),
      ...(again ? [fieldDuplicate(`${field}[${index}].name`, name)] : []),
    ];
  });
  return conditions.length > CONDITIONS_MAX
    ? [fieldTooMany(field, conditions.length, CONDITIONS_MAX), ...errors]
    : errors;
}

function validateCondition(text: string, expressions: AdmissionExpressions, field: string): Errors {
  return text === '' ? [fieldRequired(field)] : problemErrors(expressions.problem('condition', text), text, field);
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(textOf);
}
