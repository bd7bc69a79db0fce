/** JSON Schema as the schema of a CRD: every value has one type, and what only restricts stands beside it. */

import { isRecord } from '@listwatch/api/values';
import { resolvedSchema } from './json-schema-refs.ts';
import { below, notStructural, type SchemaPlace, type StructuralSchema } from './schema-place.ts';
import type { JsonSchema } from './standard-schema.ts';
import { unionSchema } from './union-schema.ts';

/** What is carried over as it is. */
const KEPT = [
  'description',
  'title',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'nullable',
  'default',
  'example',
];
/** What a CRD cannot say, and what cannot be left out without a change of meaning. */
const REFUSED = ['patternProperties', 'prefixItems', 'if', 'then', 'else', 'dependentSchemas', 'contains', 'not'];
/** Deeper than any real schema: a hostile one must not overflow the stack. */
const MAX_DEPTH = 100;
/** The bounds that libraries give integers without bounds: those of JavaScript, not of the author. */
const SAFE = Number.MAX_SAFE_INTEGER;

/** Throws a TypeError that names the place of what a CRD cannot say. */
export function structuralSchema(schema: JsonSchema): StructuralSchema {
  return structural(schema, { root: schema, path: '', refs: [] });
}

function structural(schema: unknown, place: SchemaPlace): StructuralSchema {
  if (place.path.split('.').length > MAX_DEPTH) throw notStructural(place, `is deeper than ${MAX_DEPTH} levels`);
  if (schema === true) return ANYTHING;
  if (!isRecord(schema)) throw notStructural(place, `must be a schema, not ${JSON.stringify(schema)}`);
  const { schema: found, place: at } = resolvedSchema(schema, place);
  const refused = REFUSED.find((keyword) => found[keyword] !== undefined);
  if (refused !== undefined) throw notStructural(at, `has ${refused}`);
  const union = unionSchema(found, at, structural);
  if (union !== undefined) return { ...union, ...extensionsOf(found), ...textsOf(found) };
  const types = typesOf(found, at);
  if (types.name === undefined) return { ...ANYTHING, ...kept(found), ...extensionsOf(found) };
  return {
    type: types.name,
    ...kept(found),
    ...(types.isNullable && { nullable: true }),
    ...enumOf(found),
    ...(types.name === 'object' && objectPart(found, at)),
    ...(types.name === 'array' && listPart(found, at)),
    ...(isNumeric(types.name) && numberPart(found, types.name)),
    ...extensionsOf(found),
  };
}

const ANYTHING: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };

function isNumeric(type: string): boolean {
  return type === 'integer' || type === 'number';
}

/** The one type of a schema; without one its values may be anything. */
function typesOf(schema: JsonSchema, place: SchemaPlace): { name: string | undefined; isNullable: boolean } {
  const { type, enum: values, const: only } = schema;
  const named = type === undefined ? typesOfValues(values ?? (only === undefined ? [] : [only])) : [type].flat();
  const names = named.filter((name): name is string => typeof name === 'string' && name !== 'null');
  if (names.length > 1) throw notStructural(place, `has the types ${names.join(' and ')}`);
  return { name: names[0] ?? impliedType(schema), isNullable: named.includes('null') };
}

function impliedType(schema: JsonSchema): string | undefined {
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return 'object';
  return schema['items'] === undefined ? undefined : 'array';
}

function typesOfValues(values: unknown): readonly string[] {
  if (!Array.isArray(values)) return [];
  return [...new Set(values.map((value: unknown) => typeOfValue(value)))];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function kept(schema: JsonSchema): StructuralSchema {
  const entries = KEPT.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]]);
  const { pattern, ...rest } = Object.fromEntries(entries);
  // Libraries write the pattern of a format beside it, mostly one that RE2 cannot read; the format says the same.
  return pattern === undefined || rest['format'] !== undefined ? rest : { ...rest, pattern };
}

function textsOf(schema: JsonSchema): StructuralSchema {
  return Object.fromEntries(
    ['description', 'title', 'default', 'nullable']
      .filter((keyword) => schema[keyword] !== undefined)
      .map((keyword) => [keyword, schema[keyword]]),
  );
}

/** `x-kubernetes-...`, which authors put into a schema by hand. */
function extensionsOf(schema: JsonSchema): StructuralSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword.startsWith('x-kubernetes-')));
}

function enumOf({ enum: values, const: only }: JsonSchema): StructuralSchema {
  if (Array.isArray(values)) return { enum: values.filter((value) => value !== null) };
  return only === undefined ? {} : { enum: [only] };
}

function objectPart(schema: JsonSchema, place: SchemaPlace): StructuralSchema {
  const { properties, additionalProperties: others, required } = schema;
  const named = isRecord(properties) && Object.keys(properties).length > 0;
  const fields = named && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, structural(field, below(place, name))]),
    ),
  };
  const needs = Array.isArray(required) && required.length > 0 && { required };
  if (others === undefined || others === false) return { ...fields, ...needs };
  if (others === true || (isRecord(others) && Object.keys(others).length === 0))
    return { ...fields, ...needs, ...ANYTHING };
  if (named) throw notStructural(place, 'has both properties and additionalProperties');
  return { ...needs, additionalProperties: structural(others, below(place, '*')) };
}

function listPart({ items, uniqueItems }: JsonSchema, place: SchemaPlace): StructuralSchema {
  const item = structural(items ?? true, below(place, '[]'));
  if (uniqueItems !== true) return { items: item };
  // A CRD refuses uniqueItems, since it compares all pairs; a set says the same of scalars.
  if (item['type'] === 'object' || item['type'] === 'array')
    throw notStructural(place, 'has unique items that are no scalars');
  return { items: item, 'x-kubernetes-list-type': 'set' };
}

function numberPart(schema: JsonSchema, type: string): StructuralSchema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const isOwn = (bound: unknown): boolean =>
    bound !== undefined && !(type === 'integer' && Math.abs(Number(bound)) === SAFE);
  const lower = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : minimum;
  const upper = typeof exclusiveMaximum === 'number' ? exclusiveMaximum : maximum;
  return {
    ...(type === 'integer' && schema['format'] === undefined && { format: 'int64' }),
    ...(isOwn(lower) && { minimum: lower }),
    ...(isOwn(lower) && isExclusive(exclusiveMinimum) && { exclusiveMinimum: true }),
    ...(isOwn(upper) && { maximum: upper }),
    ...(isOwn(upper) && isExclusive(exclusiveMaximum) && { exclusiveMaximum: true }),
  };
}

/** A number in later versions of JSON Schema, a flag in OpenAPI 3.0. */
function isExclusive(bound: unknown): boolean {
  return typeof bound === 'number' || bound === true;
}
