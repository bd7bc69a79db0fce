/** The frames of a watch in protobuf: a length of four bytes, and a WatchEvent around an object in its envelope. */

import type { WatchEventType } from '@listwatch/api';
import { envelopeParts } from '@listwatch/schema';
import { FRAME_LENGTH_BYTES } from '../contract/watch-sink.ts';
import type { TypeMeta } from '../stored/object-layout.ts';
import { fieldSize, putLength } from './varint.ts';

const EVENT_TYPE: Readonly<Record<WatchEventType, Buffer>> = {
  ADDED: eventType('ADDED'),
  MODIFIED: eventType('MODIFIED'),
  DELETED: eventType('DELETED'),
  BOOKMARK: eventType('BOOKMARK'),
  ERROR: eventType('ERROR'),
};

function eventType(type: WatchEventType): Buffer {
  return Buffer.from(`\n${String.fromCharCode(type.length)}${type}`, 'latin1');
}

/** Makes the frames of objects of one type. */
export class ProtobufFraming {
  /** The envelope up to the tag of the message. */
  readonly #type: Buffer;
  readonly #tail: Buffer;

  constructor({ apiVersion, kind }: TypeMeta) {
    const { head, tail } = envelopeParts(apiVersion, kind, 0);
    // Without the tag and the length of the message, which is another one for each object.
    this.#type = Buffer.from(head.subarray(0, head.length - 2));
    this.#tail = Buffer.from(tail);
  }

  frame(type: WatchEventType, message: Buffer): Buffer {
    return Buffer.concat(this.pieces(type, message));
  }

  /** A frame in pieces, of which the message is one: it is not copied. */
  pieces(type: WatchEventType, message: Buffer): readonly [Buffer, Buffer, Buffer] {
    const event = EVENT_TYPE[type];
    const { length } = message;
    const envelope = this.#type.length + fieldSize(length) + this.#tail.length;
    const raw = fieldSize(envelope);
    const whole = event.length + fieldSize(raw);
    const head = Buffer.allocUnsafe(FRAME_LENGTH_BYTES + whole - length - this.#tail.length);
    let at = head.writeUInt32BE(whole);
    at += event.copy(head, at);
    at = putLength(head, at, 2, raw);
    at = putLength(head, at, 1, envelope);
    at += this.#type.copy(head, at);
    putLength(head, at, 2, length);
    return [head, message, this.#tail];
  }
}

/** Whether a frame is an ERROR event. */
export function isProtobufErrorFrame(frame: Buffer): boolean {
  const { ERROR } = EVENT_TYPE;
  return frame.subarray(FRAME_LENGTH_BYTES, FRAME_LENGTH_BYTES + ERROR.length).equals(ERROR);
}
