/** TypeScript out of a CRD: the types of its objects, with what the server checks as comments, and a `Resource` for each version. */

import { isRecord } from '@listwatch/api/values';
import { constraintsOf } from './schema-constraints.ts';
import type { StructuralSchema } from './schema-place.ts';

/** Deeper than any real schema: a hostile one must not overflow the stack. */
const MAX_DEPTH = 100;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/u;

interface Version {
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly columns: readonly StructuralSchema[];
}

interface Definition {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly versions: readonly Version[];
}

/**
 * A module of TypeScript with the types of CRDs: for each served version an interface for the object, its `spec` and its
 * `status`, and a `Resource`. The newest version has the plain names (`Website`, `websites`), others end in theirs
 * (`WebsiteV1alpha1`).
 *
 * @param definitions CustomResourceDefinitions of apiextensions.k8s.io/v1
 * @throws TypeError for an object that is none, and for two kinds of one name
 */
export function typesOfDefinitions(definitions: readonly unknown[]): string {
  const read = definitions.map(readDefinition);
  const taken = new Map<string, string>();
  for (const { kind, group } of read) {
    const other = taken.get(kind);
    if (other !== undefined)
      throw new TypeError(`${other} and ${group} both have a ${kind}: write their types to two files`);
    taken.set(kind, group);
  }
  const names = read.map(({ plural, group }) => `${plural}.${group}`).join(', ');
  return [
    `// Made by \`listwatch types\` from ${names}. Do not edit.`,
    '',
    "import { type ApiObject, resource } from '@listwatch/api';",
    '',
    ...read.flatMap((definition) =>
      definition.versions.map((version, index) => versionText(definition, version, index > 0)),
    ),
  ].join('\n');
}

function versionText({ group, plural, kind, namespaced }: Definition, version: Version, isOlder: boolean): string {
  const suffix = isOlder ? upperFirst(version.name) : '';
  const name = `${upperFirst(identifier(kind))}${suffix}`;
  const fields = { group, version: version.name, plural, kind, namespaced };
  return [
    ...objectTypes(name, version.schema),
    `/** \`${plural}\` of ${group}/${version.name}.${columnsText(version.columns)} */`,
    `export const ${identifier(plural)}${suffix} = resource<${name}>({`,
    ...Object.entries(fields).map(([field, value]) => `  ${field}: ${literal(value)},`),
    '});',
    '',
  ].join('\n');
}

function readDefinition(definition: unknown): Definition {
  const { kind: type, spec } = Object(definition);
  const { group, names, scope, versions } = Object(spec);
  const { plural, kind } = Object(names);
  const texts = [group, plural, kind];
  if (
    type !== 'CustomResourceDefinition' ||
    !texts.every((text) => typeof text === 'string' && text !== '') ||
    !Array.isArray(versions)
  ) {
    throw new TypeError('not a CustomResourceDefinition of apiextensions.k8s.io/v1');
  }
  const served = versions.filter(isRecord).filter((version) => version['served'] !== false);
  return {
    group,
    plural,
    kind,
    namespaced: scope !== 'Cluster',
    versions: served
      .map((version) => ({
        name: String(version['name']),
        schema: record(Object(version['schema'])['openAPIV3Schema']),
        columns: list(version['additionalPrinterColumns']).map(record),
      }))
      .toSorted((left, right) => rankOf(right.name) - rankOf(left.name)),
  };
}

/** v2 above v1, and both above v1beta1 and v1alpha1. */
function rankOf(version: string): number {
  const [, major = '0', stage = '', minor = '0'] = /^v(\d+)(alpha|beta)?(\d+)?$/u.exec(version) ?? [];
  const base = stage === '' ? 2e9 : stage === 'beta' ? 1e9 : 0;
  return base + Number(major) * 1000 + Number(minor);
}

