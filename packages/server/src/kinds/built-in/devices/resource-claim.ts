/** ResourceClaim: devices that pods ask for. */

import { extended, isRecord, listOf, recordOf } from '../../json/json-value.ts';
import type { KindRules } from '../../kind-rules.ts';
import type { KubeObject } from '../../resource-definition.ts';
import { column, namedTable } from '../../table-column.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { defaultDeviceClaim, validateDeviceClaim } from './device-claim-rules.ts';

/** The rules of ResourceClaim. */
export const resourceClaim: KindRules = {
  columns: namedTable([column('State', 'Whether devices are allocated, and reserved for pods.')], (object) => [
    stateCell(object),
  ]),
  applyDefaults: (object) => extended(object, { spec: defaultDeviceClaim(recordOf(object['spec'])) }),
  validateNew: (object) => validateDeviceClaim(recordOf(recordOf(object['spec'])['devices']), 'spec.devices'),
  validateChange: (object, old) => immutable('spec', object['spec'], old['spec']),
};

function stateCell(object: KubeObject): string {
  const { allocation, reservedFor } = recordOf(object['status']);
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  if (!isRecord(allocation)) return isDeleted ? 'deleted' : 'pending';
  return [...(isDeleted ? ['deleted'] : []), 'allocated', ...(listOf(reservedFor).length > 0 ? ['reserved'] : [])].join(
    ',',
  );
}
