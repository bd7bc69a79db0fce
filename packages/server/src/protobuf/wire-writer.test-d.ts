/** Writes protobuf for tests: what the server never does. No test itself, and not shipped. */

import { isRecord, type JsonRecord, listOf } from '../kinds/shapes/json-value.ts';
import { type ScalarName, type Shape, type StructShape, scalarName } from '../kinds/shapes/shape.ts';
import { fieldPaths } from './message-fields.ts';
import { WIRE } from './wire-reader.ts';

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
export function messageParts(shape: StructShape, value: JsonRecord): readonly Buffer[] {
  return fieldPaths(shape).flatMap(([name, [outer, inner]]) => {
    const field = shape.fields[name];
    if (field === undefined || outer === 0 || value[name] === undefined) return [];
    const part = Buffer.concat(fieldParts(inner ?? outer, field, value[name]));
    return [inner === undefined ? part : bytesField(outer, part)];
  });
}

function fieldParts(number: number, shape: Shape, value: unknown): readonly Buffer[] {
  if (typeof shape === 'string') return [SCALARS[scalarName(shape)](number, value)];
  if ('list' in shape) return listOf(value).flatMap((item) => fieldParts(number, shape.list, item));
  const record = isRecord(value) ? value : {};
  if ('struct' in shape) return [bytesField(number, ...messageParts(shape, record))];
  return Object.entries(record).map(([key, item]) => {
    return bytesField(number, bytesField(1, key), ...fieldParts(2, shape.map, item));
  });
}

const SCALARS: Readonly<Record<ScalarName, (number: number, value: unknown) => Buffer>> = {
  any: (number, value) => bytesField(number, bytesField(1, JSON.stringify(value))),
  bool: (number, value) => intField(number, value === true ? 1 : 0),
  bytes: (number, value) => bytesField(number, Buffer.from(String(value), 'base64')),
  float64: (number, value) => doubleField(number, Number(value)),
  int32: (number, value) => intField(number, Number(value)),
  int64: (number, value) => intField(number, typeof value === 'bigint' ? value : Number(value)),
  intOrString: (number, value) =>
    typeof value === 'number'
      ? bytesField(number, intField(1, 0), intField(2, value), bytesField(3, ''))
      : bytesField(number, intField(1, 1), intField(2, 0), bytesField(3, String(value))),
  microTime: (number, value) => bytesField(number, ...timestamp(String(value))),
  quantity: (number, value) => bytesField(number, bytesField(1, String(value))),
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
