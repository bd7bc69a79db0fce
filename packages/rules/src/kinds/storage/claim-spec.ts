/** The spec of a PersistentVolumeClaim, alone or in the templates of a StatefulSet. */

import { checkDnsLabel, checkDnsSubdomain, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, listOf, quantitySign, recordOf, sameJson, textOf } from '@listwatch/api/values';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { named } from '../../validation/value-rules.ts';
import { DEFAULT_VOLUME_MODE, validateAccessModes, validateClassAndMode } from './access-modes.ts';

type Errors = readonly FieldError[];

/** The defaults of a claim's spec. */
export function defaultClaimSpec(spec: JsonRecord): JsonRecord {
  return { ...spec, volumeMode: spec['volumeMode'] ?? DEFAULT_VOLUME_MODE };
}

/** The rules for a claim's spec at `field`. `allowsAnyGroup`: the groups of its sources are not checked. */
export function validateClaimSpec(spec: JsonRecord, field: string, allowsAnyGroup = false): Errors {
  const { accessModes, selector, volumeAttributesClassName } = spec;
  return [
    ...(listOf(accessModes).length === 0
      ? [fieldRequired(`${field}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...validateLabelSelector(selector, `${field}.selector`),
    ...validateAccessModes(accessModes, `${field}.accessModes`),
    ...validateRequest(requestedStorage(spec), `${field}.resources[storage]`),
    ...validateClassAndMode(spec, field),
    ...validateDataSources(spec, field, allowsAnyGroup),
    ...named(volumeAttributesClassName, checkDnsSubdomain, `${field}.volumeAttributesClassName`),
  ];
}

/** Checks the requested storage. */
export function requestedStorage(spec: JsonRecord): unknown {
  return recordOf(recordOf(spec['resources'])['requests'])['storage'];
}

function validateRequest(storage: unknown, field: string): Errors {
  if (storage === undefined) return [fieldRequired(field)];
  return quantitySign(storage) > 0 ? [] : [fieldInvalid(field, storage, 'must be greater than zero')];
}

function validateDataSources({ dataSource, dataSourceRef }: JsonRecord, field: string, anyGroup: boolean): Errors {
  const crosses = textOf(recordOf(dataSourceRef)['namespace']) !== '';
  const differ =
    dataSource !== undefined &&
    dataSourceRef !== undefined &&
    !sameJson(sourceKey(dataSource), sourceKey(dataSourceRef));
  return [
    ...(dataSource === undefined ? [] : validateDataSource(recordOf(dataSource), `${field}.dataSource`, anyGroup)),
    ...(dataSourceRef === undefined
      ? []
      : validateDataSource(recordOf(dataSourceRef), `${field}.dataSourceRef`, anyGroup)),
    ...(crosses && dataSource !== undefined
      ? [fieldInvalid(field, {}, 'may not be specified when dataSourceRef.namespace is specified')]
      : []),
    ...(differ && !crosses ? [fieldInvalid(field, {}, 'must match dataSourceRef')] : []),
  ];
}

/** The fields that a source and a reference to it share. */
function sourceKey(source: unknown): readonly unknown[] {
  const { apiGroup, kind, name } = recordOf(source);
  return [apiGroup, kind, name];
}

function validateDataSource({ name, kind, apiGroup, namespace }: JsonRecord, field: string, anyGroup: boolean): Errors {
  const inCore = textOf(apiGroup) === '' && kind !== CLAIM_KIND;
  const why = `must be '${CLAIM_KIND}' when referencing the default apiGroup`;
  return [
    ...(textOf(name) === '' ? [fieldRequired(`${field}.name`)] : []),
    ...(textOf(kind) === '' ? [fieldRequired(`${field}.kind`)] : []),
    ...(inCore ? [fieldInvalid(field, textOf(kind), why)] : []),
    ...(anyGroup ? [] : named(apiGroup, checkDnsSubdomain, `${field}.apiGroup`)),
    ...named(namespace, checkDnsLabel, `${field}.namespace`),
  ];
}

const CLAIM_KIND = 'PersistentVolumeClaim';

/**
 * Copies `dataSource` and `dataSourceRef` into each other. Drops a `dataSource` of an unsupported kind, as Kubernetes
 * always did, unless the old claim has a source or `dataSourceRef` is set. Drops references to other namespaces: their
 * feature gate is off.
 */
export function normalDataSources(spec: JsonRecord, old: JsonRecord = {}): JsonRecord {
  const { dataSource, dataSourceRef, ...rest } = spec;
  const inUse = old['dataSource'] !== undefined || old['dataSourceRef'] !== undefined;
  const crosses = textOf(recordOf(dataSourceRef)['namespace']) !== '' && !inUse;
  const reference = crosses ? undefined : dataSourceRef;
  const taken = inUse || reference !== undefined || isKnownSource(recordOf(dataSource));
  const source = taken ? dataSource : undefined;
  const either = source ?? reference;
  return either === undefined ? rest : { ...rest, dataSource: source ?? either, dataSourceRef: reference ?? either };
}

function isKnownSource({ kind, apiGroup }: JsonRecord): boolean {
  const group = textOf(apiGroup);
  return (kind === CLAIM_KIND && group === '') || (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io');
}
