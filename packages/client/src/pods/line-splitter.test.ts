import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

const encoder = new TextEncoder();

/** The lines of a text that comes in pieces of the given sizes. */
function linesOf(bytes: Uint8Array, maxLineBytes: number, sizes: readonly number[] = []): readonly string[] {
  const splitter = new LineSplitter(maxLineBytes);
  const lines: string[] = [];
  let from = 0;
  // The memory is used again, as transports do.
  const memory = new Uint8Array(bytes.length);
  for (const size of [...sizes, bytes.length]) {
    const piece = bytes.subarray(from, from + size);
    memory.set(piece);
    lines.push(...splitter.push(memory.subarray(0, piece.length)));
    memory.fill(0x78);
    from += size;
  }
  const last = splitter.end();
  return last === undefined ? lines : [...lines, last];
}

describe('lines', () => {
  test.each([
    ['', []],
    ['\n', ['']],
    ['a\nb', ['a', 'b']],
    ['a\n\nb\n', ['a', '', 'b']],
    ['a\r\nb\rc\r\n', ['a', 'b\rc']],
    ['é😀\n', ['é😀']],
  ])('of %j are %j', (text, lines) => {
    expect(linesOf(encoder.encode(text), 100)).toEqual(lines);
  });

  test('that are too long come in pieces, none of which cuts a character', () => {
    expect(linesOf(encoder.encode('abcdefghij\nk'), 4)).toEqual(['abcd', 'efgh', 'ij', 'k']);
    expect(linesOf(encoder.encode('abcd\nefgh\n'), 4)).toEqual(['abcd', 'efgh']);
    expect(linesOf(encoder.encode('ab😀cd'), 4)).toEqual(['ab', '😀', 'cd']);
    expect(linesOf(encoder.encode('aéé'), 4)).toEqual(['aé', 'é']);
  });

  test('of bytes that are no UTF-8 come to an end', () => {
    const bytes = new Uint8Array(1000).fill(0x80);
    expect(linesOf(bytes, 4).join('')).toBe('\ufffd'.repeat(1000));
    expect(linesOf(new Uint8Array(1000).fill(0xf0), 4).join('')).toBe('\ufffd'.repeat(1000));
  });

  test('are the same however the bytes are cut, and never longer than allowed', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '€', '😀', '\n', '\r\n'), { maxLength: 40 });
    const sizes = fc.array(fc.nat(5), { maxLength: 30 });
    fc.assert(
      fc.property(text, sizes, fc.integer({ min: 4, max: 12 }), (parts, cuts, most) => {
        const bytes = encoder.encode(parts.join(''));
        const lines = linesOf(bytes, most, cuts);
        expect(lines).toEqual(linesOf(bytes, most));
        for (const line of lines) expect(encoder.encode(line).length).toBeLessThanOrEqual(most);
        expect(lines.join('')).toBe(parts.join('').replaceAll(/\r?\n/gu, ''));
      }),
      { numRuns: 1000 },
    );
  });
});
