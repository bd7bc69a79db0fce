/** The rules that admission policies and their bindings share. */

import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkPathSegment,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import {
  extended,
  isRecord,
  type JsonRecord,
  listOf,
  recordOf,
  recordsOf,
  textEntriesOf,
  textOf,
} from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { TableColumns } from '../../strategy/kind-definition.ts';
import { problemErrors } from '../../validation/expression-problem.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import type { AdmissionExpressions } from './admission-expressions.ts';
import {
  FAILURE_POLICIES,
  supported,
  validateMatchConditions,
  validateMatchResources,
} from './admission-rule-validation.ts';
import { withScopes } from './webhook-rules.ts';

type Errors = readonly FieldError[];

/** Sets the defaults of `matchConstraints` of a policy or `matchResources` of a binding. */
export function defaultMatch(spec: JsonRecord, name: 'matchConstraints' | 'matchResources'): JsonRecord {
  const match = spec[name];
  if (!isRecord(match)) return spec;
  const lists = ['resourceRules', 'excludeResourceRules'].filter((list) => match[list] !== undefined);
  return extended(spec, {
    [name]: extended(
      filled({ matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }, match),
      Object.fromEntries(lists.map((list) => [list, withScopes(match[list])])),
    ),
  });
}

/** Sets the defaults of a policy. */
export function defaultPolicy(object: KubeObject): KubeObject {
  const spec = filled({ failurePolicy: 'Fail' }, recordOf(object['spec']));
  return extended(object, { spec: defaultMatch(spec, 'matchConstraints') });
}

/** Sets the defaults of a binding. */
export function defaultPolicyBinding(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  return isRecord(spec['matchResources']) ? extended(object, { spec: defaultMatch(spec, 'matchResources') }) : object;
}

/** A policy to validate. */
export interface ValidatedPolicy {
  readonly spec: JsonRecord;
  readonly expressions: AdmissionExpressions;
  /** The match conditions are unchanged and were accepted before: they are not validated again. */
  readonly hasOldConditions: boolean;
}

/** Checks the fields that both kinds of policies have. */
export function validatePolicy(
  { spec, expressions, hasOldConditions }: ValidatedPolicy,
  match: (constraints: JsonRecord, field: string) => Errors,
): Errors {
  const { paramKind, matchConstraints } = spec;
  return [
    ...supported(spec['failurePolicy'], FAILURE_POLICIES, 'spec.failurePolicy'),
    ...(isRecord(paramKind) ? validateParamKind(paramKind, 'spec.paramKind') : []),
    ...(isRecord(matchConstraints)
      ? [
          ...validateMatchResources(matchConstraints, 'spec.matchConstraints'),
          ...(listOf(matchConstraints['resourceRules']).length === 0
            ? [fieldRequired('spec.matchConstraints.resourceRules')]
            : []),
          ...match(matchConstraints, 'spec.matchConstraints'),
        ]
      : [fieldRequired('spec.matchConstraints')]),
    ...(hasOldConditions ? [] : validateMatchConditions(spec['matchConditions'], expressions, 'spec.matchConditions')),
    ...itemErrors(recordsOf(spec['variables']), (variable, index) => validateVariable(variable, expressions, index)),
  ];
}

