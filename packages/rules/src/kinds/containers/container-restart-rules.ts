/** The rules for restarts of a container: after it has ended, and after a resize. */

import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { oneOf } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

const POLICIES = ['Always', 'Never', 'OnFailure'];
const ACTIONS = ['Restart', 'RestartAllContainers'];
const OPERATORS = ['In', 'NotIn'];
const RULES_MAX = 20;
const CODES_MAX = 255;

/** The rules for `restartPolicy` and `restartPolicyRules` of a container. */
export function validateRestart({ restartPolicy: policy, restartPolicyRules }: JsonRecord, field: string): Errors {
  const rules = recordsOf(restartPolicyRules);
  const place = `${field}.restartPolicyRules`;
  return [
    ...(policy === undefined && rules.length > 0
      ? [fieldRequired(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used')]
      : []),
    ...(policy === undefined ? [] : supported(policy, POLICIES, `${field}.restartPolicy`)),
    ...(rules.length > RULES_MAX ? [fieldTooMany(place, rules.length, RULES_MAX)] : []),
    ...itemErrors(rules, (rule, index) => validateRule(rule, `${place}[${index}]`)),
  ];
}

/** The same for an init container, which may be a sidecar. */
export function validateSidecar(container: JsonRecord, field: string): Errors {
  const { restartPolicy, restartPolicyRules } = container;
  if (restartPolicy === undefined && recordsOf(restartPolicyRules).length > 0) {
    return [fieldRequired(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used')];
  }
  return validateRestart(container, field);
}

function validateRule({ action, exitCodes }: JsonRecord, field: string): Errors {
  const codes = recordOf(exitCodes);
  const count = listOf(codes['values']).length;
  return [
    ...supported(action, ACTIONS, `${field}.action`),
    ...(exitCodes === undefined
      ? [fieldRequired(`${field}.exitCodes`, 'must be specified')]
      : supported(codes['operator'], OPERATORS, `${field}.exitCodes.operator`)),
    ...(count > CODES_MAX ? [fieldTooMany(`${field}.exitCodes.values`, count, CODES_MAX)] : []),
  ];
}

function supported(value: unknown, all: readonly string[], field: string): Errors {
  return all.includes(textOf(value)) ? [] : [fieldNotSupported(field, textOf(value), all)];
}

/** The rules for `resizePolicy`; `podPolicy` is the restart policy of the pod. */
export function validateResize(value: unknown, podPolicy: string, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), ({ resourceName, restartPolicy }, index) => {
    const name = textOf(resourceName);
    const twice = seen.has(name);
    seen.add(name);
    return [
      ...(twice ? [fieldDuplicate(`${field}[${index}]`, name)] : []),
      ...oneOf(name, ['cpu', 'memory'], field),
      ...oneOf(restartPolicy, ['NotRequired', 'RestartContainer'], field),
      ...(podPolicy === 'Never' && restartPolicy !== 'NotRequired'
        ? [fieldInvalid(field, textOf(restartPolicy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}
