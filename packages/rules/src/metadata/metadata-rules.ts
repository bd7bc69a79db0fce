/** Validates the metadata of objects of any kind. */

import {
  checkDnsLabel,
  checkPathSegment,
  checkQualifiedName,
  DNS_SUBDOMAIN_MAX,
  FINALIZER,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  quote,
  tooLongText,
  validateAnnotations,
  validateLabels,
} from '@listwatch/api';
import { isLongerThan } from '@listwatch/api/internal';
import { sameJson } from '@listwatch/api/values';
import { NO_FINDINGS } from '@listwatch/schema';
import type { KubeMetadata } from '../kube-object.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';
import { itemErrors } from '../validation/item-errors.ts';
import { validateOwnerReferences } from './owner-reference-rules.ts';

const FINALIZERS_FIELD = 'metadata.finalizers';
const STANDARD_FINALIZERS: readonly string[] = ['kubernetes', FINALIZER.orphan, FINALIZER.foregroundDeletion];

/** The errors in the metadata of a new object. */
export function validateMetadata(definition: KindDefinition, metadata: KubeMetadata): readonly FieldError[] {
  return [...validateFields(definition, metadata), ...validateFinalizerNames(definition, metadata)];
}

/** The errors in an update of metadata. Kubernetes checks the change twice, and so reports it twice. */
export function validateMetadataUpdate(
  definition: KindDefinition,
  metadata: KubeMetadata,
  old: KubeMetadata,
): readonly FieldError[] {
  const errors = validateChange(metadata, old);
  return [
    ...validateFields(definition, metadata),
    ...errors,
    ...errors,
    ...validateFinalizerNames(definition, metadata),
  ];
}

function validateFields(definition: KindDefinition, metadata: KubeMetadata): readonly FieldError[] {
  const { generateName = '', generation = 0, finalizers = [] } = metadata;
  const { checkName } = definition.strategy;
  const prefixes = generateName === '' ? [] : checkName(generateName, true);
  return [
    ...prefixes.map((complaint) => fieldInvalid('metadata.generateName', generateName, complaint)),
    ...validateName(metadata.name ?? '', checkName),
    ...validateNamespace(definition, metadata.namespace ?? ''),
    ...(generation < 0 ? [fieldInvalid('metadata.generation', generation, 'must be greater than or equal to 0')] : []),
    ...validateLabels(metadata.labels ?? {}, 'metadata.labels'),
    ...validateAnnotations(metadata.annotations ?? {}, 'metadata.annotations'),
    ...validateOwnerReferences(metadata['ownerReferences'], 'metadata.ownerReferences'),
    ...validateFinalizers(finalizers),
  ];
}

function validateName(name: string, checkName: KindDefinition['strategy']['checkName']): readonly FieldError[] {
  const field = 'metadata.name';
  if (name === '') return [fieldRequired(field, 'name or generateName is required')];
  const complaints = checkName(name, false);
  // Every kind's names become part of a storage key.
  const all = complaints.length > 0 ? complaints : checkStorableName(name);
  return all.map((complaint) => fieldInvalid(field, name, complaint));
}

function checkStorableName(name: string): readonly string[] {
  if (isLongerThan(name, DNS_SUBDOMAIN_MAX)) {
    return [...checkPathSegment(name), tooLongText(DNS_SUBDOMAIN_MAX, 'characters')];
  }
  return [...checkPathSegment(name), ...(/[\0\p{Cs}]/u.test(name) ? ['must be well-formed text'] : [])];
}

function validateNamespace({ resource }: KindDefinition, namespace: string): readonly FieldError[] {
  const field = 'metadata.namespace';
  if (!resource.namespaced) return namespace === '' ? [] : [fieldForbidden(field, 'not allowed on this type')];
  if (namespace === '') return [fieldRequired(field)];
  return checkDnsLabel(namespace).map((complaint) => fieldInvalid(field, namespace, complaint));
}

function validateFinalizers(finalizers: readonly string[]): readonly FieldError[] {
  const { orphan, foregroundDeletion } = FINALIZER;
  const errors = itemErrors(finalizers, (finalizer) =>
    checkQualifiedName(finalizer).map((complaint) => fieldInvalid(FINALIZERS_FIELD, finalizer, complaint)),
  );
  if (!finalizers.includes(orphan) || !finalizers.includes(foregroundDeletion)) return errors;
  const why = `finalizer ${orphan} and ${foregroundDeletion} cannot be both set`;
  return [...errors, fieldInvalid(FINALIZERS_FIELD, finalizers, why)];
}

/** Warnings about new finalizers without a domain: two controllers could both use the name `foo`. */
export function finalizerWarnings(
  { strategy }: KindDefinition,
  { finalizers = [] }: KubeMetadata,
  old: KubeMetadata | undefined,
): readonly string[] {
  if (strategy.plainFinalizers !== 'warned' || finalizers.length === 0) return NO_FINDINGS.warnings;
  const known = new Set([...STANDARD_FINALIZERS, ...(old?.finalizers ?? [])]);
  const why = 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
  return [...new Set(finalizers)]
    .filter((name) => !name.includes('/') && !known.has(name))
    .toSorted()
    .map((name) => `${FINALIZERS_FIELD}: ${quote(name)}: ${why}`);
}

function validateFinalizerNames(
  { strategy }: KindDefinition,
  { finalizers = [] }: KubeMetadata,
): readonly FieldError[] {
  if (strategy.plainFinalizers !== undefined) return [];
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return itemErrors(finalizers, (finalizer, index) =>
    finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)
      ? []
      : [fieldInvalid(`${FINALIZERS_FIELD}[${index}]`, finalizer, why)],
  );
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function validateChange(metadata: KubeMetadata, old: KubeMetadata): readonly FieldError[] {
  const changed = IMMUTABLE.filter((field) => !sameJson(metadata[field], old[field]));
  return [
    ...(old.deletionTimestamp === undefined ? [] : validateNoNewFinalizers(metadata, old)),
    ...changed.map((field) => fieldInvalid(`metadata.${field}`, metadata[field] ?? null, 'field is immutable')),
  ];
}

function validateNoNewFinalizers(metadata: KubeMetadata, old: KubeMetadata): readonly FieldError[] {
  const known = new Set(old.finalizers);
  const added = new Set((metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer)));
  if (added.size === 0) return [];
  const shown = `[]string{${[...added].toSorted().map(quote).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [fieldForbidden(FINALIZERS_FIELD, why)];
}
