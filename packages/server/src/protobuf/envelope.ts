/** The envelope of Kubernetes around a protobuf message: a magic prefix, and the type of the object. */

import { ProtobufProblem } from './protobuf-problem.ts';
import { WireReader } from './wire-reader.ts';

/** A protobuf message and its type. */
export interface Envelope {
  /** `''` if the sender left it out. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Buffer;
}

const PREFIX = Buffer.from('k8s\0');

/** Opens a body. Throws a `ProtobufProblem`. */
export function openEnvelope(body: Buffer): Envelope {
  if (body.length === 0) throw new ProtobufProblem('empty data');
  if (!body.subarray(0, PREFIX.length).equals(PREFIX)) {
    const prefix = `[${[...PREFIX].join(' ')}]`;
    throw new ProtobufProblem(`provided data does not appear to be a protobuf message, expected prefix ${prefix}`);
  }
  const reader = new WireReader(body, PREFIX.length);
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
