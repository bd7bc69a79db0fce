import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GatheredBytes } from './gathered-bytes.ts';

function gathered(chunks: readonly Uint8Array[]): GatheredBytes {
  const bytes = new GatheredBytes();
  for (const chunk of chunks) bytes.add(chunk);
  return bytes;
}

/** What the chunks keep alive: each array buffer once, and some 100 bytes for each view. */
function kept(chunks: readonly Uint8Array[]): number {
  const buffers = new Set(chunks.map(({ buffer }) => buffer));
  return chunks.length * 100 + [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

it('has all bytes in their order, however they are cut', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 5 }),
    fc.uint8Array({ minLength: 1000, maxLength: 1100 }),
    fc.uint8Array({ minLength: 3000, maxLength: 9000, size: 'max' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const bytes = gathered(pieces);
      const all = Buffer.concat(pieces);
      expect(bytes.length).toBe(all.length);
      expect(Buffer.concat(bytes.chunks()).equals(all)).toBe(true);
      expect(all.equals(bytes.whole())).toBe(true);
      // Asked in between, too.
      bytes.add(Uint8Array.of(1, 2));
      expect(Buffer.concat(bytes.chunks()).equals(Buffer.concat([all, Uint8Array.of(1, 2)]))).toBe(true);
    }),
  );
});

it('keeps a body that comes at once as it is, without a copy', () => {
  const small = Uint8Array.of(1, 2, 3);
  expect(gathered([small]).chunks()).toEqual([small]);
  expect(gathered([small]).whole()).toBe(small);
  const large = new Uint8Array(5000);
  expect(gathered([small, large]).chunks()[1]).toBe(large);
});

it.each([
  ['single bytes', [1]],
  ['a byte after each small chunk', [1, 1023]],
  ['a byte after each large chunk', [1, 1024]],
])('keeps a few times the bytes that came, when they come as %s', (_, sizes) => {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < 1_000_000; ) {
    for (const next of sizes) {
      chunks.push(new Uint8Array(next));
      size += next;
    }
  }
  expect(kept(chunks)).toBeGreaterThan(1_000_000);
  const bytes = gathered(chunks);
  expect(kept(bytes.chunks())).toBeLessThan(2.5 * bytes.length);
});
