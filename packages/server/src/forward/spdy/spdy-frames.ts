/**
 * The frames of SPDY 3.1 that a client of a kubelet sends. Headers are compressed in SPDY; blocks of zlib that are stored as they are
 * say the same, and need neither its dictionary nor a state that both sides must share.
 */

/** The first eight bytes of every frame. */
export const SPDY_HEAD_BYTES = 8;
export const SPDY_VERSION = 3;
/** A flag of frames: the sender sends nothing more on the stream. */
export const SPDY_ENDS = 1;

export const SPDY_KIND = { synStream: 1, synReply: 2, reset: 3, ping: 6, headers: 8 } as const;

/** Method and check of zlib, once for each connection: deflate, no dictionary. */
const ZLIB_HEAD = Buffer.of(0x78, 0x01);
/** An empty block: whoever inflates has everything before it by then. */
const FLUSH = Buffer.of(0, 0, 0, 0xff, 0xff);

/** Opens a stream. Ids are odd and ascend; `isFirst`: of the connection. */
export function synStreamFrame(id: number, headers: Readonly<Record<string, string>>, isFirst: boolean): Buffer {
  const pairs = Object.entries(headers);
  const texts = pairs.flat().map((text) => {
    const bytes = Buffer.from(text);
    return Buffer.concat([uint32(bytes.length), bytes]);
  });
  const block = Buffer.concat([uint32(pairs.length), ...texts]);
  const stored = Buffer.alloc(5);
  stored.writeUInt16LE(block.length, 1);
  stored.writeUInt16LE(0xffff - block.length, 3);
  const payload = [uint32(id), Buffer.alloc(6), ...(isFirst ? [ZLIB_HEAD] : []), stored, block, FLUSH];
  return controlFrame(SPDY_KIND.synStream, Buffer.concat(payload));
}

/** The head of a frame with bytes of a stream, at most 16 MiB of them. They follow it. */
export function dataHead(id: number, length: number, ends: boolean): Buffer {
  return Buffer.concat([uint32(id), uint32(((ends ? SPDY_ENDS : 0) << 24) + length)]);
}

/** Answers a ping, with its number. */
export function pingFrame(id: number): Buffer {
  return controlFrame(SPDY_KIND.ping, uint32(id));
}

function controlFrame(kind: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x80, SPDY_VERSION, 0, kind), uint32(payload.length), payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
