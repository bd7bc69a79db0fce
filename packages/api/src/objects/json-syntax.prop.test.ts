import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonSyntaxError } from './json-syntax.ts';

const encoder = new TextEncoder();

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('what it accepts is what JSON.parse accepts', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    'u',
    '0',
    '1',
    '-',
    '.',
    'e',
    'true',
    'null',
    ' ',
    '"a"',
    'é',
  );
  const scraps = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
  const damaged = fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, extra]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + extra + json.slice(place + 1);
  });
  fc.assert(
    fc.property(fc.oneof(fc.json(), scraps, damaged), (text) => {
      expect(jsonSyntaxError(encoder.encode(text)) === undefined).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});
