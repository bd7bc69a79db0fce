/** PriorityClass: how important pods are to the scheduler. */

import { type FieldError, fieldForbidden } from '@listwatch/api';
import { extended, type JsonRecord, numberOf, textOf } from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { oneOf } from '../../validation/value-rules.ts';

/** The rules of PriorityClass. */
export const priorityClass: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Value', 'The priority: pods of a higher one come first.', { type: 'integer' }),
      column('Global-Default', 'Whether it is for pods that name no class.', { type: 'boolean' }),
      AGE_COLUMN,
      column('PreemptionPolicy', 'Whether its pods may push out others.'),
    ],
    cells: (object, now) => [
      nameCell(object),
      numberOf(object['value']),
      object['globalDefault'] === true,
      ageCell(object, now),
      textOf(object['preemptionPolicy']),
    ],
  },
  applyDefaults: (object) => extended(object, filled({ preemptionPolicy: 'PreemptLowerPriority' }, object)),
  validate,
  validateUpdate: (object, old) => [
    ...(object['value'] === old['value'] ? [] : [fieldForbidden('value', 'may not be changed in an update.')]),
    ...immutable('preemptionPolicy', object['preemptionPolicy'], old['preemptionPolicy']),
  ],
  // `metadata.generation` is always 1.
  strategy: { raisesGeneration: () => false },
};

const USER_MAX = 1_000_000_000;
const SYSTEM_PREFIX = 'system-';

/** The classes of a new cluster. Their names are known to Kubernetes, and so are their values. */
export const SYSTEM_PRIORITIES: ReadonlyMap<string, JsonRecord> = new Map([
  [
    'system-node-critical',
    {
      value: 2_000_001_000,
      description: 'Used for system critical pods that must not be moved from their current node.',
    },
  ],
  [
    'system-cluster-critical',
    {
      value: 2_000_000_000,
      description:
        'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    },
  ],
]);

function validate(object: KubeObject): readonly FieldError[] {
  return [
    ...validateValue(object),
    ...oneOf(object['preemptionPolicy'], ['PreemptLowerPriority', 'Never'], 'preemptionPolicy'),
  ];
}

function validateValue(object: KubeObject): readonly FieldError[] {
  const { name = '' } = object.metadata;
  if (name.startsWith(SYSTEM_PREFIX)) {
    const problem = systemProblem(name, object);
    const detail = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${problem}`;
    return problem === undefined ? [] : [fieldForbidden('metadata.name', detail)];
  }
  const detail = `maximum allowed value of a user defined priority is ${USER_MAX}`;
  return numberOf(object['value']) > USER_MAX ? [fieldForbidden('value', detail)] : [];
}

function systemProblem(name: string, { value, globalDefault }: KubeObject): string | undefined {
  const wanted = SYSTEM_PRIORITIES.get(name)?.['value'];
  if (wanted === undefined) return `${name} is not a known system priority class`;
  if (numberOf(value) !== wanted) return `value of ${name} PriorityClass must be ${numberOf(wanted)}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
