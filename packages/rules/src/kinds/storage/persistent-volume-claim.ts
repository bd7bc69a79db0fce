/** PersistentVolumeClaim: a request for storage, bound to a volume that fits. */

import { type FieldError, fieldForbidden } from '@listwatch/api';
import { compareQuantities, type JsonRecord, recordOf, sameJson, textOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { accessModesCell } from './access-modes.ts';
import { defaultClaimSpec, normalDataSources, requestedStorage, validateClaimSpec } from './claim-spec.ts';
import { validateClaimStatus } from './claim-status.ts';

/** The old annotation with the StorageClass, which the field replaces. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** The rules of PersistentVolumeClaim. */
export const persistentVolumeClaim: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Status', 'Whether the claim is bound.'),
      column('Volume', 'The volume that it is bound to.'),
      column('Capacity', 'How large that volume is.'),
      column('Access Modes', 'How that volume can be mounted.'),
      column('StorageClass', 'The storage class of the claim.'),
      column('VolumeAttributesClass', 'The class of the volume attributes.'),
      AGE_COLUMN,
      column('VolumeMode', 'A file system or a block device.', { priority: 1 }),
    ],
    cells,
  },
  applyDefaults: (object) => ({
    ...object,
    spec: defaultClaimSpec(recordOf(object['spec'])),
    status: { ...recordOf(object['status']), phase: textOf(recordOf(object['status'])['phase']) || 'Pending' },
  }),
  onCreate: (object) => ({
    ...object,
    spec: normalDataSources(recordOf(object['spec'])),
    status: { phase: 'Pending' },
  }),
  onUpdate: (object, old) => ({
    ...object,
    spec: normalDataSources(recordOf(object['spec']), recordOf(old['spec'])),
    status: old['status'],
  }),
  validate: (object) => validate(object),
  validateUpdate: (object, old) => [
    ...validate(object, hasGroup(recordOf(old['spec']))),
    ...validateSpecChange(object, old),
    ...immutable('volumeMode', recordOf(object['spec'])['volumeMode'], recordOf(old['spec'])['volumeMode']),
  ],
};

/** A stored claim may have an invalid API group in its data source: older versions did not check it. */
function hasGroup({ dataSource, dataSourceRef }: JsonRecord): boolean {
  return [dataSource, dataSourceRef].some((source) => recordOf(source)['apiGroup'] !== undefined);
}

function validate(object: KubeObject, allowsAnyGroup = false): readonly FieldError[] {
  return [
    ...validateClaimSpec(recordOf(object['spec']), 'spec', allowsAnyGroup),
    ...validateClaimStatus(recordOf(object['status'])),
  ];
}

const IMMUTABLE =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

function validateSpecChange(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  const before = recordOf(old['spec']);
  const errors: FieldError[] = [];
  if (!sameJson(withMutable(object, old), before)) errors.push(fieldForbidden('spec', IMMUTABLE));
  const size = requestedStorage(spec) ?? '0';
  const had = recordOf(recordOf(old['status'])['capacity'])['storage'] ?? '0';
  if (compareQuantities(size, requestedStorage(before)) < 0 && compareQuantities(size, had) <= 0) {
    errors.push(fieldForbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  return errors;
}

/** The new spec with the old values of all mutable fields. */
function withMutable(object: KubeObject, old: KubeObject): JsonRecord {
  const spec = recordOf(object['spec']);
  const before = recordOf(old['spec']);
  const isBound = recordOf(object['status'])['phase'] === 'Bound';
  const resources = recordOf(spec['resources']);
  const requests = { ...recordOf(resources['requests']), storage: requestedStorage(before) };
  const volumeName = textOf(before['volumeName']) === '' ? before['volumeName'] : spec['volumeName'];
  return {
    ...spec,
    volumeName,
    storageClassName: allowsClass(old, spec) ? before['storageClassName'] : spec['storageClassName'],
    ...(isBound
      ? { resources: { ...resources, requests }, volumeAttributesClassName: before['volumeAttributesClassName'] }
      : {}),
  };
}

/** A claim without a class may get one: the default class may have been chosen later than the claim was made. */
function allowsClass(old: KubeObject, { storageClassName }: JsonRecord): boolean {
  const annotated = old.metadata.annotations?.[CLASS_ANNOTATION];
  if (recordOf(old['spec'])['storageClassName'] !== undefined || storageClassName === undefined) return false;
  return annotated === undefined || annotated === storageClassName;
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const { metadata } = object;
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  const isBound = textOf(spec['volumeName']) !== '';
  return [
    nameCell(object),
    metadata.deletionTimestamp === undefined ? textOf(status['phase']) : 'Terminating',
    textOf(spec['volumeName']),
    isBound ? textOf(recordOf(status['capacity'])['storage']) || '0' : '',
    isBound ? accessModesCell(status['accessModes']) : '',
    metadata.annotations?.[CLASS_ANNOTATION] ?? textOf(spec['storageClassName']),
    spec['volumeAttributesClassName'] ?? '<unset>',
    ageCell(object, now),
    spec['volumeMode'] ?? '<unset>',
  ];
}
