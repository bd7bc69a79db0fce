/** The rules for rarely used volume sources. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from '@listwatch/api/values';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { oneOf, rangeText, requiredLabel } from '../../validation/value-rules.ts';
import { validateClaimSpec } from '../storage/claim-spec.ts';

type Errors = readonly FieldError[];
type Check = (source: JsonRecord, field: string, isOfPod: boolean) => Errors;

/** The required fields of each volume source, in the order of kube-apiserver. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  awsElasticBlockStore: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  azureFile: ['secretName', 'shareName'],
  cephfs: ['monitors'],
  cinder: ['volumeID'],
  flexVolume: ['driver'],
  gcePersistentDisk: ['pdName'],
  gitRepo: ['repository'],
  glusterfs: ['endpoints', 'path'],
  iscsi: ['targetPortal', 'iqn'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  rbd: ['monitors', 'image'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  vsphereVolume: ['volumePath'],
};

const BLOB = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
const MANAGED = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';

const CACHING = ['None', 'ReadOnly', 'ReadWrite'];
const DISKS = ['Dedicated', 'Managed', 'Shared'];

function azureDisk({ kind, diskURI, cachingMode }: JsonRecord, field: string): Errors {
  const isManaged = kind === 'Managed';
  const isRight = textOf(diskURI).startsWith(isManaged ? '/subscriptions/' : 'https://');
  const known = (value: unknown, all: readonly string[], name: string): Errors =>
    value === undefined || all.includes(textOf(value)) ? [] : [fieldNotSupported(`${field}.${name}`, value, all)];
  return [
    ...known(cachingMode, CACHING, 'cachingMode'),
    ...known(kind, DISKS, 'kind'),
    ...(isRight ? [] : [fieldNotSupported(`${field}.diskURI`, textOf(diskURI), [isManaged ? MANAGED : BLOB])]),
  ];
}

const MORE: Readonly<Record<string, Check>> = {
  awsElasticBlockStore: partition,
  gcePersistentDisk: partition,
  azureDisk,
  fc,
  flexVolume,
  flocker,
  gitRepo: ({ directory }, field) => descending(textOf(directory), `${field}.directory`),
  image: ({ pullPolicy }, field) => oneOf(pullPolicy, ['Always', 'IfNotPresent', 'Never'], `${field}.pullPolicy`),
  iscsi,
  quobyte,
  storageos: ({ volumeName }, field) => requiredLabel(volumeName, `${field}.volumeName`),
};

/** Checks the source of a volume, of a pod or of a PersistentVolume. */
export function validateRareSource(type: string, source: JsonRecord, field: string, isOfPod = true): Errors {
  const place = type === 'gcePersistentDisk' ? field.replace(/gcePersistentDisk$/, 'persistentDisk') : field;
  return [
    ...(REQUIRED[type] ?? []).filter((name) => isEmpty(source[name])).map((name) => fieldRequired(`${place}.${name}`)),
    ...(MORE[type]?.(source, place, isOfPod) ?? []),
  ];
}

function isEmpty(value: unknown): boolean {
  return textOf(value) === '' && listOf(value).length === 0;
}

function partition({ partition: number }: JsonRecord, field: string): Errors {
  const value = numberOf(number);
  if (value >= 0 && value <= 255) return [];
  return [fieldInvalid(`${field}.partition`, value, rangeText(1, 255))];
}

function descending(path: string, field: string): Errors {
  return [
    ...(path.startsWith('/') ? [fieldInvalid(field, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [fieldInvalid(field, path, "must not contain '..'")] : []),
  ];
}

function lunErrors(lun: unknown, field: string): Errors {
  const value = numberOf(lun);
  return value >= 0 && value <= 255 ? [] : [fieldInvalid(`${field}.lun`, value, rangeText(0, 255))];
}

function fc({ targetWWNs, wwids, lun }: JsonRecord, field: string): Errors {
  const [names, ids] = [listOf(targetWWNs).length, listOf(wwids).length];
  const place = `${field}.targetWWNs`;
  return [
    ...(names + ids === 0 ? [fieldRequired(place, 'must specify either targetWWNs or wwids, but not both')] : []),
    ...(names > 0 && ids > 0
      ? [fieldInvalid(place, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously')]
      : []),
    ...(names > 0 && lun === undefined
      ? [fieldRequired(`${field}.lun`, 'lun is required if targetWWNs is specified')]
      : []),
    ...(names > 0 && lun !== undefined ? lunErrors(lun, field) : []),
  ];
}

/** Option names under kubernetes.io and k8s.io are reserved. */
function flexVolume({ options }: JsonRecord, field: string): Errors {
  return Object.keys(recordOf(options))
    .filter((key) => /\.(?:kubernetes|k8s)\.io$/.test(`.${(key.split('/')[0] ?? '').toLowerCase()}`))
    .map((key) => fieldInvalid(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'));
}

function flocker({ datasetName, datasetUUID }: JsonRecord, field: string): Errors {
  const [name, id] = [textOf(datasetName), textOf(datasetUUID)];
  return [
    ...(name === '' && id === '' ? [fieldRequired(field, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && id !== ''
      ? [fieldInvalid(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : []),
    ...(name.includes('/') ? [fieldInvalid(`${field}.datasetName`, name, "must not contain '/'")] : []),
  ];
}

function iscsi(source: JsonRecord, field: string, isOfPod: boolean): Errors {
  const name = textOf(source['iqn']);
  const { initiatorName: initiator, secretRef } = source;
  const needsSecret = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  const wrong = (place: string, value: string): Errors => {
    if (ISCSI_NAME.test(value)) return [];
    const begins = isOfPod && !/^(?:iqn|eui|naa)/.test(value) ? ' starting with iqn, eui, or naa' : '';
    return [fieldInvalid(`${field}.${place}`, value, `must be valid format${begins}`)];
  };
  return [
    ...(name === '' ? [] : wrong('iqn', name)),
    ...lunErrors(source['lun'], field),
    ...(needsSecret && secretRef === undefined ? [fieldRequired(`${field}.secretRef`)] : []),
    ...(initiator === undefined ? [] : wrong('initiatorname', textOf(initiator))),
  ];
}

const ISCSI_NAME = /^(?:iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+|eui.[A-Za-z0-9]{16}|naa.[A-Za-z0-9]{32})$/;

const TENANT_MAX = 65;

function quobyte({ registry, volume, tenant }: JsonRecord, field: string): Errors {
  const text = textOf(registry);
  const isLong = textOf(tenant).length >= TENANT_MAX;
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const isPairs = text.split(',').every((pair) => /^(?:\[[^\]]*\]|[^:]*):[^:]*$/.test(pair));
  return [
    ...(text === '' ? [fieldRequired(`${field}.registry`, why)] : []),
    ...(text !== '' && isLong
      ? [fieldRequired(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')]
      : []),
    ...(text === '' || isLong || isPairs ? [] : [fieldInvalid(`${field}.registry`, text, why)]),
    ...(textOf(volume) === '' ? [fieldRequired(`${field}.volume`)] : []),
  ];
}

/** An ephemeral volume, with a claim of its own. */
export function validateEphemeralSource({ volumeClaimTemplate }: JsonRecord, field: string): Errors {
  if (volumeClaimTemplate === undefined) return [fieldRequired(`${field}.volumeClaimTemplate`)];
  const { metadata, spec } = recordOf(volumeClaimTemplate);
  return [
    ...validateTemplateMetadata(recordOf(metadata), `${field}.volumeClaimTemplate.metadata`),
    ...validateClaimSpec(recordOf(spec), `${field}.volumeClaimTemplate.spec`),
  ];
}
