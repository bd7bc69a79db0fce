/** Values of custom objects as expressions see them: views of the JSON by its schema, without a copy. */
import { CelDouble, CelList, type CelMap, type CelValue, intValue, type ListRules } from '@listwatch/cel';
import { isRawObject } from '@listwatch/cel/internal';
import { memoOf } from '../json-memo.ts';
import type { DeclaredSchema } from './declared-schema.ts';
import { PreservedValue } from './preserved-value.ts';
import { decodedBytes, parsedDate, parsedDuration, parsedTime } from './schema-format.ts';
import { listRules } from './schema-list.ts';
import { objectAdapter } from './schema-object.ts';

/** Makes the value of JSON by its schema. JSON that does not fit the schema becomes null: it has been refused before. */
export function schemaValue(json: unknown, schema: DeclaredSchema, isRoot = false): CelValue {
  return adapterOf(schema, isRoot)(json);
}

/** Makes values of one schema. */
export type SchemaAdapter = (json: unknown) => CelValue;

/** The maker of the values of a schema. It is made once and kept by the identity of the schema. */
export function adapterOf(schema: DeclaredSchema, isRoot = false): SchemaAdapter {
  const memo = memoOf(schema);
  if (isRoot) memo.rootAdapter ??= newAdapter(schema, true);
  else memo.adapter ??= newAdapter(schema, false);
  return (isRoot ? memo.rootAdapter : memo.adapter) ?? newAdapter(schema, isRoot);
}

function newAdapter(schema: DeclaredSchema, isRoot: boolean): SchemaAdapter {
  if (schema['x-kubernetes-int-or-string'] === true) return (json) => (typeof json === 'string' ? json : intOf(json));
  switch (schema.type ?? '') {
    case 'object':
      return newObjectAdapter(schema, isRoot);
    case 'array':
      return newListAdapter(schema);
    case 'string':
      return newTextAdapter(schema.format);
    case 'number':
      return (json) => (typeof json === 'number' || typeof json === 'bigint' ? new CelDouble(Number(json)) : null);
    case 'integer':
      return intOf;
    case 'boolean':
      return (json) => (typeof json === 'boolean' ? json : null);
    default:
      return (json) => (json === null ? null : new PreservedValue(json));
  }
}

function newObjectAdapter(schema: DeclaredSchema, isRoot: boolean): SchemaAdapter {
  const adapt = objectAdapter(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true, adapterOf);
  return (json): CelMap | null => (isRawObject(json) ? adapt(json) : null);
}

function newListAdapter(schema: DeclaredSchema): SchemaAdapter {
  const { items } = schema;
  if (items === undefined) return () => null;
  const adapt: SchemaAdapter = (json) => adapterOf(items)(json);
  const rules: ListRules | undefined = listRules(schema);
  return (json) => (Array.isArray(json) ? CelList.adapted(json, adapt, rules) : null);
}

function newTextAdapter(format: string | undefined): SchemaAdapter {
  const read = TEXT_FORMATS[format ?? ''] ?? ((text: string) => text);
  return (json) => (typeof json === 'string' ? read(json) : null);
}

const TEXT_FORMATS: Readonly<Record<string, (text: string) => CelValue>> = {
  byte: decodedBytes,
  date: parsedDate,
  'date-time': parsedTime,
  duration: parsedDuration,
};

function intOf(json: unknown): CelValue {
  if (typeof json === 'bigint') return intValue(json) ?? null;
  if (typeof json !== 'number' || !Number.isInteger(json)) return null;
  return Number.isSafeInteger(json) ? json + 0 : (intValue(BigInt(json)) ?? null);
}
