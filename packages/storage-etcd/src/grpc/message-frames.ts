/** The frames of gRPC: a flag, a length of four bytes, and the message. */

import { GRPC_STATUS, GrpcError } from './grpc-error.ts';

const PREFIX_BYTES = 5;

/** The frame of a message. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

/**
 * Cuts a stream of bytes into messages. Nothing is allocated for what a frame claims to be: it holds what has arrived. A message
 * that arrives in one piece is a view of that piece.
 */
export class MessageFrames {
  readonly #maxBytes: number;
  /** Pieces of a frame that is not complete. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** How many bytes make the next step possible. */
  #wanted = PREFIX_BYTES;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether a frame has begun and is not complete. */
  get isPartial(): boolean {
    return this.#bytes > 0;
  }

  /** Takes a piece and adds the messages that it completes to `messages`. Throws a `GrpcError` for a frame that is refused. */
  push(piece: Buffer, messages: Buffer[]): void {
    if (this.#bytes + piece.length < this.#wanted) {
      this.#pieces.push(piece);
      this.#bytes += piece.length;
      return;
    }
    let rest = this.#bytes === 0 ? piece : Buffer.concat([...this.#pieces, piece], this.#bytes + piece.length);
    this.#pieces = [];
    this.#bytes = 0;
    this.#wanted = PREFIX_BYTES;
    while (rest.length >= PREFIX_BYTES) {
      const end = PREFIX_BYTES + this.#lengthOf(rest);
      if (rest.length < end) {
        this.#wanted = end;
        break;
      }
      messages.push(rest.subarray(PREFIX_BYTES, end));
      rest = rest.subarray(end);
    }
    if (rest.length === 0) return;
    this.#pieces.push(rest);
    this.#bytes = rest.length;
  }

  #lengthOf(frame: Buffer): number {
    if (frame[0] !== 0) throw new GrpcError(GRPC_STATUS.INTERNAL, 'the server sent a compressed message');
    const length = frame.readUInt32BE(1);
    if (length <= this.#maxBytes) return length;
    const details = `received a message of ${length} bytes; the limit is ${this.#maxBytes}`;
    throw new GrpcError(GRPC_STATUS.RESOURCE_EXHAUSTED, details);
  }
}
