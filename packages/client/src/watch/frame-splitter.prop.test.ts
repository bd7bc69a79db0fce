import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameSplitter } from './frame-splitter.ts';

const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Splits bytes that come cut at the given places. */
function split(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const splitter = new FrameSplitter(MAX_FRAME_BYTES);
  const frames: string[] = [];
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  for (const [index, from] of places.entries()) {
    const chunk = bytes.slice(from, places[index + 1] ?? bytes.length);
    splitter.push(chunk);
    for (let frame = splitter.next(); frame !== undefined; frame = splitter.next()) {
      frames.push(new TextDecoder().decode(frame));
    }
    chunk.fill(0x7d);
  }
  splitter.end();
  return frames;
}

/** A frame of so many bytes. */
function frameOf(size: number): Uint8Array {
  const bytes = new Uint8Array(size).fill(0x61);
  bytes.set(new TextEncoder().encode('{"a":"'));
  bytes.set(new TextEncoder().encode('"}'), size - 2);
  return bytes;
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('\\', '"', '{', '}', '\n', 'é', '\\"', 'x'.repeat(40)), { maxLength: 60 })
    .map((parts) => parts.join('')),
);
const frames = fc.array(
  fc
    .record({ type: text, object: fc.oneof(fc.dictionary(text, text), fc.jsonValue({ maxDepth: 3 })) })
    .map((value) => JSON.stringify(value)),
);
const separator = fc.constantFrom('', '\n', '\r\n', ' \n\t');

test('frames are what they were, newlines between them or not, in any pieces', () => {
  fc.assert(
    fc.property(frames, separator, fc.array(fc.nat(), { maxLength: 40 }), (sent, between, cuts) => {
      const bytes = new TextEncoder().encode(sent.map((frame) => frame + between).join(''));
      expect(split(bytes, cuts)).toEqual(sent);
    }),
    { numRuns: 500 },
  );
});

test('frames in pieces of one byte are frames', () => {
  fc.assert(
    fc.property(frames, separator, (sent, between) => {
      const bytes = new TextEncoder().encode(sent.map((frame) => frame + between).join(''));
      expect(split(bytes, [...bytes.keys()])).toEqual(sent);
    }),
    { numRuns: 50 },
  );
});

test('an end in the middle of a frame is CLOSED, an end anywhere else is none', () => {
  fc.assert(
    fc.property(frames, fc.nat(), (sent, cut) => {
      const whole = sent.join('\n');
      const bytes = new TextEncoder().encode(whole);
      const end = cut % (bytes.length + 1);
      const before = new TextDecoder().decode(bytes.slice(0, end));
      const isBetween = sent.some((_, index) => sent.slice(0, index + 1).join('\n') === before.trimEnd()) || end === 0;
      const read = (): string[] => split(bytes.slice(0, end), []);
      if (isBetween) expect(read).not.toThrow();
      else expect(read).toThrow(expect.objectContaining({ code: 'CLOSED' }));
    }),
    { numRuns: 500 },
  );
});

test.each([['['], ['"text"'], ['1'], ['}'], ['<html>'], ['\0']])(
  'what begins with %j is no watch: PROTOCOL',
  (body) => {
    expect(() => split(new TextEncoder().encode(body), [])).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  },
);

test('a frame of 16 MiB passes and a larger one fails with PROTOCOL, in one piece or in many', () => {
  const halves = [MAX_FRAME_BYTES / 2];
  for (const cuts of [[], halves]) {
    expect(split(frameOf(MAX_FRAME_BYTES), cuts)).toHaveLength(1);
    expect(() => split(frameOf(MAX_FRAME_BYTES + 1), cuts)).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  }
});

test('a frame cut anywhere fails with PROTOCOL no later than where the second frame behind it begins', () => {
  const frame = JSON.stringify({
    type: 'ADDED',
    object: { metadata: { name: 'é"\\', labels: { a: 'b' } }, n: [-1.5e3, true] },
  });
  const whole = new TextEncoder().encode(frame);
  const behind = new TextEncoder().encode(`${frame}\n{`);
  for (let cut = 1; cut < whole.length; cut += 1) {
    const bytes = new Uint8Array([...whole.slice(0, cut), ...behind]);
    for (const cuts of [[], [...bytes.keys()]]) {
      expect(() => split(bytes, cuts), frame.slice(0, cut)).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
    }
  }
});

test('a frame cut within a string fails at the newline behind it, although nothing follows', () => {
  for (const cuts of [[], [5], [20, 21, 22]]) {
    expect(() => split(new TextEncoder().encode('{"type":"ADDED","object":{"na\n'), cuts)).toThrow(
      expect.objectContaining({ code: 'PROTOCOL' }),
    );
  }
});

test('a frame that is indented over lines is one, in any pieces', () => {
  const sent = JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'a' } } }, undefined, 2);
  const bytes = new TextEncoder().encode(`${sent}\n${sent}\n`);
  for (let cut = 0; cut < bytes.length; cut += 1) expect(split(bytes, [cut])).toEqual([sent, sent]);
});

test('a frame that never ends fails as soon as it is too large', () => {
  const splitter = new FrameSplitter(MAX_FRAME_BYTES);
  const piece = new Uint8Array(1024 * 1024).fill(0x61);
  splitter.push(new TextEncoder().encode('{"a":"'));
  splitter.next();
  let pushed = 0;
  const flood = (): void => {
    for (; pushed < 100; pushed += 1) {
      splitter.push(piece);
      splitter.next();
    }
  };
  expect(flood).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  expect(pushed).toBe(15);
});