function objectTypes(name: string, schema: StructuralSchema): readonly string[] {
  const properties = record(schema['properties']);
  const required = list(schema['required']);
  const parts = Object.entries(properties).filter(([field]) => !['apiVersion', 'kind', 'metadata'].includes(field));
  if (parts.length === 0) return [`${comment(schema, 0)}export type ${name} = ApiObject;`, ''];
  const nameOf = (field: string): string => `${name}${upperFirst(identifier(field))}`;
  return [
    `${comment(schema, 0)}export interface ${name} extends ApiObject {`,
    ...parts.map(([field, value]) => {
      const part = record(value);
      const head = `  readonly ${property(field)}${required.includes(field) ? '' : '?'}`;
      // Only what is an object gets a name of its own: `spec` and `status`, nearly always.
      return isPlainObject(part) ? `${head}: ${nameOf(field)};` : `${comment(part, 1)}${head}: ${typeText(part, 1)};`;
    }),
    '}',
    '',
    ...parts
      .filter(([, part]) => isPlainObject(record(part)))
      .flatMap(([field, part]) => [
        `${comment(record(part), 0)}export interface ${nameOf(field)} {`,
        ...fieldLines(record(part), 1),
        '}',
        '',
      ]),
  ];
}

function isPlainObject(schema: StructuralSchema): boolean {
  return isRecord(schema['properties']) && schema['nullable'] !== true;
}

function fieldLines(schema: StructuralSchema, depth: number): readonly string[] {
  const required = list(schema['required']);
  const lines = Object.entries(record(schema['properties'])).map(([name, field]) => {
    const optional = required.includes(name) ? '' : '?';
    const part = record(field);
    return `${comment(part, depth)}${indent(depth)}readonly ${property(name)}${optional}: ${typeText(part, depth)};`;
  });
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return open ? [...lines, `${indent(depth)}readonly [field: string]: unknown;`] : lines;
}

function typeText(schema: StructuralSchema, depth: number): string {
  const text = plainType(schema, depth);
  return schema['nullable'] === true ? `${text} | null` : text;
}

function plainType(schema: StructuralSchema, depth: number): string {
  if (depth > MAX_DEPTH) return 'unknown';
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  const values = schema['enum'];
  if (Array.isArray(values) && values.length > 0) return values.map(literal).join(' | ');
  switch (schema['type']) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeText(record(schema['items']), depth);
      return /^[\w.]+$/u.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
    }
    case 'object':
      return objectType(schema, depth);
    default:
      return 'unknown';
  }
}

function objectType(schema: StructuralSchema, depth: number): string {
  const { properties, additionalProperties } = schema;
  if (schema['x-kubernetes-embedded-resource'] === true) return 'ApiObject';
  if (isRecord(properties) && Object.keys(properties).length > 0) {
    return ['{', ...fieldLines(schema, depth + 1), `${indent(depth)}}`].join('\n');
  }
  const value = isRecord(additionalProperties) ? typeText(additionalProperties, depth) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

function comment(schema: StructuralSchema, depth: number): string {
  const { description } = schema;
  const lines = [...(typeof description === 'string' ? [description] : []), ...constraintsOf(schema)]
    .flatMap((text) => text.split('\n'))
    // A text that ends the comment would be read as code.
    .map((line) => line.replaceAll('*/', '*\\/').replaceAll('\r', '').trimEnd());
  if (lines.length === 0) return '';
  const [only = ''] = lines;
  if (lines.length === 1) return `${indent(depth)}/** ${only} */\n`;
  return `${[`${indent(depth)}/**`, ...lines.map((line) => `${indent(depth)} * ${line}`.trimEnd()), `${indent(depth)} */`].join('\n')}\n`;
}

function columnsText(columns: readonly StructuralSchema[]): string {
  const names = columns.map(({ name, jsonPath }) => `${String(name)} (${String(jsonPath)})`.replaceAll('*/', '*\\/'));
  return names.length === 0 ? '' : ` kubectl shows ${names.join(', ')}.`;
}

function property(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

/** A name as an identifier: what cannot stand in one is left out. */
function identifier(name: string): string {
  const plain = name.replaceAll(/[^\w$]+(.)?/gu, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return /^[A-Za-z_$]/u.test(plain) ? plain : `_${plain}`;
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}

function record(value: unknown): StructuralSchema {
  return isRecord(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
