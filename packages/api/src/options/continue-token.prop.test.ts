import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';

const segment = fc
  .string({ unit: fc.constantFrom('a', '.', '-', '"', '\\', '<', 'é', '😀', 'rv'), minLength: 1, maxLength: 6 })
  .filter((text) => text !== '.' && text !== '..');

const token = fc.record({
  revision: fc.option(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { nil: undefined }),
  start: fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `${segments.join('/')}\0`),
});

test('a token is read back as it was written, with or without a slash in front', () => {
  fc.assert(
    fc.property(token, (given) => {
      expect(decodeContinueToken(encodeContinueToken(given))).toEqual(given);
      expect(decodeContinueToken(encodeContinueToken({ ...given, start: `/${given.start}` }))).toEqual(given);
    }),
  );
});

test('any text is read or refused as a bad request', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('e', 'y', 'J', '2', '-', '_', '=', '\n', 'é') }), (text) => {
      try {
        decodeContinueToken(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'STATUS', httpCode: 400 });
      }
    }),
  );
});
