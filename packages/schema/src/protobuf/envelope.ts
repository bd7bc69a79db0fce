/** The envelope of Kubernetes around a protobuf message: a magic prefix, and the type of the object. */

import { ProtobufProblem } from './protobuf-problem.ts';
import { writeText } from './scalar-writers.ts';
import { WireReader } from './wire-reader.ts';
import { WIRE } from './wire-type.ts';
import { WireWriter } from './wire-writer.ts';

/** A protobuf message and its type. */
export interface Envelope {
  /** `''` if the sender left it out. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Uint8Array;
}

const PREFIX = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** The fields behind the message, both empty: the encoding and the type of its content. */
const BEHIND = Uint8Array.of(0x1a, 0x00, 0x22, 0x00);

const writer = new WireWriter();

/** The bytes in front of and behind a message of `length` bytes: many messages of one type share the work, and none is copied. */
export interface EnvelopeParts {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** What stands around a message in its envelope. */
export function envelopeParts(apiVersion: string, kind: string, length: number): EnvelopeParts {
  // The message itself is not copied: only its length is written.
  writer.varint(length);
  writer.tag(2, WIRE.bytes);
  const end = writer.length;
  writeText(writer, 2, kind);
  writeText(writer, 1, apiVersion);
  writer.delimit(1, end);
  writer.bytes(PREFIX);
  return { head: writer.take(), tail: BEHIND };
}

/** Puts a message into its envelope. */
export function sealEnvelope({ apiVersion, kind, message }: Envelope): Uint8Array {
  const { head, tail } = envelopeParts(apiVersion, kind, message.length);
  const sealed = new Uint8Array(head.length + message.length + tail.length);
  sealed.set(head);
  sealed.set(message, head.length);
  sealed.set(tail, head.length + message.length);
  return sealed;
}

/** Opens a body. Throws a `ProtobufProblem`; with more fields than `maxFields` beside the message, the Status 413. */
export function openEnvelope(body: Uint8Array, maxFields?: number): Envelope {
  if (body.length === 0) throw new ProtobufProblem('empty data');
  if (!PREFIX.every((byte, index) => body[index] === byte)) {
    const prefix = `[${PREFIX.join(' ')}]`;
    throw new ProtobufProblem(`provided data does not appear to be a protobuf message, expected prefix ${prefix}`);
  }
  const reader = new WireReader(body, maxFields, PREFIX.length);
  let apiVersion = '';
  let kind = '';
  let message = body.subarray(0, 0);
  while (reader.next()) {
    if (reader.field === 1) {
      const type = reader.message();
      while (type.next()) {
        if (type.field === 1) apiVersion = type.string();
        else if (type.field === 2) kind = type.string();
        else type.skip();
      }
    } else if (reader.field === 2) {
      message = reader.bytes();
    } else {
      reader.skip();
    }
  }
  return { apiVersion, kind, message };
}
