/** Cuts the bytes of a connection into HTTP/2 frames. */

import { FRAME_HEADER_BYTES } from './frame-format.ts';

/** What we let a server send in one frame: HTTP/2's default. */
const MAX_FRAME_BYTES = 16_384;

/** Told of each frame. `payload` is a view of what has arrived. */
export type OnFrame = (type: number, flags: number, stream: number, payload: Buffer) => void;

/** Holds a frame that is not complete. */
export class FrameCutter {
  readonly #onFrame: OnFrame;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #wanted = FRAME_HEADER_BYTES;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Throws an `Error` for a frame that is too large. */
  push(piece: Buffer): void {
    if (this.#bytes + piece.length < this.#wanted) {
      this.#pieces.push(piece);
      this.#bytes += piece.length;
      return;
    }
    const bytes = this.#bytes === 0 ? piece : Buffer.concat([...this.#pieces, piece], this.#bytes + piece.length);
    this.#pieces = [];
    this.#bytes = 0;
    this.#wanted = FRAME_HEADER_BYTES;
    const end = this.#cut(bytes);
    if (end === bytes.length) return;
    this.#pieces.push(bytes.subarray(end));
    this.#bytes = bytes.length - end;
  }

  /** Where the first frame begins that is not complete. */
  #cut(bytes: Buffer): number {
    let at = 0;
    while (bytes.length - at >= FRAME_HEADER_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      if (length > MAX_FRAME_BYTES) throw new Error(`the server sent a frame of ${length} bytes`);
      const start = at + FRAME_HEADER_BYTES;
      if (bytes.length - start < length) {
        this.#wanted = FRAME_HEADER_BYTES + length;
        break;
      }
      const stream = bytes.readUInt32BE(at + 5) & 0x7fffffff;
      this.#onFrame(bytes[at + 3] ?? 0, bytes[at + 4] ?? 0, stream, bytes.subarray(start, start + length));
      at = start + length;
    }
    return at;
  }
}
