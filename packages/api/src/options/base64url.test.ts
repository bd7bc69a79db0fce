import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase64Url, encodeBase64Url } from './base64url.ts';

test('bytes are encoded for URLs, without padding', () => {
  expect(encodeBase64Url(Uint8Array.of(0xfb, 0xff))).toBe('-_8');
  expect(encodeBase64Url(Uint8Array.of())).toBe('');
});

test('bytes survive encoding and decoding, with line breaks anywhere', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat({ max: 8 }), (bytes, place) => {
      const text = encodeBase64Url(bytes);
      expect(decodeBase64Url(text)).toEqual(bytes);
      expect(decodeBase64Url(`${text.slice(0, place)}\r\n${text.slice(place)}`)).toEqual(bytes);
    }),
  );
});

describe('text that is no base64 for URLs is refused at its first bad place', () => {
  test.each([
    ['!', 0],
    ['ab+c', 2],
    ['ab/c', 2],
    ['YQ==', 2],
    ['YWJjZ', 4],
    ['abcé', 3],
    ['ab cd', 2],
  ])('%j at %i', (text, place) => {
    expect(() => decodeBase64Url(text)).toThrow(new SyntaxError(`illegal base64 data at input byte ${place}`));
  });
});
