/** Validates the source of a PersistentVolume: exactly one must be set. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  utf8Length,
} from '@listwatch/api';
import { type JsonRecord, recordOf, textOf } from '@listwatch/api/values';
import { named, requiredLabel } from '../../validation/value-rules.ts';
import { validateRareSource } from '../pods/rare-volume-rules.ts';
import { validateDriverName } from './storage-rules.ts';

type Errors = readonly FieldError[];

/** The sources in the order of their checks: the first source that is set counts. */
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
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

/** The source of a volume, without the rest of its spec. */
export function volumeSource(spec: JsonRecord): JsonRecord {
  return Object.fromEntries(SOURCES.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]));
}

/** The rules for the source of a volume with that name. */
export function validateVolumeSource(spec: JsonRecord, volume: string, field: string): Errors {
  const [first, ...others] = Object.keys(volumeSource(spec));
  if (first === undefined) return [fieldRequired(field, 'must specify a volume type')];
  return [
    ...(CHECKS[first] ?? checkOf(first))(recordOf(spec[first]), `${field}.${first}`),
    ...(first === 'iscsi' ? validatePortal(volume, recordOf(spec[first]), `${field}.${first}`) : []),
    ...(first === 'local' && spec['nodeAffinity'] === undefined
      ? [fieldRequired(`${field}.nodeAffinity`, 'Local volume requires node affinity')]
      : []),
    ...(others.includes('flexVolume')
      ? checkOf('flexVolume')(recordOf(spec['flexVolume']), `${field}.flexVolume`)
      : []),
    // kube-apiserver never reports `flexVolume` as a second source.
    ...others
      .filter((other) => other !== 'flexVolume')
      .map((other) =>
        // As kube-apiserver spells it in this message.
        fieldForbidden(`${field}.${other === 'cephfs' ? 'cephFS' : other}`, 'may not specify more than 1 volume type'),
      ),
  ];
}

const PORTAL_MAX = 64;
const PORTAL_RULE =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** With a custom initiator name, the name of the iSCSI interface includes the volume and the portal. */
function validatePortal(name: string, { initiatorName, targetPortal }: JsonRecord, field: string): Errors {
  const portal = textOf(targetPortal);
  if (initiatorName === undefined || utf8Length(`${name}:${portal}`) <= PORTAL_MAX) return [];
  return [fieldInvalid(`${field}.targetportal`, portal, PORTAL_RULE)];
}

type Check = (source: JsonRecord, field: string) => Errors;

const CHECKS: Readonly<Record<string, Check>> = {
  hostPath: validateHostPath,
  local: validatePath,
  nfs: validateNfs,
  csi: validateCsi,
};

/** Checks a source that pods also support. */
function checkOf(type: string): Check {
  return (source, field) => [...validateRareSource(type, source, field, false), ...(MORE[type]?.(source, field) ?? [])];
}

/** Checks the fields that a PersistentVolume has in addition to the volume sources of pods. */
const MORE: Readonly<Record<string, Check>> = {
  azureFile: ({ secretNamespace: namespace }, field) =>
    namespace === '' ? [fieldRequired(`${field}.secretNamespace`)] : [],
  cinder: requiredSecret,
  glusterfs: ({ endpointsNamespace: namespace }, field) => {
    const place = `${field}.endpointsNamespace`;
    if (namespace === '') return [fieldInvalid(place, '', ENDPOINTS_NAMESPACE)];
    return named(namespace, checkDnsLabel, place);
  },
  iscsi: ({ secretRef }, field) =>
    secretRef === undefined ? [] : required(recordOf(secretRef), 'name', `${field}.secretRef`),
  storageos: (source, field) => [
    ...named(source['volumeNamespace'], checkDnsLabel, `${field}.volumeNamespace`),
    ...requiredSecret(source, field),
  ],
};

const ENDPOINTS_NAMESPACE = 'if the endpointnamespace is set, it must be a valid namespace name';

function requiredSecret({ secretRef }: JsonRecord, field: string): Errors {
  if (secretRef === undefined) return [];
  return ['name', 'namespace'].flatMap((name) => required(recordOf(secretRef), name, `${field}.secretRef`));
}

const SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

function validateCsi(source: JsonRecord, field: string): Errors {
  return [
    ...validateDriverName(source['driver'], `${field}.driver`),
    ...required(source, 'volumeHandle', field),
    ...SECRETS.filter((name) => source[name] !== undefined).flatMap((name) => {
      const secret = recordOf(source[name]);
      const place = `${field}.${name}`;
      return [
        ...(textOf(secret['name']) === ''
          ? [fieldRequired(`${place}.name`)]
          : named(secret['name'], checkDnsSubdomain, `${place}.name`)),
        ...requiredLabel(secret['namespace'], `${place}.namespace`),
      ];
    }),
  ];
}

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

/** Requires a path without `..`, which could leave its parent directory. */
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
