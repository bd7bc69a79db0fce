/** `metadata.managedFields`: the managers that own the fields of an object. */

import { type FieldError, fieldInvalid, fieldTooLong, type ManagedFieldsEntry, utf8Length } from '@listwatch/api';
import { extended, sameJson } from '@listwatch/api/values';
import { managedFieldsButTimes } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';

/** The entries of an object; undefined when it has none. */
export type ManagedFields = readonly ManagedFieldsEntry[] | undefined;

/** The owners of an object. */
export function managedFieldsOf({ metadata }: KubeObject): ManagedFields {
  return managedFieldsIn(metadata['managedFields']);
}

/** A value that the server itself has computed or stored. */
export function managedFieldsIn(value: unknown): ManagedFields {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was decoded by its schema when it was written
  return Array.isArray(value) ? (value as readonly ManagedFieldsEntry[]) : undefined;
}

/** The object with `managedFields` replaced. */
export function withManagedFields(object: KubeObject, managedFields: unknown): KubeObject {
  if (managedFields !== undefined) return { ...object, metadata: extended(object.metadata, { managedFields }) };
  if (!('managedFields' in object.metadata)) return object;
  const { managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * The owners to store with an otherwise unchanged object. When only timestamps differ these are the stored owners, so
 * that nothing is written.
 */
export function ownersUnlessTimes(stored: ManagedFields, written: ManagedFields): ManagedFields {
  if (sameJson(stored, written)) return stored;
  return managedFieldsButTimes(stored, written) ?? written;
}

const FIELD_MANAGER_MAX = 128;
const SUBRESOURCE_MAX = 256;

/** The errors in the names of managers and subresources. Entries that cannot be decoded were refused before. */
export function validateManagedFields(managedFields: ManagedFields): readonly FieldError[] {
  return (managedFields ?? []).flatMap(({ manager = '', subresource = '' }, index) => {
    const field = `metadata.managedFields[${index}]`;
    return [
      ...validateManagerName(manager, `${field}.manager`),
      ...(utf8Length(subresource) > SUBRESOURCE_MAX ? [fieldTooLong(`${field}.subresource`, SUBRESOURCE_MAX)] : []),
    ];
  });
}

/** The errors in the name of a field manager; `field` is its path. */
export function validateManagerName(manager: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (utf8Length(manager) > FIELD_MANAGER_MAX) errors.push(fieldTooLong(field, FIELD_MANAGER_MAX));
  let position = 0;
  for (const character of manager) {
    if (!/[ \p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(fieldInvalid(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Length(character);
  }
  return errors;
}
