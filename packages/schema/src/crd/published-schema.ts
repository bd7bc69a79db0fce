/** A structural schema as OpenAPI documents show it. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { OpenApiSchema, OpenApiVersion } from '../openapi/openapi-schema.ts';
import { isEqualJson } from './object/equal-json.ts';

/** The words that are shown as they are, if they say something. */
const PLAIN_WORDS = [
  'description',
  'title',
  'type',
  'format',
  'nullable',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;

const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const;

/** The state that the schemas of one document share. */
interface Publication {
  readonly version: OpenApiVersion;
  /** The properties of embedded objects. */
  readonly embedded: OpenApiSchema;
}

/**
 * A schema and all within it. `embedded` are the properties of embedded objects. Version 2 leaves out defaults, junctors, the
 * type of nullable values, and all below a schema that keeps unknown fields: its clients would refuse valid objects.
 */
export function publishedSchema(schema: JsonRecord, version: OpenApiVersion, embedded: OpenApiSchema): OpenApiSchema {
  return published(schema, { version, embedded });
}

function published(schema: JsonRecord, publication: Publication): OpenApiSchema {
  const { version, embedded } = publication;
  const source = version === 2 ? readableSchema(schema) : unfolded(schema);
  const result = ownWords(source, version);
  if (version === 3) {
    for (const word of JUNCTORS) {
      const list = source[word];
      if (!Array.isArray(list) || list.length === 0) continue;
      result[word] = list.map((one: unknown) => below(one, publication));
    }
    if (isRecord(source['not'])) result['not'] = below(source['not'], publication);
  }
  if (isRecord(source['items'])) result['items'] = below(source['items'], publication);
  const properties = isRecord(source['properties']) ? Object.entries(source['properties']) : [];
  if (properties.length > 0) {
    const shown: [string, unknown][] = [];
    for (const [name, one] of properties) shown.push([name, below(one, publication)]);
    result['properties'] = Object.fromEntries(shown);
  }
  if ((source['additionalProperties'] ?? undefined) !== undefined) {
    result['additionalProperties'] = below(source['additionalProperties'], publication);
  }
  return source['x-kubernetes-embedded-resource'] === true ? withMeta(result, version, embedded) : result;
}

function below(one: unknown, publication: Publication): unknown {
  return isRecord(one) ? published(one, publication) : one;
}

function ownWords(source: JsonRecord, version: OpenApiVersion): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const word of PLAIN_WORDS) {
    const value = source[word];
    if (!isEmpty(value)) result[word] = value;
  }
  if (version === 2) delete result['default'];
  return result;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}

/** An embedded object has `apiVersion`, `kind` and `metadata`. In version 2 only if all of its fields are declared. */
function withMeta(schema: OpenApiSchema, version: OpenApiVersion, embedded: OpenApiSchema): OpenApiSchema {
  if (version === 2 && schema['x-kubernetes-preserve-unknown-fields'] === true) return schema;
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return {
    ...schema,
    properties: { ...properties, ...embedded },
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
  };
}

const INTEGER_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** An int-or-string says in a junctor that it is one of two types. */
function unfolded(schema: JsonRecord): JsonRecord {
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  const allOf: readonly unknown[] = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  const [first] = allOf;
  const isSaid =
    isEqualJson(schema['anyOf'], INTEGER_OR_STRING) ||
    (isRecord(first) && isEqualJson(first['anyOf'], INTEGER_OR_STRING));
  if (isSaid) return schema;
  if (schema['anyOf'] === undefined) return { ...schema, anyOf: INTEGER_OR_STRING };
  return { ...schema, allOf: [{ anyOf: INTEGER_OR_STRING }, ...allOf] };
}

/** The keywords that clients of version 2 can read. */
function readableSchema(schema: JsonRecord): JsonRecord {
  const result: Record<string, unknown> = { ...schema };
  const isNullable = schema['nullable'] === true;
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isNullable || keepsUnknown) {
    delete result['items'];
    delete result['properties'];
  }
  if (isNullable) {
    delete result['type'];
    delete result['nullable'];
  }
  if (keepsUnknown && result['type'] === 'object') delete result['type'];
  if (result['type'] === 'array' && !isRecord(result['items'])) delete result['type'];
  const required = requiredNames(result);
  if (required !== undefined) result['required'] = required;
  return result;
}

/** A nullable property has no type any more, so it cannot be required. */
function requiredNames(schema: JsonRecord): readonly unknown[] | undefined {
  const { required, properties, additionalProperties } = schema;
  if (!Array.isArray(required)) return undefined;
  if (isRecord(additionalProperties) && additionalProperties['nullable'] === true) return [];
  if (!isRecord(properties)) return required;
  return required.filter((name) => {
    const property = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isRecord(property) || property['nullable'] !== true;
  });
}
