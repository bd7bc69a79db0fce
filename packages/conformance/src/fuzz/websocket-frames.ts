/** WebSocket frames for the fuzzer: right ones, wrong ones, and bytes that are none. */

import fc from 'fast-check';

interface Frame {
  readonly first: number;
  readonly masked: boolean;
  readonly length: number;
  readonly payload: Uint8Array;
}

/** Opcodes of text, binary, close, ping, pong, continuation and of nothing, with and without the final bit. */
const FIRST_BYTES = [0x81, 0x82, 0x88, 0x89, 0x8a, 0x80, 0x01, 0x00, 0x83, 0xf1, 0x09];

const frame = fc
  .record({
    first: fc.constantFrom(...FIRST_BYTES),
    masked: fc.oneof({ arbitrary: fc.constant(true), weight: 6 }, { arbitrary: fc.constant(false), weight: 1 }),
    payload: fc.uint8Array({ maxLength: 125 }),
    // A length that lies, now and then: more than comes, or more than anybody can send.
    length: fc.oneof(
      { arbitrary: fc.constant(-1), weight: 8 },
      { arbitrary: fc.constantFrom(0, 5, 126, 127), weight: 1 },
    ),
  })
  .map(encode);

/** What is sent after the handshake. */
export const fuzzFrames: fc.Arbitrary<Buffer> = fc.oneof(
  { arbitrary: fc.array(frame, { maxLength: 5 }).map((frames) => Buffer.concat(frames)), weight: 6 },
  { arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)), weight: 1 },
);

function encode({ first, masked, length, payload }: Frame): Buffer {
  const said = length === -1 ? payload.length : length;
  const mask = masked ? [0x12, 0x34, 0x56, 0x78] : [];
  const bytes = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.from([first, (masked ? 0x80 : 0) | said, ...mask, ...bytes]);
}
