/** CSINode: the drivers of storage that run on a node. */

import { checkQualifiedName, type FieldError, fieldDuplicate, fieldInvalid, fieldRequired } from '@listwatch/api';
import { isJsonNumber, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateDriverName } from './storage-rules.ts';

type Errors = readonly FieldError[];

/** The rules of CSINode. */
export const csiNode: KindRules = {
  columns: namedTable([column('Drivers', 'How many drivers run on the node.', { type: 'integer' })], (object) => [
    driversOf(object).length,
  ]),
  validate,
  validateUpdate: (object, old) => [...validate(object), ...validateKept(driversOf(object), driversOf(old))],
  strategy: { allowsUnconditionalUpdate: false },
};

function driversOf(object: KubeObject): readonly JsonRecord[] {
  return recordsOf(recordOf(object['spec'])['drivers']);
}

function validate(object: KubeObject): Errors {
  const seen = new Set<string>();
  return itemErrors(driversOf(object), (driver, index) => {
    const name = textOf(driver['name']);
    const field = `spec.drivers[${index}]`;
    const keys = validateKeys(listOf(driver['topologyKeys']).map(textOf), field);
    const again = seen.has(name);
    seen.add(name);
    return [
      ...validateDriverName(name, `${field}.name`),
      ...validateNodeId(textOf(driver['nodeID']), `${field}.nodeID`),
      ...validateCount(recordOf(driver['allocatable'])['count'], `${field}.allocatable.count`),
      ...(again ? [fieldDuplicate(`${field}.name`, name)] : []),
      ...keys,
    ];
  });
}

const NODE_ID_MAX = 256;

function validateNodeId(id: string, field: string): Errors {
  if (id === '') return [fieldRequired(field)];
  return id.length > NODE_ID_MAX ? [fieldInvalid(field, id, `must be ${NODE_ID_MAX} characters or less`)] : [];
}

function validateCount(count: unknown, field: string): Errors {
  const detail = 'must be greater than or equal to 0';
  return isJsonNumber(count) && count < 0 ? [fieldInvalid(field, count, detail)] : [];
}

function validateKeys(keys: readonly string[], field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(keys, (key) => {
    const again = seen.has(key);
    seen.add(key);
    return [
      ...(key === '' ? [fieldRequired(field)] : []),
      ...(again ? [fieldDuplicate(field, key)] : []),
      ...checkQualifiedName(key).map((complaint) => fieldInvalid(field, key, complaint)),
    ];
  });
}

/** An existing driver may change `allocatable` only. */
function validateKept(drivers: readonly JsonRecord[], old: readonly JsonRecord[]): Errors {
  const had = new Map(old.map((driver) => [textOf(driver['name']), driver]));
  return itemErrors(drivers, (driver) => {
    const before = had.get(textOf(driver['name']));
    return before === undefined ? [] : immutable('spec.drivers', fixed(driver), fixed(before));
  });
}

function fixed({ name, nodeID, topologyKeys }: JsonRecord): JsonRecord {
  // The message shows the Go field names.
  return { Name: name, NodeID: nodeID, TopologyKeys: topologyKeys ?? null, Allocatable: null };
}
