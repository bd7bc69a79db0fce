/** `openAPIV3Schema` in the schema language. The way back for OpenAPI documents is `customComponents`, from the source. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { CelRule, Field, ListKind, MapKind, ScalarType, SchemaNode, Validation, ValueRules } from '../schema.ts';

/**
 * The structural schema of a whole custom object as a node of the schema language: a struct with `apiVersion`, `kind` and
 * `metadata` (of the type `meta/v1.ObjectMeta`).
 */
export function schemaLanguage(source: JsonRecord): SchemaNode {
  const root = nodeOf({ ...source, type: 'object' }, true);
  return 'fields' in root ? root : { ...rulesOf(source), fields: META_FIELDS, keepsUnknown: true };
}

const META_FIELDS: Readonly<Record<string, Field>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'meta/v1.ObjectMeta' },
};

/** The keyword of a node beside its schema: the field is required. */
interface FieldRules extends ValueRules {
  readonly required?: true;
}

function nodeOf(schema: JsonRecord, isRoot = false, isRequired = false): SchemaNode {
  const rules: FieldRules = isRequired ? { ...rulesOf(schema), required: true } : rulesOf(schema);
  if (schema['x-kubernetes-int-or-string'] === true) return { ...rules, type: 'intOrString' };
  switch (schema['type']) {
    case 'object':
      return objectNode(schema, rules, isRoot);
    case 'array':
      return listNode(schema, rules);
    default:
      return { ...rules, type: scalarOf(schema) };
  }
}

function objectNode(schema: JsonRecord, rules: ValueRules, isRoot: boolean): SchemaNode {
  const mapType = mapKind(schema['x-kubernetes-map-type']);
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const additional = schema['additionalProperties'];
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const hasAdditional = isRecord(additional) || additional === true;
  if (hasAdditional && Object.keys(properties).length === 0 && !isRoot && !embedded) {
    return { ...rules, ...mapType, map: isRecord(additional) ? nodeOf(additional) : 'any' };
  }
  let fields: Readonly<Record<string, Field>> | undefined;
  return {
    ...rules,
    ...mapType,
    // Read at the first look: the first object of a definition with 60 000 fields would wait for all of them.
    get fields() {
      fields ??= { ...fieldsOf(properties, schema['required']), ...(isRoot || embedded ? META_FIELDS : {}) };
      return fields;
    },
    ...(keepsUnknown ? { keepsUnknown } : {}),
    ...(embedded && !isRoot ? { embedded } : {}),
  };
}

function fieldsOf(properties: JsonRecord, required: unknown): Readonly<Record<string, Field>> {
  const names = new Set(Array.isArray(required) ? required : []);
  const fields: [string, Field][] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (isRecord(property)) fields.push([name, nodeOf(property, false, names.has(name))]);
  }
  return Object.fromEntries(fields);
}

function listNode(schema: JsonRecord, rules: ValueRules): SchemaNode {
  const { items, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys } = schema;
  return {
    ...rules,
    list: isRecord(items) ? nodeOf(items) : 'any',
    ...(isListKind(listType) ? { listType } : {}),
    ...(Array.isArray(keys) ? { keys: keys.filter((key) => typeof key === 'string') } : {}),
  };
}

function scalarOf({ type, format }: JsonRecord): ScalarType {
  switch (type) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'integer':
      return format === 'int32' ? 'int32' : 'int64';
    case 'number':
      return 'float64';
    default:
      return 'any';
  }
}

function rulesOf(schema: JsonRecord): ValueRules {
  if (!Object.keys(schema).some((word) => RULES.has(word))) return {};
  const { description, nullable, default: value, enum: values } = schema;
  const validation = validationOf(schema);
  return {
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    ...(nullable === true ? { nullable } : {}),
    ...(value === undefined || value === null ? {} : { default: value }),
    ...(Array.isArray(values) && values.length > 0 ? { enum: values } : {}),
    ...(Object.keys(validation).length === 0 ? {} : { validation }),
  };
}

const RESTRICTIONS = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

/** Keywords of a schema beside the types of values. */
const RULES: ReadonlySet<string> = new Set([
  ...RESTRICTIONS,
  'allOf',
  'anyOf',
  'default',
  'description',
  'enum',
  'not',
  'nullable',
  'oneOf',
  'x-kubernetes-validations',
]);

/** The keywords that restrict a value beside its type: those of the schema itself, and of junctors with all schemas below them. */
function validationOf(schema: JsonRecord): Validation {
  const found: Record<string, unknown> = {};
  for (const word of RESTRICTIONS) {
    if (schema[word] !== undefined && schema[word] !== null && schema[word] !== '') found[word] = schema[word];
  }
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    const list = schema[word];
    if (Array.isArray(list) && list.length > 0) found[word] = list.filter(isRecord).map(nestedValidation);
  }
  if (isRecord(schema['not'])) found['not'] = nestedValidation(schema['not']);
  const rules = schema['x-kubernetes-validations'];
  if (Array.isArray(rules) && rules.length > 0) found['cel'] = rules.filter(isRule);
  return found;
}

function nestedValidation(schema: JsonRecord): Validation {
  const { items, properties, additionalProperties, required, enum: values } = schema;
  return {
    ...validationOf(schema),
    ...(Array.isArray(values) ? { enum: values } : {}),
    ...(Array.isArray(required) ? { required: required.filter((name) => typeof name === 'string') } : {}),
    ...(isRecord(items) ? { items: nestedValidation(items) } : {}),
    ...(isRecord(additionalProperties) ? { additionalProperties: nestedValidation(additionalProperties) } : {}),
    ...(isRecord(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).flatMap(([name, one]) => (isRecord(one) ? [[name, nestedValidation(one)]] : [])),
          ),
        }
      : {}),
  };
}

function isRule(value: unknown): value is CelRule {
  return isRecord(value) && typeof value['rule'] === 'string';
}

function isListKind(value: unknown): value is ListKind {
  return value === 'atomic' || value === 'map' || value === 'set';
}

function mapKind(value: unknown): { readonly mapType?: MapKind } {
  return value === 'atomic' || value === 'granular' ? { mapType: value } : {};
}
