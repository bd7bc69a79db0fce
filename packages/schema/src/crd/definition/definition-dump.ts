/** Parts of a definition as kube-apiserver shows them in messages: the names and the empty values of its Go types. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { VersionView } from './definition-view.ts';

type Dump = (value: unknown) => unknown;

const asText: Dump = (value) => value ?? '';
const asPointer: Dump = (value) => value ?? null;
const asBool: Dump = (value) => value ?? false;
const asList: Dump = (value) => (Array.isArray(value) && value.length > 0 ? value : null);
const asSchema: Dump = (value) => (isRecord(value) ? dumpSchema(value) : null);
const asSchemas: Dump = (value) => (Array.isArray(value) && value.length > 0 ? value.map(asSchema) : null);
const asSchemaMap: Dump = (value) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asSchema(one)])) : null;
const asSchemaOrBool: Dump = (value) =>
  value === undefined || value === null ? null : { Allows: value !== false, Schema: asSchema(value) };
const asItems: Dump = (value) => {
  if (Array.isArray(value)) return { Schema: null, JSONSchemas: asSchemas(value) };
  return isRecord(value) ? { Schema: asSchema(value), JSONSchemas: null } : null;
};
const asDependencies: Dump = (value) =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, { Schema: asSchema(one), Property: asList(one) }]),
      )
    : null;
const asDocs: Dump = (value) =>
  isRecord(value) ? { Description: asText(value['description']), URL: asText(value['url']) } : null;
const asRules: Dump = (value) =>
  Array.isArray(value) && value.length > 0 ? value.map((rule) => (isRecord(rule) ? dumpRule(rule) : null)) : null;

/** The fields of a schema in their order in Go: the name there, the name in JSON, and how the value is shown. */
const SCHEMA_FIELDS: readonly (readonly [string, string, Dump])[] = [
  ['ID', 'id', asText],
  ['Schema', '$schema', asText],
  ['Ref', '$ref', asPointer],
  ['Description', 'description', asText],
  ['Type', 'type', asText],
  ['Nullable', 'nullable', asBool],
  ['Format', 'format', asText],
  ['Title', 'title', asText],
  ['Default', 'default', asPointer],
  ['Maximum', 'maximum', asPointer],
  ['ExclusiveMaximum', 'exclusiveMaximum', asBool],
  ['Minimum', 'minimum', asPointer],
  ['ExclusiveMinimum', 'exclusiveMinimum', asBool],
  ['MaxLength', 'maxLength', asPointer],
  ['MinLength', 'minLength', asPointer],
  ['Pattern', 'pattern', asText],
  ['MaxItems', 'maxItems', asPointer],
  ['MinItems', 'minItems', asPointer],
  ['UniqueItems', 'uniqueItems', asBool],
  ['MultipleOf', 'multipleOf', asPointer],
  ['Enum', 'enum', asList],
  ['MaxProperties', 'maxProperties', asPointer],
  ['MinProperties', 'minProperties', asPointer],
  ['Required', 'required', asList],
  ['Items', 'items', asItems],
  ['AllOf', 'allOf', asSchemas],
  ['OneOf', 'oneOf', asSchemas],
  ['AnyOf', 'anyOf', asSchemas],
  ['Not', 'not', asSchema],
  ['Properties', 'properties', asSchemaMap],
  ['AdditionalProperties', 'additionalProperties', asSchemaOrBool],
  ['PatternProperties', 'patternProperties', asSchemaMap],
  ['Dependencies', 'dependencies', asDependencies],
  ['AdditionalItems', 'additionalItems', asSchemaOrBool],
  ['Definitions', 'definitions', asSchemaMap],
  ['ExternalDocs', 'externalDocs', asDocs],
  ['Example', 'example', asPointer],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', asPointer],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', asBool],
  ['XIntOrString', 'x-kubernetes-int-or-string', asBool],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', asList],
  ['XListType', 'x-kubernetes-list-type', asPointer],
  ['XMapType', 'x-kubernetes-map-type', asPointer],
  ['XValidations', 'x-kubernetes-validations', asRules],
];

/** The fields of a schema that are set, by their names in Go and in its order. */
export function setFields(schema: JsonRecord): readonly string[] {
  return SCHEMA_FIELDS.filter(([, name]) => !isUnset(schema[name])).map(([name]) => name);
}

/** Is it the value of a field that nobody has set? A number is always set. */
export function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}

/** A schema. */
export function dumpSchema(schema: JsonRecord): JsonRecord {
  return Object.fromEntries(SCHEMA_FIELDS.map(([shown, name, dump]) => [shown, dump(schema[name])]));
}

/** A rule in CEL. */
export function dumpRule(rule: JsonRecord): JsonRecord {
  return {
    Rule: asText(rule['rule']),
    Message: asText(rule['message']),
    MessageExpression: asText(rule['messageExpression']),
    Reason: asPointer(rule['reason']),
    FieldPath: asText(rule['fieldPath']),
    OptionalOldSelf: asPointer(rule['optionalOldSelf']),
  };
}

/** The versions of a definition, without the parts that they share. */
export function dumpVersions(versions: readonly VersionView[]): readonly JsonRecord[] {
  return versions.map((version) => ({
    Name: version.name,
    Served: version.isServed,
    Storage: version.isStorage,
    Deprecated: version.isDeprecated,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema === undefined ? null : { OpenAPIV3Schema: asSchema(version.schema['openAPIV3Schema']) },
    Subresources: version.subresources === undefined ? null : dumpSubresources(version.subresources),
    AdditionalPrinterColumns: version.columns.length === 0 ? null : version.columns.map(dumpColumn),
    SelectableFields:
      version.selectableFields.length === 0
        ? null
        : version.selectableFields.map((field) => ({ JSONPath: asText(field['jsonPath']) })),
  }));
}

function dumpSubresources({ status, scale }: JsonRecord): JsonRecord {
  return {
    Status: isRecord(status) ? {} : null,
    Scale: isRecord(scale)
      ? {
          SpecReplicasPath: asText(scale['specReplicasPath']),
          StatusReplicasPath: asText(scale['statusReplicasPath']),
          LabelSelectorPath: asPointer(scale['labelSelectorPath']),
        }
      : null,
  };
}

function dumpColumn(column: JsonRecord): JsonRecord {
  return {
    Name: asText(column['name']),
    Type: asText(column['type']),
    Format: asText(column['format']),
    Description: asText(column['description']),
    Priority: column['priority'] ?? 0,
    JSONPath: asText(column['jsonPath']),
  };
}
