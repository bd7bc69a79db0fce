/** The rules for the volumes of a pod. */

import {
  checkDnsSubdomain,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  quote,
} from '@listwatch/api';
import { FIELD_ERRORS_MAX } from '@listwatch/api/internal';
import { isJsonNumber, type JsonRecord, quantitySign, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { named, requiredLabel } from '../../validation/value-rules.ts';
import { FILE_FIELDS, validateFieldRef, validateResourceRef } from '../containers/downward-rules.ts';
import { validateDriverName } from '../storage/storage-rules.ts';
import { validateHostPath, validateNfs } from '../storage/volume-source-rules.ts';
import { validateProjected } from './projected-volume-rules.ts';
import { validateEphemeralSource, validateRareSource } from './rare-volume-rules.ts';

type Errors = readonly FieldError[];

/** The errors of volumes, and the names of the valid ones, which containers may mount. */
export interface ValidatedVolumes {
  readonly errors: Errors;
  readonly names: ReadonlySet<string>;
  /** The volumes that can be used as block devices: volumes with a claim. */
  readonly claimed: ReadonlySet<string>;
}

/** Checks the volumes at `field`; `podName` is the name of the pod, if it has one. */
export function validateVolumes(value: unknown, podName: string, field: string): ValidatedVolumes {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const claimed = new Set<string>();
  for (const [index, volume] of recordsOf(value).entries()) {
    const text = textOf(volume['name']);
    const place = `${field}[${index}]`;
    const found = [
      ...validateSources(volume, place),
      ...(typeOf(volume) === 'ephemeral' ? validateClaimName(podName, text, place) : []),
      ...requiredLabel(text, `${place}.name`),
      ...(names.has(text) ? [fieldDuplicate(`${place}.name`, text)] : []),
    ];
    if (found.length === 0) {
      names.add(text);
      if (volume['persistentVolumeClaim'] !== undefined || volume['ephemeral'] !== undefined) claimed.add(text);
    }
    // No message lists more, and a pod may have 60 000 volumes.
    else if (errors.length <= FIELD_ERRORS_MAX) errors.push(...found);
  }
  return { errors, names, claimed };
}

/** The claim of an ephemeral volume is named after the pod and the volume. */
function validateClaimName(podName: string, volume: string, field: string): Errors {
  if (podName === '' || volume === '') return [];
  const name = `${podName}-${volume}`;
  return checkDnsSubdomain(name).map((why) => fieldInvalid(`${field}.name`, volume, `PVC name ${quote(name)}: ${why}`));
}

function typeOf(sources: JsonRecord): string | undefined {
  return typesOf(sources)[0];
}

/** The types of a volume in the order of kube-apiserver. Nearly all have one, and objects have few members. */
function typesOf(sources: JsonRecord): readonly string[] {
  const found = Object.keys(sources).filter((name) => TYPES.has(name) && sources[name] !== undefined);
  return found.length < 2 ? found : ORDER.filter((type) => found.includes(type));
}

function validateSources(sources: JsonRecord, field: string): Errors {
  const [first, ...others] = typesOf(sources);
  return [
    ...(first === undefined ? [] : checkOf(first)(recordOf(sources[first]), `${field}.${first}`)),
    ...others.map((type) =>
      fieldForbidden(`${field}.${SPELT[type] ?? type}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

/** The volume types in the order of kube-apiserver. It checks the first; each further type is an error. */
const ORDER = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];
const TYPES: ReadonlySet<string> = new Set(ORDER);

/** The spelling of kube-apiserver in the message about a second type. */
const SPELT: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

type Check = (source: JsonRecord, field: string) => Errors;

function checkOf(type: string): Check {
  return CHECKS[type] ?? ((source, field) => validateRareSource(type, source, field));
}

const CHECKS: Readonly<Record<string, Check>> = {
  emptyDir: ({ sizeLimit }, field) =>
    sizeLimit !== undefined && quantitySign(sizeLimit) < 0
      ? [fieldForbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [],
  ephemeral: validateEphemeralSource,
  hostPath: validateHostPath,
  nfs: validateNfs,
  secret: (source, field) => [...required(source, 'secretName', field), ...validateFiles(source, field)],
  configMap: (source, field) => [...required(source, 'name', field), ...validateFiles(source, field)],
  persistentVolumeClaim: (source, field) => required(source, 'claimName', field),
  csi: validateCsi,
  downwardAPI: (source, field) => [
    ...validateMode(source['defaultMode'], `${field}.defaultMode`),
    ...itemErrors(recordsOf(source['items']), (item) => validateDownward(item, field)),
  ],
  projected: (source, field) =>
    validateProjected(source, field, {
      keyFile: validateKeyFile,
      downwardFile: validateDownward,
      path: validatePath,
      mode: validateMode,
    }),
};

function validateCsi({ driver, nodePublishSecretRef: secret }: JsonRecord, field: string): Errors {
  const name = textOf(recordOf(secret)['name']);
  return [
    ...validateDriverName(driver, `${field}.driver`),
    ...(secret === undefined || name !== ''
      ? named(name, checkDnsSubdomain, `${field}.name`)
      : [fieldRequired(`${field}.nodePublishSecretRef.name`)]),
  ];
}

function required(source: JsonRecord, name: string, field: string): Errors {
  return textOf(source[name]) === '' ? [fieldRequired(`${field}.${name}`)] : [];
}

function validateFiles({ defaultMode, items }: JsonRecord, field: string): Errors {
  return [
    ...validateMode(defaultMode, `${field}.defaultMode`),
    ...itemErrors(recordsOf(items), (item, index) => validateKeyFile(item, `${field}.items[${index}]`)),
  ];
}

function validateKeyFile(item: JsonRecord, field: string): Errors {
  return [
    ...required(item, 'key', field),
    ...validatePath(item, field),
    ...validateMode(item['mode'], `${field}.mode`),
  ];
}

const MODE_MAX = 0o777;

function validateMode(mode: unknown, field: string): Errors {
  if (!isJsonNumber(mode) || (mode >= 0 && mode <= MODE_MAX)) return [];
  return [fieldInvalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** The path of a file below its volume. */
function validatePath(item: JsonRecord, field: string): Errors {
  const path = textOf(item['path']);
  const place = `${field}.path`;
  if (path === '') return [fieldRequired(place)];
  const steps = path.split('/').includes('..');
  return [
    ...(path.startsWith('/') ? [fieldInvalid(place, path, 'must be a relative path')] : []),
    ...(steps ? [fieldInvalid(place, path, "must not contain '..'")] : []),
    ...(path.startsWith('..') && !path.startsWith('../')
      ? [fieldInvalid(place, path, "must not start with '..'")]
      : []),
  ];
}

function validateDownward(item: JsonRecord, field: string): Errors {
  const { fieldRef, resourceFieldRef } = item;
  const none = fieldRef === undefined && resourceFieldRef === undefined;
  const both = fieldRef !== undefined && resourceFieldRef !== undefined;
  const source =
    fieldRef === undefined
      ? validateResourceRef(recordOf(resourceFieldRef), `${field}.resourceFieldRef`, true)
      : validateFieldRef(recordOf(fieldRef), `${field}.fieldRef`, FILE_FIELDS);
  return [
    ...validatePath(item, field),
    ...(none ? [fieldRequired(field, 'one of fieldRef and resourceFieldRef is required')] : source),
    ...(both
      ? [fieldInvalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]
      : []),
    ...validateMode(item['mode'], `${field}.mode`),
  ];
}
