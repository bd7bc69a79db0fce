/** Joins the frames of a watch into one buffer for the socket. */

import { FRAME_LENGTH_BYTES } from '../contract/watch-sink.ts';

/** How a protocol marks where frames begin and end. */
export type Framing = (frames: readonly Buffer[]) => Buffer;

/** Batches above this are not kept: the copy must not outlive its write. */
const KEPT_MAX_BYTES = 256 * 1024;

/**
 * Joins with one framing and remembers the last result. A change goes to hundreds of watchers in one round, all with the
 * same frames: they share one buffer, and what is left for each is one write.
 */
export class FrameJoiner {
  /** Does it not matter where one frame ends and the next begins? */
  readonly isStream: boolean;
  readonly #framing: Framing;
  #frames: readonly Buffer[] = [];
  #joined: Buffer | undefined;

  constructor(framing: Framing) {
    this.#framing = framing;
    this.isStream = framing !== messageFraming && framing !== binaryFraming;
  }

  join(frames: readonly Buffer[]): Buffer {
    // Compared frame by frame, not by the array: a caller may fill one array again and again.
    if (this.#joined !== undefined && isSame(this.#frames, frames)) return this.#joined;
    const joined = this.#framing(frames);
    const kept = joined.length <= KEPT_MAX_BYTES;
    this.#joined = kept ? joined : undefined;
    this.#frames = kept ? [...frames] : [];
    return joined;
  }
}

/** Nothing between frames: HTTP/2, and HTTP/1.0 where the end of the connection ends the body. */
export function plainFraming(frames: readonly Buffer[]): Buffer {
  const [only] = frames;
  return frames.length === 1 && only !== undefined ? only : Buffer.concat(frames);
}

/** One chunk of HTTP/1.1's chunked encoding around all frames. */
export function chunkFraming(frames: readonly Buffer[]): Buffer {
  const length = totalLength(frames);
  const size = length.toString(16);
  const joined = Buffer.allocUnsafeSlow(size.length + length + 4);
  let at = joined.write(size, 'latin1');
  at = writeLineEnd(joined, at);
  for (const frame of frames) {
    joined.set(frame, at);
    at += frame.length;
  }
  writeLineEnd(joined, at);
  return joined;
}

const TEXT_MESSAGE = 0x81;
const BINARY_MESSAGE = 0x82;

/** One unmasked WebSocket text message around each frame. */
export function messageFraming(frames: readonly Buffer[]): Buffer {
  return messagesOf(frames, TEXT_MESSAGE);
}

/** One binary message for each frame of protobuf, without the length in front of it: messages have their own. */
export function binaryFraming(frames: readonly Buffer[]): Buffer {
  return messagesOf(
    frames.map((frame) => frame.subarray(FRAME_LENGTH_BYTES)),
    BINARY_MESSAGE,
  );
}

function messagesOf(frames: readonly Buffer[], type: number): Buffer {
  const joined = Buffer.allocUnsafeSlow(frames.reduce((size, { length }) => size + headerLength(length) + length, 0));
  let at = 0;
  for (const frame of frames) {
    joined[at] = type;
    const size = headerLength(frame.length);
    if (size === 2) joined[at + 1] = frame.length;
    else if (size === 4) {
      joined[at + 1] = 126;
      joined.writeUInt16BE(frame.length, at + 2);
    } else {
      joined[at + 1] = 127;
      joined.writeBigUInt64BE(BigInt(frame.length), at + 2);
    }
    at += size;
    at += frame.copy(joined, at);
  }
  return joined;
}

function headerLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

function totalLength(frames: readonly Buffer[]): number {
  let length = 0;
  for (const frame of frames) length += frame.length;
  return length;
}

function writeLineEnd(buffer: Buffer, at: number): number {
  buffer[at] = 13;
  buffer[at + 1] = 10;
  return at + 2;
}

function isSame(left: readonly Buffer[], right: readonly Buffer[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
