/** The scopes of a ResourceQuota: which pods and claims it counts. */

import { type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { isQuotaName } from '../../validation/resource-names.ts';

type Errors = readonly FieldError[];

const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const OF_PODS: readonly string[] = ['pods', ...COMPUTE];

/** The resources that each scope can be applied to. */
const RESOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Terminating', OF_PODS],
  ['NotTerminating', OF_PODS],
  ['BestEffort', ['pods']],
  ['NotBestEffort', OF_PODS],
  ['PriorityClass', OF_PODS],
  ['CrossNamespacePodAffinity', OF_PODS],
  ['VolumeAttributesClass', ['persistentvolumeclaims', 'requests.storage']],
]);

const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** The scopes that take no values: their operator must be `Exists`. */
const WITHOUT_VALUES = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];

/** The rules for `scopes` and `scopeSelector` of a quota's spec. */
export function validateQuotaScopes(spec: JsonRecord, field: string): Errors {
  const scopes = listOf(spec['scopes']).map(textOf);
  const hard = Object.keys(recordOf(spec['hard'])).filter(isQuotaName);
  const place = `${field}.scopes`;
  return [
    ...itemErrors(scopes, (scope) => [
      ...(RESOURCES.has(scope) ? [] : [fieldInvalid(place, scopes, 'unsupported scope')]),
      ...(fits(scope, hard) ? [] : [fieldInvalid(place, scopes, UNFIT)]),
    ]),
    ...conflicts(scopes, scopes, place),
    ...validateSelector(spec, hard, `${field}.scopeSelector.matchExpressions`),
  ];
}

const UNFIT = 'unsupported scope applied to resource';

function fits(scope: string, hard: readonly string[]): boolean {
  const allowed = RESOURCES.get(scope);
  return allowed === undefined || hard.every((name) => allowed.includes(name));
}

function conflicts(scopes: readonly string[], shown: unknown, field: string): Errors {
  return CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() =>
    fieldInvalid(field, shown, 'conflicting scopes'),
  );
}

function validateSelector(spec: JsonRecord, hard: readonly string[], field: string): Errors {
  const expressions = recordsOf(recordOf(spec['scopeSelector'])['matchExpressions']);
  const shown = {
    MatchExpressions: expressions.map(({ scopeName, operator, values }) => ({
      ScopeName: textOf(scopeName),
      Operator: textOf(operator),
      Values: values ?? null,
    })),
  };
  const scopes = expressions.map(({ scopeName }) => textOf(scopeName));
  return [
    ...itemErrors(expressions, (expression) => {
      const scope = textOf(expression['scopeName']);
      return [
        ...(RESOURCES.has(scope) ? [] : [fieldInvalid(`${field}.scopeName`, scope, 'unsupported scope')]),
        ...(fits(scope, hard) ? [] : [fieldInvalid(field, shown, UNFIT)]),
        ...validateOperator(scope, expression, field),
      ];
    }),
    ...conflicts(scopes, spec['scopes'] ?? null, field),
  ];
}

const EXISTS_ONLY =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function validateOperator(scope: string, expression: JsonRecord, field: string): Errors {
  const operator = textOf(expression['operator']);
  const values = listOf(expression['values']);
  const errors: FieldError[] = [];
  if (WITHOUT_VALUES.includes(scope) && operator !== 'Exists') {
    errors.push(fieldInvalid(`${field}.operator`, operator, EXISTS_ONLY));
  }
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) errors.push(fieldRequired(`${field}.values`, why));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) errors.push(fieldInvalid(`${field}.values`, values, why));
  } else {
    errors.push(fieldInvalid(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  return errors;
}
