import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeVersionKey, encodeVersionKey, prefixEnd, seekKey, seekVersion } from './version-key.ts';

const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => !text.includes('\0'));
const revision = fc.oneof(
  fc.integer({ min: 1, max: 2 ** 33 }),
  fc.maxSafeNat().filter((n) => n > 0),
);

it('a version key is read back as it was written', () => {
  fc.assert(
    fc.property(key, revision, fc.boolean(), (name, at, deleted) => {
      const bytes = encodeVersionKey(name, at, deleted);
      expect(decodeVersionKey(bytes, 0, bytes.length)).toEqual({ key: name, revision: at, deleted });
    }),
  );
});

it('versions are ordered by the bytes of their keys, and within a key newest first', () => {
  fc.assert(
    fc.property(key, revision, key, revision, (a, at, b, bt) => {
      const byKey = Buffer.compare(Buffer.from(a), Buffer.from(b));
      const expected = byKey === 0 ? Math.sign(bt - at) : byKey;
      expect(Buffer.compare(encodeVersionKey(a, at, false), encodeVersionKey(b, bt, false))).toBe(expected);
    }),
  );
});

it('seeking a key at a revision passes exactly its newer versions and everything before the key', () => {
  fc.assert(
    fc.property(key, revision, key, revision, (a, at, b, bt) => {
      const passed = Buffer.compare(encodeVersionKey(b, bt, false), seekVersion(a, at)) < 0;
      const byKey = Buffer.compare(Buffer.from(b), Buffer.from(a));
      expect(passed).toBe(byKey < 0 || (byKey === 0 && bt > at));
    }),
  );
});

it('seeking a start passes exactly the keys before it, also when it ends in NUL', () => {
  fc.assert(
    fc.property(key, fc.constantFrom('', '\0', '\0\0', '\0x'), key, revision, (base, suffix, other, at) => {
      const start = `${base}${suffix}`;
      const passed = Buffer.compare(encodeVersionKey(other, at, false), seekKey(start)) < 0;
      expect(passed).toBe(Buffer.compare(Buffer.from(other), Buffer.from(start)) < 0);
    }),
  );
});

it('the end of a prefix comes after all of its keys and before the next ones', () => {
  fc.assert(
    fc.property(key, key, revision, (prefix, other, at) => {
      const end = prefixEnd(prefix) ?? Buffer.alloc(0);
      const version = encodeVersionKey(other, at, false);
      const inside = Buffer.compare(version, Buffer.from(prefix)) >= 0 && Buffer.compare(version, end) < 0;
      expect(inside).toBe(other.startsWith(prefix));
    }),
  );
  expect(prefixEnd('')).toBeUndefined();
});
