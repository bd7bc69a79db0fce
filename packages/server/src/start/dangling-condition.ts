/** The condition `Dangling` of a FlowSchema: whether its priority level does not exist. Pure. */

import { recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { type KubeObject, managedFieldsOf, wholeSeconds, withManagedFields } from '@listwatch/rules/internal';

/** As kube-apiserver, which applies the condition. */
const MANAGER = 'api-priority-and-fairness-config-consumer-v1';
const TYPE = 'Dangling';
const OWNED = {
  'f:status': {
    'f:conditions': {
      [`k:{"type":"${TYPE}"}`]: {
        '.': {},
        'f:lastTransitionTime': {},
        'f:message': {},
        'f:reason': {},
        'f:status': {},
        'f:type': {},
      },
    },
  },
};

/** The name of the level that a FlowSchema refers to. */
export function levelName({ spec }: KubeObject): string {
  return textOf(recordOf(recordOf(spec)['priorityLevelConfiguration'])['name']);
}

/** The schema with its condition; the same object when it is right. The time moves only with the status. */
export function withDangling(schema: KubeObject, levelExists: boolean, now: number): KubeObject {
  const wanted = wantedCondition(levelName(schema), levelExists);
  const status = recordOf(schema['status']);
  const conditions = recordsOf(status['conditions']);
  const known = conditions.find(({ type }) => type === TYPE);
  if (known?.['status'] === wanted.status && known['message'] === wanted.message) return schema;
  const time = wholeSeconds(now);
  const since = known?.['status'] === wanted.status ? (known['lastTransitionTime'] ?? time) : time;
  const others = conditions.filter(({ type }) => type !== TYPE);
  const condition = { ...wanted, lastTransitionTime: since };
  const next = { ...schema, status: { ...status, conditions: [...others, condition] } };
  const entry = {
    manager: MANAGER,
    operation: 'Apply',
    apiVersion: textOf(schema['apiVersion']),
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: OWNED,
    subresource: 'status',
  };
  const owners = recordsOf(managedFieldsOf(schema)).filter(
    ({ manager, operation, subresource }) =>
      manager !== MANAGER || operation !== 'Apply' || textOf(subresource) !== 'status',
  );
  return withManagedFields(next, [...owners, entry]);
}

function wantedCondition(
  level: string,
  exists: boolean,
): Readonly<Record<'message' | 'reason' | 'status' | 'type', string>> {
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return exists
    ? { type: TYPE, status: 'False', reason: 'Found', message: `${reference} and it exists` }
    : { type: TYPE, status: 'True', reason: 'NotFound', message: `${reference} but there is no such object` };
}
