import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Length } from './utf8.ts';

const encoder = new TextEncoder();

test('the length in bytes is the length of the encoded text, lone surrogates included', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(
          fc.string({ unit: 'binary', maxLength: 1 }),
          fc.constantFrom('\ud800', '\udc00', '😀', 'é', 'a'),
        ),
      }),
      (text) => {
        expect(utf8Length(text)).toBe(encoder.encode(text).length);
      },
    ),
  );
});
