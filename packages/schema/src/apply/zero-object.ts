/** What Go writes for an object that nobody has filled. */

import type { JsonRecord } from '@listwatch/api/values';
import { canonical } from '../decode/canonical.ts';
import { DecodePlans } from '../decode/decode-plans.ts';
import type { TypeName } from '../schema.ts';
import type { SchemaSet } from '../schema-set.ts';

/**
 * The JSON of Go's zero value of a built-in type: structs and fields that are always written are there. The creator of an object does
 * not own these fields. Make it once for each type: the plan of the type is made for it.
 */
export function zeroObject(set: SchemaSet, type: TypeName): JsonRecord {
  return canonical(new DecodePlans(set).struct(type), {});
}
