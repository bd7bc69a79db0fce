import { describe, expect, it } from 'vitest';
import { frameOf, MessageFrames } from './message-frames.ts';

const LIMIT = 1000;
const messages = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(300, 'x'), Buffer.from('four')];
const bytes = Buffer.concat(messages.map((message) => frameOf(message)));

function cut(pieces: readonly Buffer[]): { readonly texts: readonly string[]; readonly isPartial: boolean } {
  const frames = new MessageFrames(LIMIT);
  const found: Buffer[] = [];
  for (const piece of pieces) frames.push(piece, found);
  return { texts: found.map(String), isPartial: frames.isPartial };
}

function piecesOf(size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** The beginning of a frame that claims to be this long. */
function claim(length: number): Buffer {
  return Buffer.from([0, length >>> 24, length >>> 16, length >>> 8, length]);
}

describe('the frames of gRPC', () => {
  it.each([1, 2, 3, 5, 7, 64, 1000])('are found in pieces of %i bytes', (size) => {
    expect(cut(piecesOf(size))).toEqual({ texts: messages.map(String), isPartial: false });
  });

  it('hold what is not complete, and say so', () => {
    expect(cut([bytes.subarray(0, 3)])).toEqual({ texts: [], isPartial: true });
    expect(cut([bytes.subarray(0, 10)])).toEqual({ texts: ['one'], isPartial: true });
    expect(cut([])).toEqual({ texts: [], isPartial: false });
  });

  it('of one piece are views of it: nothing is copied', () => {
    const found: Buffer[] = [];
    new MessageFrames(LIMIT).push(bytes, found);
    expect(found[2]?.buffer).toBe(bytes.buffer);
  });

  it('that claim more than the limit, or compression, are refused', () => {
    expect(() => cut([claim(0xffffffff)])).toThrow(/message of 4294967295 bytes; the limit is 1000/u);
    expect(() => cut([claim(LIMIT + 1)])).toThrow(/RESOURCE_EXHAUSTED/u);
    expect(cut([claim(LIMIT)])).toEqual({ texts: [], isPartial: true });
    expect(() => cut([Buffer.from([1, 0, 0, 0, 0])])).toThrow(/INTERNAL: the server sent a compressed message/u);
  });
});
