/** PersistentVolume: storage that a claim can be bound to. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { type JsonRecord, listOf, Quantity, recordOf, sameJson, textOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import { wholeSeconds } from '../../columns/whole-seconds.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateNodeSelector } from '../pods/node-selector-rules.ts';
import {
  accessModesCell,
  DEFAULT_VOLUME_MODE,
  validateAccessModes,
  validateClassAndMode,
  validateClassName,
} from './access-modes.ts';
import { validateVolumeSource, volumeSource } from './volume-source-rules.ts';

type Errors = readonly FieldError[];

const POLICIES = ['Delete', 'Recycle', 'Retain'];

/** The rules of PersistentVolume. */
export const persistentVolume: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Capacity', 'How large the volume is.'),
      column('Access Modes', 'How the volume can be mounted.'),
      column('Reclaim Policy', 'What becomes of the volume without a claim.'),
      column('Status', 'Whether the volume is bound.'),
      column('Claim', 'The claim that it is bound to.'),
      column('StorageClass', 'The storage class of the volume.'),
      column('VolumeAttributesClass', 'The class of the volume attributes.'),
      column('Reason', 'Why the volume failed, in one word.'),
      AGE_COLUMN,
      column('VolumeMode', 'A file system or a block device.', { priority: 1 }),
    ],
    cells,
  },
  applyDefaults,
  onCreate: (object) => ({
    ...object,
    status: { phase: 'Pending', lastPhaseTransitionTime: object.metadata.creationTimestamp },
  }),
  onStatusUpdate,
  validate: (object) => [...validateSpec(object), ...validateMountOptions(object)],
  validateUpdate: (object, old) => [
    ...validateSpec(object),
    ...validateMountOptions(object),
    ...validateSpecChange(recordOf(object['spec']), recordOf(old['spec'])),
  ],
};

function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  const hostPath = recordOf(spec['hostPath']);
  return {
    ...object,
    spec: {
      ...spec,
      ...(spec['hostPath'] === undefined ? {} : { hostPath: { ...hostPath, type: hostPath['type'] ?? '' } }),
      persistentVolumeReclaimPolicy: textOf(spec['persistentVolumeReclaimPolicy']) || 'Retain',
      volumeMode: spec['volumeMode'] ?? DEFAULT_VOLUME_MODE,
    },
    status: { ...status, phase: textOf(status['phase']) || 'Pending' },
  };
}

/** Sets `lastPhaseTransitionTime` when the phase changes, unless the client has set a new time. */
function onStatusUpdate(object: KubeObject, old: KubeObject, now: number): KubeObject {
  const status = recordOf(object['status']);
  const before = recordOf(old['status']);
  const given = status['lastPhaseTransitionTime'];
  const last = before['lastPhaseTransitionTime'];
  const moved = status['phase'] !== before['phase'];
  const time = moved && (given === undefined || given === last) ? wholeSeconds(now) : (given ?? last);
  return { ...object, spec: old['spec'], status: { ...status, lastPhaseTransitionTime: time } };
}

