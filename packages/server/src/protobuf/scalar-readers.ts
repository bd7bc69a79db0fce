/** Reads protobuf scalars as their JSON values. */

import type { ScalarType } from '@listwatch/schema';
import { decodeJson } from '../kinds/shapes/exact-json.ts';
import { MAX_MEMBERS, MAX_PARTS, scanJson } from '../kinds/shapes/json-scan.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { WIRE, type WireReader } from './wire-reader.ts';

/** Reads the current field of a reader. */
export type ScalarReader = (reader: WireReader) => unknown;

/** The reader of each scalar type. They throw a `ProtobufProblem`. */
export const SCALAR_READERS: Readonly<Record<ScalarType, ScalarReader>> = {
  any: (reader) => json(reader.message()),
  bool: (reader) => reader.bool(),
  bytes: (reader) => reader.base64(),
  duration: (reader) => duration(reader.message()),
  fieldsV1: (reader) => json(reader.message()),
  float64: (reader) => finite(reader.double()),
  int32: (reader) => reader.int32(),
  int64: (reader) => reader.int64(),
  intOrString: (reader) => intOrString(reader.message()),
  json: (reader) => json(reader.message()),
  microTime: (reader) => microTime(reader.message()),
  quantity: (reader) => quantity(reader.message()),
  rawExtension: (reader) => json(reader.message()),
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

/** RFC 3339 can write the years 0 to 9999. */
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;
/** Go's zero time, the start of year 1, stands for a missing time. */
const ZERO_SECOND = -62_135_596_800;
const MICROS = 1_000_000;

/** A time in seconds. Fractions are dropped, as in the JSON form. */
function time(reader: WireReader): string | null {
  const sent = timestamp(reader);
  return sent === undefined ? null : timeText(sent.seconds, 0, '');
}

function microTime(reader: WireReader): string | null {
  const sent = timestamp(reader);
  if (sent === undefined) return null;
  const micros = Math.trunc(sent.nanos / 1000);
  // The sender may send negative nanoseconds, or more than a second of them.
  const carried = Math.floor(micros / MICROS);
  const rest = micros - carried * MICROS;
  return timeText(sent.seconds + carried, rest, `.${String(rest).padStart(6, '0')}`);
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

function timeText(seconds: number, micros: number, fraction: string): string | null {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND)
    throw new ProtobufProblem(`proto: time of ${seconds} seconds is out of range`);
  if (seconds === ZERO_SECOND && micros === 0) return null;
  return new Date(seconds * 1000).toISOString().replace('.000Z', `${fraction}Z`);
}

/** JSON inside protobuf, such as the `fieldsV1` of `managedFields`. */
function json(reader: WireReader): unknown {
  let bytes: Buffer = EMPTY;
  while (reader.next()) {
    if (reader.field === 1) bytes = reader.bytes();
    else reader.skip();
  }
  if (bytes.length === 0) return null;
  const { members, parts, tooDeepAt } = scanJson(bytes);
  // `JSON.parse` reads deeper values, but `JSON.stringify` overflows the stack on them.
  if (tooDeepAt >= 0) throw new ProtobufProblem('proto: exceeded max depth');
  if (members > MAX_MEMBERS || parts > MAX_PARTS) throw new ProtobufProblem('proto: too many fields');
  try {
    return decodeJson(bytes);
  } catch {
    throw new ProtobufProblem('proto: the field is not JSON');
  }
}

const EMPTY = Buffer.alloc(0);
