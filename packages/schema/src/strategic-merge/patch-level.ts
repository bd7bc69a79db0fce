/** Where a merge is in the schema, and how it merges the fields there. */

import type { Schema } from '../schema.ts';
import { type SchemaSet, schemaNode } from '../schema-set.ts';
import { unmergeable } from './strategic-merge-error.ts';

/** A place in a schema. */
export interface PatchLevel {
  readonly schemas: SchemaSet;
  readonly schema: Schema;
}

/** How a field is merged. */
export interface FieldMerge {
  /** The place of its value; for a list that of an item. */
  readonly below: PatchLevel;
  readonly strategy: 'merge' | 'replace' | undefined;
  readonly retainKeys: boolean;
  /** The field that tells items apart; `''` when there is none. */
  readonly mergeKey: string;
}

/** How an object in a field is merged. Throws when the schema has no such field. */
export function objectField(level: PatchLevel, name: string): FieldMerge {
  const { schemas, schema } = level;
  const kind = goKind(level);
  if (kind !== 'struct') {
    throw unmergeable(`merging an object in json but data type is not struct, instead is: ${kind}`);
  }
  const field = schemas.field(schema, name);
  if (field === undefined) {
    const quoted = JSON.stringify(name);
    throw unmergeable(`unable to find api field in struct ${structName(schema)} for the json field ${quoted}`);
  }
  const { patchStrategy = '', patchMergeKey = '' } = field;
  return {
    below: { schemas, schema: field },
    strategy: patchStrategy.startsWith('merge') ? 'merge' : patchStrategy === 'replace' ? 'replace' : undefined,
    retainKeys: patchStrategy.endsWith('retainKeys'),
    mergeKey: patchMergeKey,
  };
}

/** How a list in a field is merged. Throws when the schema has no such field, or when it is no list. */
export function listField(level: PatchLevel, name: string): FieldMerge {
  const found = objectField(level, name);
  const resolved = level.schemas.resolve(found.below.schema);
  if (!('list' in resolved)) throw unmergeable(`expected slice or array type, but got: ${goKind(level)}`);
  return { ...found, below: { schemas: level.schemas, schema: resolved.list } };
}

/** The kind of the Go type that holds values of a schema. */
export function goKind({ schemas, schema }: PatchLevel): string {
  const resolved = schemas.resolve(schema);
  if ('fields' in resolved) return 'struct';
  if ('map' in resolved) return 'map';
  if ('list' in resolved) return 'slice';
  return SCALAR_KINDS.get(resolved.type) ?? resolved.type;
}

function structName(schema: Schema): string {
  const node = schemaNode(schema);
  if (!('type' in node)) return '';
  return STRUCT_NAMES.get(node.type) ?? node.type.slice(node.type.lastIndexOf('.') + 1);
}

const STRUCT_NAMES: ReadonlyMap<string, string> = new Map([
  ['duration', 'Duration'],
  ['fieldsV1', 'FieldsV1'],
  ['intOrString', 'IntOrString'],
  ['json', 'JSON'],
  ['microTime', 'MicroTime'],
  ['quantity', 'Quantity'],
  ['rawExtension', 'RawExtension'],
  ['time', 'Time'],
]);

const SCALAR_KINDS: ReadonlyMap<string, string> = new Map([
  ['any', 'interface'],
  ['bytes', 'slice'],
  ...Array.from(STRUCT_NAMES.keys(), (type) => [type, 'struct'] as const),
]);