function validateParamKind(paramKind: JsonRecord, field: string): Errors {
  const kind = textOf(paramKind['kind']);
  const complaints = checkDns1035Label(kind.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${complaints.join(',')}`;
  return [
    ...validateGroupVersion(textOf(paramKind['apiVersion']), `${field}.apiVersion`),
    ...(kind === '' ? [fieldRequired(`${field}.kind`)] : []),
    ...(kind !== '' && complaints.length > 0 ? [fieldInvalid(`${field}.kind`, kind, detail)] : []),
  ];
}

function validateGroupVersion(text: string, field: string): Errors {
  if (text === '') return [fieldRequired(field)];
  const parts = text === '/' ? [''] : text.split('/');
  if (parts.length > 2) return [fieldInvalid(field, text, `unexpected GroupVersion string: ${text}`)];
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  const joined = (value: string, complaints: readonly string[]): Errors =>
    complaints.length === 0 ? [] : [fieldInvalid(field, value, complaints.join(','))];
  return [
    ...(group === '' ? [] : joined(group, checkDnsSubdomain(group))),
    ...(version === ''
      ? [fieldInvalid(field, text, 'version must be specified')]
      : joined(version, checkDns1035Label(version))),
  ];
}

/** Reserved words of CEL, which cannot name a variable. */
const RESERVED = new Set(
  'in as break const continue else for function if import let loop package namespace return var void while true false null'.split(
    ' ',
  ),
);

function validateVariable(variable: JsonRecord, expressions: AdmissionExpressions, index: number): Errors {
  const field = `spec.variables[${index}]`;
  const expression = textOf(variable['expression']);
  const name = textOf(variable['name']);
  const legal = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);
  return [
    ...(name.trim() === '' ? [fieldRequired(`${field}.name`, 'name is not specified')] : []),
    ...(name.trim() !== '' && !legal ? [fieldInvalid(`${field}.name`, name, 'must be a valid CEL identifier')] : []),
    ...(expression.trim() === ''
      ? [fieldRequired(`${field}.expression`, 'expression is not specified')]
      : problemErrors(expressions.variableProblem(index, name, expression), expression, `${field}.expression`)),
  ];
}

/** Checks the fields that both kinds of bindings have. */
export function validatePolicyBinding(spec: JsonRecord): Errors {
  const { paramRef, matchResources } = spec;
  const name = textOf(spec['policyName']);
  return [
    ...(name === ''
      ? [fieldRequired('spec.policyName')]
      : checkDnsSubdomain(name).map((complaint) => fieldInvalid('spec.policyName', name, complaint))),
    ...(isRecord(paramRef) ? validateParamRef(paramRef, 'spec.paramRef') : []),
    ...(isRecord(matchResources) ? validateMatchResources(matchResources, 'spec.matchResources') : []),
  ];
}

function validateParamRef(reference: JsonRecord, field: string): Errors {
  const name = textOf(reference['name']);
  const action = textOf(reference['parameterNotFoundAction']);
  const { selector } = reference;
  const exclusive = 'name and selector are mutually exclusive';
  const both = name !== '' && isRecord(selector);
  return [
    ...(name === '' ? [] : checkPathSegment(name).map((complaint) => fieldInvalid(`${field}.name`, name, complaint))),
    ...(both ? [fieldForbidden(`${field}.name`, exclusive)] : []),
    ...validateLabelSelector(selector, `${field}.selector`),
    ...(both ? [fieldForbidden(`${field}.selector`, exclusive)] : []),
    ...(name === '' && !isRecord(selector) ? [fieldRequired(field, 'one of name or selector must be specified')] : []),
    ...(action === '' ? [fieldRequired(`${field}.parameterNotFoundAction`)] : []),
    ...(action !== '' && !['Deny', 'Allow'].includes(action)
      ? [fieldNotSupported(`${field}.parameterNotFoundAction`, action, ['Deny', 'Allow'])]
      : []),
  ];
}

/** The table of a kind of policies: the number of `items`, and the kind of its parameters. */
export function policyColumns(title: string, items: 'mutations' | 'validations'): TableColumns {
  return namedTable(
    [
      column(title, 'How many it has.', { type: 'integer' }),
      column('ParamKind', 'The kind of the objects that configure it.'),
    ],
    (object) => {
      const spec = recordOf(object['spec']);
      const { paramKind } = spec;
      const text = isRecord(paramKind) ? `${textOf(paramKind['apiVersion'])}/${textOf(paramKind['kind'])}` : '<unset>';
      return [listOf(spec[items]).length, text];
    },
  );
}

/** The table of both kinds of bindings. */
export const POLICY_BINDING_COLUMNS: TableColumns = namedTable(
  [
    column('PolicyName', 'The policy that it puts to use.'),
    column('ParamRef', 'The objects that configure the policy.'),
  ],
  (object) => {
    const { policyName, paramRef } = recordOf(object['spec']);
    return [textOf(policyName), paramCell(paramRef)];
  },
);

function paramCell(reference: unknown): string {
  if (!isRecord(reference)) return '<unset>';
  const { name, namespace, selector } = reference;
  if (textOf(name) !== '') return `${textOf(namespace) || '*'}/${textOf(name)}`;
  return isRecord(selector) ? goText(selector) : '<unset>';
}

/** The selector as Go prints the struct. */
function goText(selector: JsonRecord): string {
  const labels = textEntriesOf(selector['matchLabels']).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const expressions = recordsOf(selector['matchExpressions']).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${textOf(key)},Operator:${textOf(operator)},Values:[${listOf(values).map(textOf).join(' ')}],},`,
  );
  const map = labels.map(([key, value]) => `${key}: ${value},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
