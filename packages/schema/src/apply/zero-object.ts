/** What Go writes for an object that nobody has filled. */

import type { JsonRecord } from '../decode/json-record.ts';
import type { TypeName } from '../schema.ts';
import type { SchemaSet } from '../schema-set.ts';

/**
 * The JSON of Go's zero value of a built-in type: structs and fields that are always written are there. What is in it already
 * is not owned by the one who creates an object.
 */
export function zeroObject(set: SchemaSet, type: TypeName): JsonRecord {
  set.resolve(type);
  throw new Error('not built');
}
