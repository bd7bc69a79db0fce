/** ResourceClaim: devices that pods ask for. */

import { extended, isRecord, type JsonRecord, listOf, recordOf, recordsOf, sameJson } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { statusOnly } from '../../strategy/status-change.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { allocatedDevices, deviceIdentity, validateDeviceClaimStatus } from './claim-status-rules.ts';
import { defaultDeviceClaim, validateDeviceClaim } from './device-claim-rules.ts';
import { DeviceExpressions } from './device-expressions.ts';

/** The rules of ResourceClaim. */
export const resourceClaim: KindRules = {
  columns: namedTable([column('State', 'Whether devices are allocated, and reserved for pods.')], (object) => [
    stateCell(object),
  ]),
  applyDefaults: (object) => extended(object, { spec: defaultDeviceClaim(recordOf(object['spec'])) }),
  onStatusUpdate: (object, old, now) => withoutReturned(statusOnly(object, old, now), old),
  validate: (object) =>
    validateDeviceClaim(recordOf(recordOf(object['spec'])['devices']), new DeviceExpressions(), 'spec.devices'),
  // The spec is immutable: its rules are not checked again.
  validateUpdate: (object, old) => [
    ...immutable('spec', object['spec'], old['spec']),
    ...(sameJson(object['status'], old['status']) ? [] : validateDeviceClaimStatus(object, old)),
  ],
};

/** Drops the driver reports about devices that the claim has released. */
function withoutReturned(object: KubeObject, old: KubeObject): KubeObject {
  const status = recordOf(object['status']);
  const [now, before] = [allocatedDevices(status), allocatedDevices(recordOf(old['status']))];
  const isReturned = (device: JsonRecord): boolean =>
    before.has(deviceIdentity(device)) && !now.has(deviceIdentity(device));
  const devices = recordsOf(status['devices']);
  if (!devices.some(isReturned)) return object;
  const kept = devices.filter((device) => !isReturned(device));
  return { ...object, status: { ...status, devices: kept.length === 0 ? undefined : kept } };
}

function stateCell(object: KubeObject): string {
  const { allocation, reservedFor } = recordOf(object['status']);
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  if (!isRecord(allocation)) return isDeleted ? 'deleted' : 'pending';
  return [...(isDeleted ? ['deleted'] : []), 'allocated', ...(listOf(reservedFor).length > 0 ? ['reserved'] : [])].join(
    ',',
  );
}
