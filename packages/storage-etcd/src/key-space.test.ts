import { describe, expect, it } from 'vitest';
import { KeySpace } from './key-space.ts';
import { nextPageSize } from './range-reader.ts';

describe('keys in etcd', () => {
  const keys = new KeySpace('/r/');

  it('carry the root', () => {
    expect(keys.encode('a').toString()).toBe('/r/a');
    expect(keys.rootBytes).toBe(3);
  });

  it('of a prefix are a range that ends before the next prefix', () => {
    const range = keys.range('pods/');
    expect([range.key.toString(), range.rangeEnd.toString()]).toEqual(['/r/pods/', '/r/pods0']);
  });

  it('of the whole store are the root’s, or all there are without a root', () => {
    expect(keys.range('').rangeEnd.toString()).toBe('/r0');
    const all = new KeySpace('').range('');
    expect([all.key, all.rangeEnd]).toEqual([Buffer.from([0]), Buffer.from([0])]);
  });

  it('begin at a start behind the prefix, and at the prefix for one before it', () => {
    expect(keys.range('b', 'b5').key.toString()).toBe('/r/b5');
    expect(keys.range('b', 'a').key.toString()).toBe('/r/b');
    expect(keys.range('b', 'c').key.toString()).toBe('/r/c');
  });

  it('of a prefix that ends in the highest code point are still a range', () => {
    const range = keys.range('\u{10ffff}');
    expect(Buffer.compare(range.key, range.rangeEnd)).toBe(-1);
  });

  it('come in pages of about 8 MiB, of 10 000 keys at most and one at least', () => {
    expect([10, 1300, 2 ** 20, 2 ** 24].map(nextPageSize)).toEqual([10_000, 2419, 3, 1]);
  });
});
