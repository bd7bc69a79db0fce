/** ResourceClaim: devices that pods ask for. */

import { extended, isRecord, listOf, recordOf } from '@listwatch/api/values';
import type { CustomVerdict, Steps } from '@listwatch/schema';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { defaultDeviceClaim, validateDeviceClaim } from './device-claim-rules.ts';
import { claimSelectors, judgeSelectors } from './device-expressions.ts';

/** The rules of ResourceClaim. */
export const resourceClaim: KindRules = {
  columns: namedTable([column('State', 'Whether devices are allocated, and reserved for pods.')], (object) => [
    stateCell(object),
  ]),
  applyDefaults: (object) => extended(object, { spec: defaultDeviceClaim(recordOf(object['spec'])) }),
  validateChange: (object, old) => immutable('spec', object['spec'], old['spec']),
  strategy: { judge },
};

/** The spec cannot change: it is judged once. */
function judge(object: KubeObject, old: KubeObject | undefined): Steps<CustomVerdict> {
  const devices = recordOf(recordOf(object['spec'])['devices']);
  return judgeSelectors(old === undefined ? claimSelectors(devices) : [], (expressions) =>
    old === undefined ? validateDeviceClaim(devices, expressions, 'spec.devices') : [],
  );
}

function stateCell(object: KubeObject): string {
  const { allocation, reservedFor } = recordOf(object['status']);
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  if (!isRecord(allocation)) return isDeleted ? 'deleted' : 'pending';
  return [...(isDeleted ? ['deleted'] : []), 'allocated', ...(listOf(reservedFor).length > 0 ? ['reserved'] : [])].join(
    ',',
  );
}
