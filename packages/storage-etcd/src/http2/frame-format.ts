/** HTTP/2's frames (RFC 9113). */

export const FRAME_TYPE = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

export const FRAME_FLAG = { ACK: 1, END_STREAM: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 } as const;

export const SETTING = {
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
} as const;

/** Why a stream is reset. */
export const RESET = { NO_ERROR: 0, REFUSED_STREAM: 7, CANCEL: 8 } as const;

/** The length, the type, the flags and the stream. */
export const FRAME_HEADER_BYTES = 9;

/** Writes the header of a frame into `bytes`. */
export function writeFrameHeader(
  bytes: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  bytes.writeUIntBE(length, at, 3);
  bytes[at + 3] = type;
  bytes[at + 4] = flags;
  bytes.writeUInt32BE(stream, at + 5);
}

/** A frame. */
export function frameBytes(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  writeFrameHeader(bytes, 0, payload.length, type, flags, stream);
  bytes.set(payload, FRAME_HEADER_BYTES);
  return bytes;
}

/** A frame with a number of four bytes. */
export function numberFrame(type: number, stream: number, value: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(value);
  return frameBytes(type, 0, stream, payload);
}

/** A frame with settings. */
export function settingsFrame(settings: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.allocUnsafe(settings.length * 6);
  for (const [i, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, i * 6);
    payload.writeUInt32BE(value, i * 6 + 2);
  }
  return frameBytes(FRAME_TYPE.SETTINGS, 0, 0, payload);
}
