/** Writes scalars of JSON as protobuf, with the tags of their fields. */

import { durationNanos, isJsonNumber } from '@listwatch/api/values';
import { SCALAR_ZEROS } from '../decode/scalar-zeros.ts';
import type { ScalarType } from '../schema.ts';
import { decodeBase64 } from './base64-text.ts';
import { timestampOf } from './timestamp-text.ts';
import { WIRE } from './wire-type.ts';
import type { WireWriter } from './wire-writer.ts';

/** Writes JSON inside protobuf. */
export type JsonText = (value: unknown) => string;

type ScalarWriter = (writer: WireWriter, field: number, value: unknown, jsonText: JsonText) => void;

/** Writes a scalar; an absent one as Go writes its zero value. Throws a TypeError for a value of another type. */
export function writeScalar(
  writer: WireWriter,
  field: number,
  scalar: ScalarType,
  value: unknown,
  jsonText: JsonText,
): void {
  SCALAR_WRITERS[scalar](writer, field, value ?? SCALAR_ZEROS[scalar], jsonText);
}

const SCALAR_WRITERS: Readonly<Record<ScalarType, ScalarWriter>> = {
  any: writeJson,
  bool: (writer, field, value) => {
    if (typeof value !== 'boolean') throw wrongType('bool', value);
    writer.varint(value ? 1 : 0);
    writer.tag(field, WIRE.varint);
  },
  bytes: (writer, field, value) => {
    const end = writer.length;
    writer.bytes(decodeBase64(textOf('bytes', value)));
    writer.delimit(field, end);
  },
  duration: (writer, field, value) => {
    const nanos = durationNanos(textOf('duration', value));
    if (nanos === undefined) throw wrongType('duration', value);
    const end = writer.length;
    writeInteger(writer, 1, nanos);
    writer.delimit(field, end);
  },
  fieldsV1: writeJson,
  float64: (writer, field, value) => {
    if (!isJsonNumber(value)) throw wrongType('float64', value);
    writer.double(Number(value));
    writer.tag(field, WIRE.fixed64);
  },
  int32: writeInteger,
  int64: writeInteger,
  intOrString: (writer, field, value) => {
    const end = writer.length;
    const isText = typeof value === 'string';
    writeText(writer, 3, isText ? value : '');
    writeInteger(writer, 2, isText ? 0 : value);
    writeInteger(writer, 1, isText ? 1 : 0);
    writer.delimit(field, end);
  },
  json: writeJson,
  microTime: (writer, field, value) => writeTime(writer, field, value, true),
  quantity: (writer, field, value) => {
    const end = writer.length;
    writeText(writer, 1, value);
    writer.delimit(field, end);
  },
  rawExtension: writeJson,
  string: writeText,
  time: (writer, field, value) => writeTime(writer, field, value, false),
};

/** Writes a field with text. */
export function writeText(writer: WireWriter, field: number, value: unknown): void {
  const end = writer.length;
  writer.text(textOf('string', value));
  writer.delimit(field, end);
}

function writeInteger(writer: WireWriter, field: number, value: unknown): void {
  if (!isJsonNumber(value) || (typeof value === 'number' && !Number.isInteger(value))) throw wrongType('int64', value);
  writer.integer(value);
  writer.tag(field, WIRE.varint);
}

/** A missing time is an empty message. */
function writeTime(writer: WireWriter, field: number, value: unknown, hasFraction: boolean): void {
  const end = writer.length;
  const sent = value === null ? undefined : timestampOf(textOf('time', value));
  if (sent !== undefined) {
    writeInteger(writer, 2, hasFraction ? sent.micros * 1000 : 0);
    writeInteger(writer, 1, sent.seconds);
  }
  writer.delimit(field, end);
}

/** A message with the JSON as bytes; without a value it is empty. */
function writeJson(writer: WireWriter, field: number, value: unknown, jsonText: JsonText): void {
  const end = writer.length;
  if (value !== null) writeText(writer, 1, jsonText(value));
  writer.delimit(field, end);
}

function textOf(type: string, value: unknown): string {
  if (typeof value !== 'string') throw wrongType(type, value);
  return value;
}

/** Shows no value: it may be a Secret's. */
function wrongType(type: string, value: unknown): TypeError {
  return new TypeError(`a value of type ${value === null ? 'null' : typeof value} cannot be written as ${type}`);
}
