/** `anyOf` and `oneOf` of a JSON Schema: a CRD wants the type outside and only restrictions inside. */

import { isRecord } from '@listwatch/api/values';
import { resolvedSchema } from './json-schema-refs.ts';
import { below, notStructural, type SchemaPlace, type StructuralSchema } from './schema-place.ts';
import type { JsonSchema } from './standard-schema.ts';

/** Makes a part structural. */
type Convert = (schema: unknown, place: SchemaPlace) => StructuralSchema;

/** The schema of a union; undefined when the schema is none. */
export function unionSchema(schema: JsonSchema, place: SchemaPlace, structural: Convert): StructuralSchema | undefined {
  const keyword = ['anyOf', 'oneOf'].find((name) => schema[name] !== undefined);
  if (keyword === undefined) return undefined;
  const branches = branchesOf(schema[keyword], below(place, keyword));
  const some = branches.filter((branch) => branch['type'] !== 'null');
  const nullable = some.length < branches.length ? { nullable: true } : {};
  const [first] = some;
  if (first === undefined) throw notStructural(place, `has nothing but null in ${keyword}`);
  const { [keyword]: _union, ...rest } = schema;
  if (some.length === 1) return { ...structural({ ...first, ...rest }, place), ...nullable };
  if (isIntOrString(some)) return { 'x-kubernetes-int-or-string': true, ...nullable };
  const parts = some.map((branch) => structural(branch, place));
  return { ...(sameScalar(parts) ?? objects(parts, keyword, place)), ...nullable };
}

function branchesOf(branches: unknown, place: SchemaPlace): readonly JsonSchema[] {
  if (!Array.isArray(branches)) throw notStructural(place, 'must be a list');
  return branches.map((branch: unknown) => {
    if (!isRecord(branch)) throw notStructural(place, 'must be a list of schemas');
    return resolvedSchema(branch, place).schema;
  });
}

function isIntOrString(branches: readonly JsonSchema[]): boolean {
  const types = branches.map(({ type }) => type);
  return types.length === 2 && types.includes('string') && (types.includes('integer') || types.includes('number'));
}

/** Several lists of values of one type are one list. */
function sameScalar(parts: readonly StructuralSchema[]): StructuralSchema | undefined {
  const [first] = parts;
  const type = first?.['type'];
  if (type === 'object' || parts.some((part) => part['type'] !== type || !Array.isArray(part['enum'])))
    return undefined;
  return {
    type,
    enum: [...new Set(parts.flatMap((part): readonly unknown[] => (Array.isArray(part['enum']) ? part['enum'] : [])))],
  };
}

/** Fields of all branches stand outside; inside stands which of them belong together. */
function objects(parts: readonly StructuralSchema[], keyword: string, place: SchemaPlace): StructuralSchema {
  if (parts.some((part) => part['type'] !== 'object')) {
    throw notStructural(place, `has values of different types in ${keyword}`);
  }
  const fields: Record<string, StructuralSchema> = {};
  for (const part of parts) {
    for (const [name, field] of Object.entries(propertiesOf(part))) {
      const other = fields[name];
      fields[name] = other === undefined ? field : sameField(other, field, below(place, name));
    }
  }
  const common = requiredOf(parts[0]).filter((name) => parts.every((part) => requiredOf(part).includes(name)));
  return {
    type: 'object',
    properties: fields,
    ...(common.length > 0 && { required: common }),
    [keyword]: parts.map((part) => ({
      ...(requiredOf(part).length > 0 && { required: requiredOf(part) }),
      properties: Object.fromEntries(
        Object.entries(propertiesOf(part))
          .filter(([, field]) => Array.isArray(field['enum']))
          .map(([name, field]) => [name, { enum: field['enum'] }]),
      ),
    })),
  };
}

function sameField(left: StructuralSchema, right: StructuralSchema, place: SchemaPlace): StructuralSchema {
  if (JSON.stringify(left) === JSON.stringify(right)) return left;
  const scalar = sameScalar([left, right]);
  if (scalar === undefined) throw notStructural(place, 'has two different schemas in a union');
  return scalar;
}

function propertiesOf(part: StructuralSchema): Readonly<Record<string, StructuralSchema>> {
  const { properties } = part;
  if (!isRecord(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => (isRecord(field) ? [[name, field]] : [])),
  );
}

function requiredOf(part: StructuralSchema | undefined): readonly unknown[] {
  return Array.isArray(part?.['required']) ? part['required'] : [];
}
