/** The rules for the sources of volumes that few pods have. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from '../../json/json-value.ts';
import { oneOf, rangeText, requiredLabel } from '../../validation/value-rules.ts';
import { validateClaimSpec } from '../storage/claim-spec.ts';

type Errors = readonly FieldError[];
type Check = (source: JsonRecord, field: string) => Errors;

/** By the name of the source: texts and lists that must not be empty, in the order of kube-apiserver. */
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

function azureDisk({ kind, diskURI }: JsonRecord, field: string): Errors {
  const isManaged = kind === 'Managed';
  if (textOf(diskURI).startsWith(isManaged ? '/subscriptions/' : 'https://')) return [];
  return [fieldNotSupported(`${field}.diskURI`, textOf(diskURI), [isManaged ? MANAGED : BLOB])];
}

const MORE: Readonly<Record<string, Check>> = {
  awsElasticBlockStore: partition,
  gcePersistentDisk: partition,
  azureDisk,
  fc,
  flocker,
  gitRepo: ({ directory }, field) => descending(textOf(directory), `${field}.directory`),
  image: ({ pullPolicy }, field) => oneOf(pullPolicy, ['Always', 'IfNotPresent', 'Never'], `${field}.pullPolicy`),
  iscsi,
  quobyte,
  storageos: ({ volumeName }, field) => requiredLabel(volumeName, `${field}.volumeName`),
};

/** Checks the source of a volume. */
export function validateRareSource(type: string, source: JsonRecord, field: string): Errors {
  const place = type === 'gcePersistentDisk' ? field.replace(/gcePersistentDisk$/, 'persistentDisk') : field;
  return [
    ...(REQUIRED[type] ?? []).filter((name) => isEmpty(source[name])).map((name) => fieldRequired(`${place}.${name}`)),
    ...(MORE[type]?.(source, place) ?? []),
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
      : lunErrors(lun, field)),
  ];
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

function iscsi(source: JsonRecord, field: string): Errors {
  const name = textOf(source['iqn']);
  const isKnown = /^(?:iqn|eui|naa)/.test(name);
  const needsSecret = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  return [
    ...(name === '' || isKnown
      ? []
      : [fieldInvalid(`${field}.iqn`, name, 'must be valid format starting with iqn, eui, or naa')]),
    ...lunErrors(source['lun'], field),
    ...(needsSecret && source['secretRef'] === undefined ? [fieldRequired(`${field}.secretRef`)] : []),
  ];
}

function quobyte({ registry, volume }: JsonRecord, field: string): Errors {
  const text = textOf(registry);
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const isPairs = text.split(',').every((pair) => /^(?:\[[^\]]*\]|[^:]*):[^:]*$/.test(pair));
  return [
    ...(text === '' ? [fieldRequired(`${field}.registry`, why)] : []),
    ...(text === '' || isPairs ? [] : [fieldInvalid(`${field}.registry`, text, why)]),
    ...(textOf(volume) === '' ? [fieldRequired(`${field}.volume`)] : []),
  ];
}

/** A volume that is claimed for the pod alone. */
export function validateEphemeralSource({ volumeClaimTemplate }: JsonRecord, field: string): Errors {
  if (volumeClaimTemplate === undefined) return [fieldRequired(`${field}.volumeClaimTemplate`)];
  return validateClaimSpec(recordOf(recordOf(volumeClaimTemplate)['spec']), `${field}.volumeClaimTemplate.spec`);
}
