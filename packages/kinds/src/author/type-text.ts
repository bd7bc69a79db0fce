/** TypeScript out of a CRD: the types of its objects, with what the server checks as comments, and a `Resource` for each version. */

import { isRecord } from '@listwatch/api/values';
import {
  comment,
  fieldLines,
  hasDefaults,
  list,
  literal,
  type ObjectForm,
  optionalMark,
  property,
  record,
  typeText,
} from './field-text.ts';
import type { StructuralSchema } from './schema-place.ts';

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
 * `status`, and a `Resource`; where there are defaults also a `New...` with what an author writes. The newest version has the plain names (`Website`, `websites`), others end in theirs
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
    ...newObjectTypes(name, `${group}/${version.name}`, kind, version.schema),
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
  const parts = partsOf(schema);
  if (parts.length === 0) return [`${comment(schema, 0)}export type ${name} = ApiObject;`, ''];
  return [
    `${comment(schema, 0)}export interface ${name} extends ApiObject {`,
    ...parts.map((part) => partLine(name, schema, part, 'read')),
    '}',
    '',
    ...parts.flatMap(([field, part]) => partTypes(partName(name, field), part, 'read')),
  ];
}

/** What an author writes where the server fills in defaults: its types, and the object as `cluster.create` takes it. */
function newObjectTypes(name: string, apiVersion: string, kind: string, schema: StructuralSchema): readonly string[] {
  const parts = partsOf(schema).filter(([field]) => field !== 'status');
  const changed = parts.filter(([, part]) => part['default'] !== undefined || hasDefaults(part));
  if (changed.length === 0) return [];
  const line = (part: ObjectPart): string =>
    hasDefaults(part[1]) ? partLine(`New${name}`, schema, part, 'new') : partLine(name, schema, part, 'new');
  return [
    `/** A ${name} to be created: what has a default may be absent. */`,
    `export interface New${name} {`,
    '  readonly metadata: Partial<',
    '    Pick<',
    "      ApiObject['metadata'],",
    "      'annotations' | 'finalizers' | 'generateName' | 'labels' | 'name' | 'namespace' | 'ownerReferences'",
    '    >',
    '  >;',
    ...parts.map(line),
    '}',
    '',
    ...changed.flatMap(([field, part]) =>
      hasDefaults(part) ? partTypes(partName(`New${name}`, field), part, 'new') : [],
    ),
    `/** The object as \`cluster.create\` takes it: typed as if the defaults were there, which the server fills in. */`,
    `export function new${name}(object: New${name}): Omit<${name}, 'metadata' | 'status'> & Pick<New${name}, 'metadata'>;`,
    `export function new${name}(object: object): object {`,
    `  return { apiVersion: ${literal(apiVersion)}, kind: ${literal(kind)}, ...object };`,
    '}',
    '',
  ];
}

type ObjectPart = readonly [string, StructuralSchema];

/** The fields of an object but those that all objects have. */
function partsOf(schema: StructuralSchema): readonly ObjectPart[] {
  return Object.entries(record(schema['properties']))
    .filter(([field]) => !['apiVersion', 'kind', 'metadata'].includes(field))
    .map(([field, part]) => [field, record(part)]);
}

function partName(name: string, field: string): string {
  return `${name}${upperFirst(identifier(field))}`;
}

function partLine(name: string, schema: StructuralSchema, [field, part]: ObjectPart, form: ObjectForm): string {
  const isRequired = list(schema['required']).includes(field);
  const head = `  readonly ${property(field)}${optionalMark(part, isRequired, form)}`;
  // Only what is an object gets a name of its own: `spec` and `status`, nearly always.
  if (isPlainObject(part)) return `${head}: ${partName(name, field)};`;
  return `${comment(part, 1)}${head}: ${typeText(part, { depth: 1, form })};`;
}

function partTypes(name: string, part: StructuralSchema, form: ObjectForm): readonly string[] {
  if (!isPlainObject(part)) return [];
  return [`${comment(part, 0)}export interface ${name} {`, ...fieldLines(part, { depth: 1, form }), '}', ''];
}

function isPlainObject(schema: StructuralSchema): boolean {
  return isRecord(schema['properties']) && schema['nullable'] !== true;
}

function columnsText(columns: readonly StructuralSchema[]): string {
  const names = columns.map(({ name, jsonPath }) => `${String(name)} (${String(jsonPath)})`.replaceAll('*/', '*\\/'));
  return names.length === 0 ? '' : ` kubectl shows ${names.join(', ')}.`;
}

/** A name as an identifier: what cannot stand in one is left out. */
function identifier(name: string): string {
  const plain = name.replaceAll(/[^\w$]+(.)?/gu, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return /^[A-Za-z_$]/u.test(plain) ? plain : `_${plain}`;
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
