import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FramePiece, FrameTracker } from './frame-tracker.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (pieces: readonly FramePiece[]) =>
  pieces.map((piece) => `${piece.type}:${new TextDecoder().decode(piece.bytes)}`);

describe('the frames of a watch', () => {
  it('are found one by one, with their line ends', () => {
    const tracker = new FrameTracker();
    expect(text(tracker.split(bytes('{"a":1}\n{"b":[{}]}\n')))).toEqual(['frame:{"a":1}\n', 'frame:{"b":[{}]}\n']);
    expect(tracker.wholeSoFar).toBe(true);
  });

  it('are found when they are indented, and when braces and quotes stand in their texts', () => {
    const frames = ['{\n  "a": "}{\\"\\\\"\n}\n', '{"b":"\\\\"}\n'];
    expect(text(new FrameTracker().split(bytes(frames.join(''))))).toEqual(frames.map((frame) => `frame:${frame}`));
  });

  it('a line end that comes late is what is behind the frame, not a frame', () => {
    const tracker = new FrameTracker();
    expect(text(tracker.split(bytes('{"a":1}')))).toEqual(['frame:{"a":1}']);
    expect(text(tracker.split(bytes('\n{"b":1}\n')))).toEqual(['rest:\n', 'frame:{"b":1}\n']);
  });

  it('a frame whose beginning has passed is not taken for a whole one', () => {
    const tracker = new FrameTracker();
    tracker.pass(bytes('{"a":1}\n{"b"'));
    expect(tracker.wholeSoFar).toBe(false);
    expect(text(tracker.split(bytes(':1}\n{"c":1}\n')))).toEqual(['rest::1}\n', 'frame:{"c":1}\n']);
  });

  it('what was kept goes out before what passes', () => {
    const tracker = new FrameTracker();
    expect(tracker.split(bytes('{"a"'))).toEqual([]);
    expect(Buffer.concat(tracker.pass(bytes(':1}\n'))).toString()).toBe('{"a":1}\n');
    expect(tracker.split(bytes('{"b"'))).toEqual([]);
    expect(Buffer.concat(tracker.flush()).toString()).toBe('{"b"');
    expect(text(tracker.split(bytes(':1}\n')))).toEqual(['rest::1}\n']);
  });

  it('the beginning that is kept is a copy: the chunk may be filled again', () => {
    const tracker = new FrameTracker();
    const chunk = bytes('{"a"');
    tracker.split(chunk);
    chunk.fill(0);
    expect(text(tracker.split(bytes(':1}\n')))).toEqual(['frame:{"a":1}\n']);
  });

  it('what is no JSON passes as it is', () => {
    const tracker = new FrameTracker();
    expect(text(tracker.split(bytes('{"a":1}\n{"b":')))).toEqual(['frame:{"a":1}\n']);
    expect(text(tracker.split(bytes('}\n{"c":1}\n')))).toEqual(['rest:{"b":}\n{"c":1}\n']);
    expect(text(tracker.split(bytes('{"d":1}\n')))).toEqual(['rest:{"d":1}\n']);
  });

  it('are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.array(fc.nat()), (values, cuts) => {
        const frames = values.map((value) => `${JSON.stringify(value)}\n`);
        const whole = bytes(frames.join(''));
        const tracker = new FrameTracker();
        const found: string[] = [];
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
        for (const [index, place] of places.entries()) {
          const pieces = tracker.split(whole.subarray(places[index - 1] ?? 0, place));
          for (const piece of pieces) {
            const part = new TextDecoder().decode(piece.bytes);
            if (piece.type === 'frame') found.push(part.trimEnd());
            else expect(part.trim()).toBe('');
          }
        }
        expect(found).toEqual(frames.map((frame) => frame.trimEnd()));
      }),
    );
  });
});
