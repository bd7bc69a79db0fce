/** Writes protobuf for tests: also what Go never writes. No test itself, and not shipped. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ScalarType, Schema, StructSchema } from '../schema.ts';
import type { SchemaSet } from '../schema-set.ts';
import { WIRE } from './wire-type.ts';

/** The bytes of an integer. */
export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

/** A field with an integer. */
export function intField(number: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE.varint), varint(value)]);
}

/** A field with text, bytes or the parts of a message. */
export function bytesField(number: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(number * 8 + WIRE.bytes), varint(content.length), content]);
}

/** A field with a double. */
export function doubleField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE.fixed64), double(value)]);
}

/** A body as clients send it. */
export function envelope(apiVersion: string, kind: string, message: Uint8Array): Buffer {
  const type = bytesField(1, bytesField(1, apiVersion), bytesField(2, kind));
  return Buffer.concat([Buffer.from('k8s\0'), type, bytesField(2, message), bytesField(3, ''), bytesField(4, '')]);
}

/** The fields of an object, each by itself: they may come in any order. */
export function messageParts(set: SchemaSet, schema: Schema, value: JsonRecord): readonly Buffer[] {
  const resolved = set.resolve(schema);
  if (!('fields' in resolved)) throw new TypeError('only a struct is a message');
  return Object.entries(resolved.fields).flatMap(([name, field]) => {
    const { number, within = [] } = field;
    if (number === undefined || value[name] === undefined) return [];
    const part = Buffer.concat(fieldParts(set, number, field, value[name]));
    return [within.reduceRight<Buffer>((inside, outer) => bytesField(outer, inside), part)];
  });
}

function fieldParts(
  set: SchemaSet,
  number: number,
  schema: Schema,
  value: unknown,
  isInside = false,
): readonly Buffer[] {
  const resolved = set.resolve(schema);
  if ('type' in resolved) return [SCALARS[resolved.type](number, value)];
  if ('list' in resolved && 'wrapped' in resolved && !isInside) {
    return [bytesField(number, ...fieldParts(set, 1, schema, value, true))];
  }
  if ('list' in resolved)
    return (Array.isArray(value) ? value : []).flatMap((item) => itemParts(set, number, resolved.list, item));
  if ('fields' in resolved) return [bytesField(number, ...messageParts(set, resolved, formFields(resolved, value)))];
  return Object.entries(isRecord(value) ? value : {}).map(([key, item]) => {
    return bytesField(number, bytesField(1, key), ...itemParts(set, 2, resolved.map, item));
  });
}

/** A list or a map as an item is a message of its own. */
function itemParts(set: SchemaSet, number: number, schema: Schema, item: unknown): readonly Buffer[] {
  const resolved = set.resolve(schema);
  const isWrapped = 'list' in resolved || 'map' in resolved;
  return isWrapped
    ? [bytesField(number, ...fieldParts(set, 1, schema, item, true))]
    : fieldParts(set, number, schema, item);
}

function formFields({ form }: StructSchema, value: unknown): JsonRecord {
  if (form === undefined) return isRecord(value) ? value : {};
  if (typeof value === 'boolean') return { allows: value };
  if (Array.isArray(value)) return form === 'orArray' ? { jSONSchemas: value } : { property: value };
  return isRecord(value) ? { schema: value } : {};
}

function json(number: number, value: unknown): Buffer {
  return bytesField(number, bytesField(1, JSON.stringify(value)));
}

const SCALARS: Readonly<Record<ScalarType, (number: number, value: unknown) => Buffer>> = {
  any: json,
  bool: (number, value) => intField(number, value === true ? 1 : 0),
  bytes: (number, value) => bytesField(number, Buffer.from(String(value), 'base64')),
  duration: (number, value) => bytesField(number, intField(1, BigInt(String(value).replace('ns', '')))),
  fieldsV1: json,
  float64: (number, value) => doubleField(number, Number(value)),
  int32: (number, value) => intField(number, Number(value)),
  int64: (number, value) => intField(number, typeof value === 'bigint' ? value : Number(value)),
  intOrString: (number, value) =>
    typeof value === 'number'
      ? bytesField(number, intField(1, 0), intField(2, value), bytesField(3, ''))
      : bytesField(number, intField(1, 1), intField(2, 0), bytesField(3, String(value))),
  json,
  microTime: (number, value) => bytesField(number, ...timestamp(String(value))),
  quantity: (number, value) => bytesField(number, bytesField(1, String(value))),
  rawExtension: json,
  string: (number, value) => bytesField(number, String(value)),
  time: (number, value) => bytesField(number, ...timestamp(String(value))),
};

function timestamp(text: string): readonly Buffer[] {
  const micros = Number(/\.(\d{6})Z$/.exec(text)?.[1] ?? 0);
  return [intField(1, Math.floor(Date.parse(text) / 1000)), intField(2, micros * 1000)];
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
