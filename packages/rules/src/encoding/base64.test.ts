import { describe, expect, it } from 'vitest';
import { base64Of, binaryOf, bytesOf, decodedSize } from './base64.ts';

const TEXTS = ['', 'a', 'ab', 'abc', 'grüße', '🦄', '\ud800', 'x'.repeat(100_001)];

describe('base64 without Buffer', () => {
  it.each(TEXTS)('of a text is what Node makes of it: %#', (text) => {
    const expected = Buffer.from(text).toString('base64');
    expect(base64Of(text)).toBe(expected);
    expect(bytesOf(expected)).toEqual(new Uint8Array(Buffer.from(text)));
    expect(decodedSize(expected)).toBe(Buffer.byteLength(text));
  });

  it.each(['YQ', 'YW', 'Y', 'YWI', 'Y\nW\r\nI=', 'YQ==YQ==', '*Y*Q', '====', 'YWJj='])(
    '%j is read as leniently as by Node',
    (base64) => {
      expect(binaryOf(base64)).toBe(Buffer.from(base64, 'base64').toString('latin1'));
    },
  );
});
