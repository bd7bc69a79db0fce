/** Objects with and without their managedFields. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { memberOf } from '../typed/members.ts';

/** `metadata.managedFields` as it is; undefined when there is none. */
export function rawManagedFields(object: JsonRecord): unknown {
  return memberOf(metadataOf(object), 'managedFields');
}

/** The object without managedFields: nobody owns them. */
export function withoutManagedFields(object: JsonRecord): JsonRecord {
  const metadata = metadataOf(object);
  if (!Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** A text of the metadata; empty when there is none. */
export function metadataText(object: JsonRecord, name: string): string {
  const value = memberOf(metadataOf(object), name);
  return typeof value === 'string' ? value : '';
}

/** The metadata; empty when there is none. */
export function metadataOf(object: JsonRecord): JsonRecord {
  const metadata = memberOf(object, 'metadata');
  return isRecord(metadata) ? metadata : NO_METADATA;
}

const NO_METADATA: JsonRecord = Object.freeze({});
