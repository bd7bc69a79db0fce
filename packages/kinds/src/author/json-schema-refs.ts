/** References and `allOf` of a JSON Schema, put in place: a CRD has no references. */

import { isRecord } from '@listwatch/api/values';
import { below, notStructural, type SchemaPlace } from './schema-place.ts';
import type { JsonSchema } from './standard-schema.ts';

/** The schema without a reference and without `allOf`, and where it stands then. */
export function resolvedSchema(
  schema: JsonSchema,
  place: SchemaPlace,
): { readonly schema: JsonSchema; readonly place: SchemaPlace } {
  const { $ref: ref, allOf, ...own } = schema;
  if (typeof ref === 'string') {
    if (place.refs.includes(ref)) throw notStructural(place, `refers to itself by ${ref}`);
    const target = lookUp(ref, place);
    return resolvedSchema(
      { ...target, ...own, ...(allOf !== undefined && { allOf }) },
      { ...place, refs: [...place.refs, ref] },
    );
  }
  if (!Array.isArray(allOf)) return { schema: own, place };
  const parts = allOf.map((part: unknown, index) => {
    if (!isRecord(part)) throw notStructural(below(place, `allOf[${index}]`), 'is no schema');
    return resolvedSchema(part, place).schema;
  });
  return { schema: parts.reduce<JsonSchema>((left, right) => merged(left, right, place), own), place };
}

function lookUp(ref: string, place: SchemaPlace): JsonSchema {
  let found: unknown = ref.startsWith('#') ? place.root : undefined;
  for (const step of ref.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  if (!isRecord(found)) throw notStructural(place, `refers to ${ref}, which is not in the schema`);
  return found;
}

/** Both at once: fields and required names of either, and no two sayings about one thing. */
function merged(left: JsonSchema, right: JsonSchema, place: SchemaPlace): JsonSchema {
  const result: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const other = result[keyword];
    if (other === undefined || JSON.stringify(other) === JSON.stringify(value)) result[keyword] = value;
    else if (keyword === 'properties' && isRecord(other) && isRecord(value))
      result[keyword] = joined(other, value, place);
    else if (keyword === 'required' && Array.isArray(other) && Array.isArray(value)) {
      result[keyword] = [...new Set<unknown>([...other, ...value])];
    } else throw notStructural(place, `has two different ${keyword} in allOf`);
  }
  return result;
}

function joined(left: JsonSchema, right: JsonSchema, place: SchemaPlace): JsonSchema {
  const twice = Object.keys(left).find(
    (name) => Object.hasOwn(right, name) && JSON.stringify(left[name]) !== JSON.stringify(right[name]),
  );
  if (twice !== undefined) throw notStructural(below(place, twice), 'has two different schemas in allOf');
  return { ...left, ...right };
}
