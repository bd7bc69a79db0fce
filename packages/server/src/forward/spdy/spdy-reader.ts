/** Frames of SPDY 3.1 that come from a kubelet, as a pure function: bytes in, events out. */

import { SPDY_ENDS, SPDY_HEAD_BYTES, SPDY_KIND, SPDY_VERSION } from './spdy-frames.ts';

/** What a frame means. */
export type SpdyEvent =
  | { readonly type: 'bytes'; readonly stream: number; readonly bytes: Buffer }
  /** The kubelet sends nothing more on it. */
  | { readonly type: 'ended'; readonly stream: number }
  | { readonly type: 'opened'; readonly stream: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'violation'; readonly message: string };

/** Where in a frame the bytes end. */
export type SpdyState =
  | { readonly type: 'head'; readonly bytes: Buffer }
  | { readonly type: 'data'; readonly stream: number; readonly left: number; readonly ends: boolean }
  | {
      readonly type: 'control';
      readonly kind: number;
      readonly left: number;
      readonly ends: boolean;
      readonly kept: Buffer;
    };

export const SPDY_START: SpdyState = { type: 'head', bytes: Buffer.alloc(0) };

/** Of a control frame, the id of the stream or ping is read, and nothing else. */
const KEPT_BYTES = 4;
/** Headers of a reply are a few bytes. */
const MAX_CONTROL_BYTES = 64 * 1024;

/** The state and the events after more bytes. Nothing counts after a violation. */
export function stepSpdy(
  state: SpdyState,
  chunk: Buffer,
): { readonly state: SpdyState; readonly events: readonly SpdyEvent[] } {
  const events: SpdyEvent[] = [];
  let current = state;
  let rest = chunk;
  for (;;) {
    if (current.type === 'head') {
      const bytes: Buffer = Buffer.concat([current.bytes, rest.subarray(0, SPDY_HEAD_BYTES - current.bytes.length)]);
      rest = rest.subarray(bytes.length - current.bytes.length);
      if (bytes.length < SPDY_HEAD_BYTES) return { state: { type: 'head', bytes }, events };
      const begun = begin(bytes);
      if (begun.type === 'violation') return { state: current, events: [...events, begun] };
      current = begun;
    }
    const piece = rest.subarray(0, current.left);
    rest = rest.subarray(piece.length);
    const left: number = current.left - piece.length;
    if (current.type === 'data') {
      if (piece.length > 0) events.push({ type: 'bytes', stream: current.stream, bytes: piece });
      current = { ...current, left };
    } else {
      const kept = Buffer.concat([current.kept, piece.subarray(0, KEPT_BYTES - current.kept.length)]);
      current = { ...current, left, kept };
    }
    if (left > 0) return { state: current, events };
    events.push(...finish(current));
    current = SPDY_START;
  }
}

function begin(head: Buffer): Exclude<SpdyState, { type: 'head' }> | Extract<SpdyEvent, { type: 'violation' }> {
  const first = head.readUInt32BE(0);
  const ends = (head.readUInt8(4) & SPDY_ENDS) !== 0;
  const left = head.readUIntBE(5, 3);
  if (first < 2 ** 31) return { type: 'data', stream: first, left, ends };
  const version = (first >>> 16) & 0x7fff;
  if (version !== SPDY_VERSION) return { type: 'violation', message: `version ${version} of SPDY` };
  if (left > MAX_CONTROL_BYTES) return { type: 'violation', message: `a control frame of ${left} bytes` };
  return { type: 'control', kind: first & 0xffff, left, ends, kept: Buffer.alloc(0) };
}

function finish(frame: Exclude<SpdyState, { type: 'head' }>): readonly SpdyEvent[] {
  if (frame.type === 'data') return frame.ends ? [{ type: 'ended', stream: frame.stream }] : [];
  if (frame.kept.length < KEPT_BYTES) return [{ type: 'violation', message: 'a control frame that is cut short' }];
  const id = frame.kept.readUInt32BE(0) & 0x7fff_ffff;
  const ended: readonly SpdyEvent[] = frame.ends ? [{ type: 'ended', stream: id }] : [];
  switch (frame.kind) {
    case SPDY_KIND.synReply:
      return [{ type: 'opened', stream: id }, ...ended];
    case SPDY_KIND.headers:
      return ended;
    case SPDY_KIND.reset:
      return [{ type: 'ended', stream: id }];
    case SPDY_KIND.ping:
      return [{ type: 'ping', id: frame.kept.readUInt32BE(0) }];
    default:
      // Settings and windows, which kubelets ignore as well, and the farewell, which the end of the connection says again.
      return [];
  }
}
