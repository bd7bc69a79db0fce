/** What a schema does to an object of a custom kind. No function changes its argument: what is unchanged is shared. */

import type { JsonRecord } from '../decode/json-record.ts';
import type { CustomSchema } from './custom-schema.ts';

/**
 * The object without the fields that the schema does not know; the same object when it has none. `apiVersion`, `kind` and
 * `metadata` stay.
 */
export function pruneObject<T extends JsonRecord>(_schema: CustomSchema, _object: T): T {
  throw new Error('not yet');
}

/**
 * The paths of the fields that `pruneObject` and `coerceObject` drop, sorted, for `unknown field "spec.unk"`: at most 100 of
 * them. Metadata of the object itself is not looked at.
 */
export function unknownFields(_schema: CustomSchema, _object: JsonRecord): readonly string[] {
  throw new Error('not yet');
}

/** The object without nulls in fields that are not nullable and have no default. */
export function dropNulls<T extends JsonRecord>(_schema: CustomSchema, _object: T): T {
  throw new Error('not yet');
}

/** The object with the defaults of its schema, on write and on read. */
export function defaultObject<T extends JsonRecord>(_schema: CustomSchema, _object: T): T {
  throw new Error('not yet');
}

/** Embedded objects with decoded metadata. */
export interface CoercedObject<T> {
  readonly object: T;
  /** Why the object cannot be decoded, such as `spec.o.kind: Invalid value: 1: must be a string`. */
  readonly problem?: string;
}

/**
 * The object with the metadata of its embedded objects in the form of ObjectMeta. `dropInvalid`: what is malformed is dropped,
 * as stored objects need it; otherwise it is a problem.
 */
export function coerceObject<T extends JsonRecord>(
  _schema: CustomSchema,
  _object: T,
  _options: { readonly dropInvalid?: boolean } = {},
): CoercedObject<T> {
  throw new Error('not yet');
}

/** A decoded body: pruned, without nulls, with defaults, as a write goes on with it. All that is above, in its order. */
export function decodeCustomObject<T extends JsonRecord>(_schema: CustomSchema, _object: T): CoercedObject<T> {
  throw new Error('not yet');
}

/** A stored object as it is served: by the schema of today. The same object when nothing changes. */
export function readCustomObject<T extends JsonRecord>(_schema: CustomSchema, _object: T): T {
  throw new Error('not yet');
}