function validateSpec(object: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const { accessModes, persistentVolumeReclaimPolicy: policy, nodeAffinity } = spec;
  const isRoot = /^\/*$/.test(textOf(recordOf(spec['hostPath'])['path']));
  const recycled = 'spec.persistentVolumeReclaimPolicy';
  return [
    ...(listOf(accessModes).length === 0 ? [fieldRequired('spec.accessModes')] : []),
    ...validateAccessModes(accessModes, 'spec.accessModes'),
    ...validateCapacity(spec['capacity']),
    ...(POLICIES.includes(textOf(policy)) ? [] : [fieldNotSupported(recycled, policy, POLICIES)]),
    ...(nodeAffinity === undefined ? [] : validateAffinity(recordOf(nodeAffinity))),
    ...validateVolumeSource(spec, object.metadata.name ?? '', 'spec'),
    ...(spec['hostPath'] !== undefined && isRoot && policy === 'Recycle'
      ? [fieldForbidden(recycled, "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...validateClassAndMode(spec, 'spec'),
    ...validateAttributesClass(spec),
  ];
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
/** The volume sources that support mount options. */
const MOUNTED = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

function validateMountOptions({ metadata, spec }: KubeObject): Errors {
  const isMounted = MOUNTED.some((name) => recordOf(spec)[name] !== undefined);
  if (metadata.annotations?.[MOUNT_OPTIONS] === undefined || isMounted) return [];
  const field = `metadata.annotations.${MOUNT_OPTIONS}`;
  return [fieldForbidden(field, 'may not specify mount options for this volume type')];
}

function validateCapacity(value: unknown): Errors {
  const capacity = Object.entries(recordOf(value));
  const field = 'spec.capacity';
  const onlyStorage = capacity.length === 1 && capacity[0]?.[0] === 'storage';
  return [
    ...(capacity.length === 0 ? [fieldRequired(field)] : []),
    ...(onlyStorage ? [] : [fieldNotSupported(field, value ?? null, ['storage'])]),
    ...itemErrors(capacity, ([name, amount]) => {
      const size = Quantity.from(amount)?.value() ?? 0n;
      return [
        ...(size < 0n ? [fieldInvalid(`${field}[${name}]`, Number(size), 'must be a valid resource quantity')] : []),
        ...(size <= 0n ? [fieldInvalid(`${field}[${name}]`, amount, 'must be greater than zero')] : []),
      ];
    }),
  ];
}

function validateAffinity({ required }: JsonRecord): Errors {
  const field = 'spec.nodeAffinity.required';
  if (required === undefined) return [fieldRequired(field, 'must specify required node constraints')];
  return validateNodeSelector(recordOf(required), field);
}

function validateAttributesClass({ volumeAttributesClassName: name, csi }: JsonRecord): Errors {
  if (name === undefined) return [];
  const field = 'spec.volumeAttributesClassName';
  const text = textOf(name);
  return [
    ...(text === '' ? [fieldRequired(field, 'an empty string is disallowed')] : validateClassName(text, field)),
    ...(csi === undefined
      ? [fieldRequired('spec.csi', 'has to be specified when using volumeAttributesClassName')]
      : []),
  ];
}

function validateSpecChange(spec: JsonRecord, old: JsonRecord): Errors {
  const source = 'spec.persistentvolumesource';
  const { nodeAffinity } = old;
  const dropped = old['volumeAttributesClassName'] !== undefined && spec['volumeAttributesClassName'] === undefined;
  return [
    ...(sameJson(volumeSource(withoutNewSecret(spec, old)), volumeSource(old))
      ? []
      : [fieldForbidden(source, `${source} is immutable after creation`)]),
    ...immutable('volumeMode', spec['volumeMode'], old['volumeMode']),
    ...(nodeAffinity === undefined || sameJson(spec['nodeAffinity'], nodeAffinity)
      ? []
      : [fieldInvalid('nodeAffinity', spec['nodeAffinity'] ?? null, AFFINITY_FIXED)]),
    ...(dropped
      ? [fieldForbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')]
      : []),
  ];
}

const AFFINITY_FIXED = 'field is immutable, except for updating from beta label to GA';

/** The secret for growing a volume may be added later. */
function withoutNewSecret(spec: JsonRecord, old: JsonRecord): JsonRecord {
  const { controllerExpandSecretRef, ...csi } = recordOf(spec['csi']);
  const had = recordOf(old['csi'])['controllerExpandSecretRef'] !== undefined;
  return controllerExpandSecretRef === undefined || had ? spec : { ...spec, csi };
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const { metadata } = object;
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  const claim = recordOf(spec['claimRef']);
  return [
    nameCell(object),
    textOf(recordOf(spec['capacity'])['storage']) || '0',
    accessModesCell(spec['accessModes']),
    textOf(spec['persistentVolumeReclaimPolicy']),
    metadata.deletionTimestamp === undefined ? textOf(status['phase']) : 'Terminating',
    spec['claimRef'] === undefined ? '' : `${textOf(claim['namespace'])}/${textOf(claim['name'])}`,
    metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? textOf(spec['storageClassName']),
    spec['volumeAttributesClassName'] ?? '<unset>',
    textOf(status['reason']),
    ageCell(object, now),
    spec['volumeMode'] ?? '<unset>',
  ];
}
