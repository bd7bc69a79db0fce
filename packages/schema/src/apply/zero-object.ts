/** What Go writes for an object that nobody has filled. */

import type { JsonRecord } from '@listwatch/api/values';
import { canonical } from '../decode/canonical.ts';
import { DecodePlans } from '../decode/decode-plans.ts';
import type { TypeName } from '../schema.ts';
import type { SchemaSet } from '../schema-set.ts';

const PLANS = new WeakMap<SchemaSet, DecodePlans>();

/**
 * The JSON of Go's zero value of a built-in type: structs and fields that are always written are there. What is in it already
 * is not owned by the one who creates an object.
 */
export function zeroObject(set: SchemaSet, type: TypeName): JsonRecord {
  let plans = PLANS.get(set);
  if (plans === undefined) {
    plans = new DecodePlans(set);
    PLANS.set(set, plans);
  }
  return canonical(plans.struct(type), {});
}
