import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkKey, checkPrefix, compareKeys, MAX_KEY_BYTES } from './storage-key.ts';

const text = fc.string({ unit: 'binary' });

/** Around each place where UTF-16 and UTF-8 order could part: random text meets two of them in one pair too rarely. */
const edges = [
  0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xbfff, 0xc000, 0xd7ff, 0xe000, 0xf7ff, 0xf800, 0xffff, 0x10000, 0x10ffff,
];

it.each(edges.map((point) => [point.toString(16), point] as const))(
  'U+%s has its place between all others',
  (_, point) => {
    const here = String.fromCodePoint(point);
    for (const other of edges) {
      const there = String.fromCodePoint(other);
      expect(Math.sign(compareKeys(here, there)), other.toString(16)).toBe(Math.sign(point - other));
    }
  },
);

it('keys are ordered as their UTF-8 bytes are', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const byBytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareKeys(a, b))).toBe(byBytes);
    }),
    { numRuns: 2000 },
  );
});

it('a key is refused exactly when it is empty, too long in bytes, ill-formed or contains NUL', () => {
  const any = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
    text,
    fc.nat(1100).map((length) => 'é'.repeat(length)),
  );
  fc.assert(
    fc.property(any, (key) => {
      const bytes = Buffer.from(key);
      const wellFormed = bytes.toString() === key;
      const legal = key !== '' && bytes.length <= MAX_KEY_BYTES && wellFormed && !key.includes('\0');
      if (legal) expect(() => checkKey(key)).not.toThrow();
      else expect(() => checkKey(key)).toThrow(RangeError);
    }),
    { numRuns: 2000 },
  );
  expect(() => checkPrefix('')).not.toThrow();
});
