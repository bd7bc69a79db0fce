/** The rules for a HorizontalPodAutoscaler, in the words of autoscaling/v2. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import {
  isJsonNumber,
  type JsonRecord,
  numberOf,
  quantitySign,
  recordOf,
  recordsOf,
  textOf,
} from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { notNegative } from '../../validation/count-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateMetrics } from './autoscaler-metric-rules.ts';
import { type GroupNeed, validateScaledReference } from './scaled-reference.ts';

type Errors = readonly FieldError[];

/** The errors of an autoscaler. Values that `old` already has are accepted. */
export function validateAutoscaler(object: KubeObject, old?: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const before = recordOf(old?.['spec']);
  const { minReplicas, maxReplicas, metrics, behavior } = spec;
  const target = recordOf(spec['scaleTargetRef']);
  const lowest = before['minReplicas'] === 0 ? 0 : 1;
  return [
    ...(isJsonNumber(minReplicas) && minReplicas < lowest
      ? [fieldInvalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${lowest}`)]
      : []),
    ...validateMax(numberOf(maxReplicas), numberOf(minReplicas)),
    ...validateScaledReference(target, 'spec.scaleTargetRef', groupNeed(target, before['scaleTargetRef'])),
    ...validateMetrics(metrics, 'spec.metrics'),
    ...validateZero(minReplicas, metrics),
    ...['scaleUp', 'scaleDown'].flatMap((name) => validateRules(recordOf(behavior)[name], `spec.behavior.${name}`)),
    ...notNegative(recordOf(object['status']), ['currentReplicas', 'desiredReplicas'], 'status'),
  ];
}

function validateMax(max: number, min: number): Errors {
  const field = 'spec.maxReplicas';
  const errors: FieldError[] = [];
  if (max === 0) errors.push(fieldRequired(field, 'must be set and greater than 0'));
  if (max < 0) errors.push(fieldInvalid(field, max, 'must be greater than or equal to 1'));
  if (max < min) errors.push(fieldInvalid(field, max, 'must be greater than or equal to `minReplicas`'));
  return errors;
}

/** Scaling to zero pods needs a metric that exists without pods. */
function validateZero(minReplicas: unknown, metrics: unknown): Errors {
  const outside = recordsOf(metrics).some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas !== 0 || outside) return [];
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [fieldForbidden('spec.metrics', why)];
}

function groupNeed(target: JsonRecord, old: unknown): GroupNeed {
  const { kind, apiVersion } = recordOf(old);
  if (old !== undefined && kind === target['kind'] && apiVersion === target['apiVersion']) return 'unchecked';
  // The only kind of the core group that can be scaled.
  return target['kind'] === 'ReplicationController' ? 'any' : 'group';
}

const WINDOW_MAX = 3600;
const PERIOD_MAX = 1800;
const SELECT = ['Disabled', 'Max', 'Min'];

function validateRules(value: unknown, field: string): Errors {
  if (value === undefined) return [];
  const rules = recordOf(value);
  const { stabilizationWindowSeconds: seconds, selectPolicy, tolerance } = rules;
  const policies = recordsOf(rules['policies']);
  return [
    ...withinZero(seconds, WINDOW_MAX, `${field}.stabilizationWindowSeconds`),
    ...(selectPolicy === undefined || SELECT.includes(textOf(selectPolicy))
      ? []
      : [fieldNotSupported(`${field}.selectPolicy`, selectPolicy, SELECT)]),
    ...(policies.length === 0 ? [fieldRequired(`${field}.policies`, 'must specify at least one Policy')] : []),
    ...itemErrors(policies, (policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)),
    ...(tolerance !== undefined && quantitySign(tolerance) < 0
      ? [fieldInvalid(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0')]
      : []),
  ];
}

function withinZero(value: unknown, max: number, field: string): Errors {
  if (!isJsonNumber(value)) return [];
  if (value < 0) return [fieldInvalid(field, value, 'must be greater than or equal to zero')];
  return value > max ? [fieldInvalid(field, value, `must be less than or equal to ${max}`)] : [];
}

function validatePolicy({ type, value, periodSeconds }: JsonRecord, field: string): Errors {
  const types = ['Percent', 'Pods'];
  const positive = (number: unknown, name: string): Errors =>
    numberOf(number) > 0 ? [] : [fieldInvalid(`${field}.${name}`, numberOf(number), 'must be greater than zero')];
  return [
    ...(types.includes(textOf(type)) ? [] : [fieldNotSupported(`${field}.type`, textOf(type), types)]),
    ...positive(value, 'value'),
    ...positive(periodSeconds, 'periodSeconds'),
    ...(numberOf(periodSeconds) > PERIOD_MAX
      ? [fieldInvalid(`${field}.periodSeconds`, periodSeconds, `must be less than or equal to ${PERIOD_MAX}`)]
      : []),
  ];
}
