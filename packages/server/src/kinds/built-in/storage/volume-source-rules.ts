/** Where the data of a PersistentVolume is: exactly one source. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { type JsonRecord, recordOf, textOf } from '../../json/json-value.ts';

type Errors = readonly FieldError[];

/** The sources in the order of their checks: the first that is there counts. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'azureDisk',
  'portworxVolume',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

/** The source of a volume, without the rest of its spec. */
export function volumeSource(spec: JsonRecord): JsonRecord {
  return Object.fromEntries(SOURCES.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]));
}

/** The rules for the source of a volume. */
export function validateVolumeSource(spec: JsonRecord, field: string): Errors {
  const [first, ...others] = Object.keys(volumeSource(spec));
  if (first === undefined) return [fieldRequired(field, 'must specify a volume type')];
  return [
    ...(CHECKS[first]?.(recordOf(spec[first]), `${field}.${first}`) ?? []),
    ...(first === 'local' && spec['nodeAffinity'] === undefined
      ? [fieldRequired(`${field}.nodeAffinity`, 'Local volume requires node affinity')]
      : []),
    ...others.map((name) => fieldForbidden(`${field}.${name}`, 'may not specify more than 1 volume type')),
  ];
}

const CHECKS: Readonly<Record<string, (source: JsonRecord, field: string) => Errors>> = {
  hostPath: validateHostPath,
  local: validatePath,
  nfs: validateNfs,
  csi: (source, field) => [...required(source, 'driver', field), ...required(source, 'volumeHandle', field)],
};

const HOST_PATHS = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Checks a path of the node. */
export function validateHostPath(source: JsonRecord, field: string): Errors {
  const { type } = source;
  const known = HOST_PATHS.includes(textOf(type));
  return [...validatePath(source, field), ...(known ? [] : [fieldNotSupported(`${field}.type`, type, HOST_PATHS)])];
}

/** Checks a path of a file server. */
export function validateNfs(source: JsonRecord, field: string): Errors {
  return [...required(source, 'server', field), ...validateAbsolute(source, field)];
}

function required(source: JsonRecord, name: string, field: string): Errors {
  return textOf(source[name]) === '' ? [fieldRequired(`${field}.${name}`)] : [];
}

/** A path must not lead out of where it begins. */
function validatePath(source: JsonRecord, field: string): Errors {
  const path = textOf(source['path']);
  if (path === '') return [fieldRequired(`${field}.path`)];
  return path.split('/').includes('..') ? [fieldInvalid(`${field}.path`, path, "must not contain '..'")] : [];
}

function validateAbsolute(source: JsonRecord, field: string): Errors {
  const path = textOf(source['path']);
  return [
    ...(path === '' ? [fieldRequired(`${field}.path`)] : []),
    ...(path.startsWith('/') ? [] : [fieldInvalid(`${field}.path`, path, 'must be an absolute path')]),
  ];
}
