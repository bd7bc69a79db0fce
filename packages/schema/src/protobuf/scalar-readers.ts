/** Reads protobuf scalars as their JSON values. */

import type { ScalarType } from '../schema.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { isWritableSecond, type Timestamp, timestampText } from './timestamp-text.ts';
import type { WireReader } from './wire-reader.ts';
import { WIRE } from './wire-type.ts';

/** Parses JSON inside protobuf. */
export type JsonParser = (bytes: Uint8Array) => unknown;

/** Reads the current field of a reader. */
export type ScalarReader = (reader: WireReader, parseJson: JsonParser) => unknown;

/** The reader of each scalar type. They throw a `ProtobufProblem`. */
export const SCALAR_READERS: Readonly<Record<ScalarType, ScalarReader>> = {
  any: json,
  bool: (reader) => reader.bool(),
  bytes: (reader) => reader.base64(),
  duration: (reader) => duration(reader.message()),
  fieldsV1: json,
  float64: (reader) => finite(reader.double()),
  int32: (reader) => reader.int32(),
  int64: (reader) => reader.int64(),
  intOrString: (reader) => intOrString(reader.message()),
  json: json,
  microTime: (reader) => microTime(reader.message()),
  quantity: (reader) => quantity(reader.message()),
  rawExtension: json,
  string: (reader) => reader.string(),
  time: (reader) => time(reader.message()),
};

/** The wire type of items in a packed list; undefined for types that are never packed. */
export const PACKED: Readonly<Partial<Record<ScalarType, number>>> = {
  bool: WIRE.varint,
  float64: WIRE.fixed64,
  int32: WIRE.varint,
  int64: WIRE.varint,
};

/** JSON has no NaN or infinity: they would be stored as null. */
function finite(value: number): number {
  if (!Number.isFinite(value)) throw new ProtobufProblem(`proto: JSON cannot represent ${value}`);
  return value;
}

function intOrString(reader: WireReader): number | string {
  let [type, int, text] = [0, 0, ''];
  while (reader.next()) {
    if (reader.field === 1) type = Number(reader.int64());
    else if (reader.field === 2) int = reader.int32();
    else if (reader.field === 3) text = reader.string();
    else reader.skip();
  }
  if (type !== 0 && type !== 1) throw new ProtobufProblem(`proto: impossible IntOrString.Type ${type}`);
  return type === 0 ? int : text;
}

/** In nanoseconds; the canonical form has Go's text for it. */
function duration(reader: WireReader): string {
  let nanos: bigint | number = 0;
  while (reader.next()) {
    if (reader.field === 1) nanos = reader.int64();
    else reader.skip();
  }
  return `${nanos}ns`;
}

function quantity(reader: WireReader): string {
  let text = '0';
  while (reader.next()) {
    if (reader.field === 1) text = reader.string();
    else reader.skip();
  }
  return text;
}

const MICROS = 1_000_000;

/** A time in seconds. Fractions are dropped, as in the JSON form. */
function time(reader: WireReader): string | null {
  const sent = timestamp(reader);
  return sent === undefined ? null : timeText({ seconds: sent.seconds, micros: 0 }, '');
}

function microTime(reader: WireReader): string | null {
  const sent = timestamp(reader);
  if (sent === undefined) return null;
  const micros = Math.trunc(sent.nanos / 1000);
  // The sender may send negative nanoseconds, or more than a second of them.
  const carried = Math.floor(micros / MICROS);
  const rest = micros - carried * MICROS;
  return timeText({ seconds: sent.seconds + carried, micros: rest }, `.${String(rest).padStart(6, '0')}`);
}

/** Undefined for an empty message: Go encodes a missing time so. */
function timestamp(reader: WireReader): { readonly seconds: number; readonly nanos: number } | undefined {
  if (reader.done) return undefined;
  let [seconds, nanos] = [0, 0];
  while (reader.next()) {
    if (reader.field === 1) seconds = Number(reader.int64());
    else if (reader.field === 2) nanos = reader.int32();
    else reader.skip();
  }
  return { seconds, nanos };
}

function timeText(sent: Timestamp, fraction: string): string | null {
  if (!isWritableSecond(sent.seconds)) {
    throw new ProtobufProblem(`proto: time of ${sent.seconds} seconds is out of range`);
  }
  return timestampText(sent, fraction);
}

/** JSON inside protobuf, such as the `fieldsV1` of `managedFields`. */
function json(outer: WireReader, parseJson: JsonParser): unknown {
  const reader = outer.message();
  let bytes: Uint8Array | undefined;
  while (reader.next()) {
    if (reader.field === 1) bytes = reader.bytes();
    else reader.skip();
  }
  return bytes === undefined || bytes.length === 0 ? null : parseJson(bytes);
}
