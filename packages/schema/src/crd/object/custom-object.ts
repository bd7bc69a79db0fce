/** Applies a schema to an object of a custom kind. No function changes its argument: the result shares unchanged parts. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { pathOf } from '../../decode/json-walk.ts';
import type { CustomSchema } from '../custom-schema.ts';
import { partOf } from '../schema-part.ts';
import { traitsOf } from '../schema-traits.ts';
import { defaultValue, withoutNulls } from './default-value.ts';
import { CoercionProblem, coerceValue } from './embedded-objects.ts';
import { type PrunePlace, pruneValue } from './prune-value.ts';

/** At most this many unknown fields are reported, as in Kubernetes. */
const MAX_REPORTED = 100;

/**
 * The object without the fields that the schema does not know; the same object when it has none. `apiVersion`, `kind` and
 * `metadata` stay.
 */
export function pruneObject<T extends JsonRecord>(schema: CustomSchema, object: T): T {
  return sameType(object, pruneValue(object, partOf(schema.source), true));
}

/**
 * The paths of the fields that `pruneObject` and `coerceObject` drop, sorted, for `unknown field "spec.unk"`: at most 100 of
 * them. Metadata of the object itself is not looked at.
 */
export function unknownFields(schema: CustomSchema, object: JsonRecord): readonly string[] {
  const part = partOf(schema.source);
  const found: string[] = [];
  const dropped = (place: PrunePlace): void => {
    if (found.length < MAX_REPORTED) found.push(pathOf(stepsTo(place)));
  };
  const pruned = pruneValue(object, part, true, dropped);
  if (!traitsOf(schema.source).hasEmbedded) return found.toSorted();
  const malformed: string[] = [];
  const unknown = (path: string): void => {
    if (malformed.length < MAX_REPORTED) malformed.push(path);
  };
  coerceValue(withoutNulls(pruned, part), part, '', { metadata: schema.metadata, dropInvalid: true, unknown });
  return [...found.toSorted(), ...malformed.toSorted()].slice(0, MAX_REPORTED);
}

/** From the object to the member. */
function stepsTo(place: PrunePlace): readonly PrunePlace[] {
  const steps: PrunePlace[] = [];
  for (let here: PrunePlace | undefined = place; here !== undefined; here = here.above) steps.push(here);
  return steps.toReversed();
}

/** The object without nulls in fields that are not nullable and have no default. */
export function dropNulls<T extends JsonRecord>(schema: CustomSchema, object: T): T {
  return sameType(object, withoutNulls(object, partOf(schema.source)));
}

/** The object with the defaults of its schema, on write and on read. */
export function defaultObject<T extends JsonRecord>(schema: CustomSchema, object: T): T {
  if (!traitsOf(schema.source).hasDefaults) return object;
  return sameType(object, defaultValue(object, partOf(schema.source)));
}

/** Embedded objects with decoded metadata. */
export interface CoercedObject<T> {
  readonly object: T;
  /** Why the object cannot be decoded, such as `spec.o.kind: Invalid value: 1: must be a string`. */
  readonly problem?: string;
}

/**
 * The object with the metadata of its embedded objects in the form of ObjectMeta. `dropInvalid`: malformed fields are dropped,
 * as stored objects need it; otherwise it is a problem.
 */
export function coerceObject<T extends JsonRecord>(
  schema: CustomSchema,
  object: T,
  { dropInvalid = false }: { readonly dropInvalid?: boolean } = {},
): CoercedObject<T> {
  if (!traitsOf(schema.source).hasEmbedded) return { object };
  try {
    const options = { metadata: schema.metadata, dropInvalid };
    return { object: sameType(object, coerceValue(object, partOf(schema.source), '', options)) };
  } catch (error) {
    if (error instanceof CoercionProblem) return { object, problem: error.message };
    throw error;
  }
}

/** A decoded body: with defaults, pruned, without nulls, as a write goes on with it. All that is above, in its order. */
export function decodeCustomObject<T extends JsonRecord>(schema: CustomSchema, object: T): CoercedObject<T> {
  return coerceObject(schema, shaped(schema, object));
}

/** A stored object as it is served: by the schema of today. The same object when nothing changes. */
export function readCustomObject<T extends JsonRecord>(schema: CustomSchema, object: T): T {
  return coerceObject(schema, shaped(schema, object), { dropInvalid: true }).object;
}

function shaped<T extends JsonRecord>(schema: CustomSchema, object: T): T {
  const filled = defaultObject(schema, object);
  const pruned = pruneObject(schema, filled);
  return dropNulls(schema, pruned);
}

/** An object stays an object with the same metadata: only fields that no type names come and go. */
function sameType<T extends JsonRecord>(_object: T, value: unknown): T {
  if (!isRecord(value)) throw new TypeError('an object has become another value');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema does not change what `T` says of metadata
  return value as T;
}
