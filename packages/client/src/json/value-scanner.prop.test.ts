import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValueScanner } from './value-scanner.ts';

const encoder = new TextEncoder();

/** Scans `{"v":<text>}` in pieces: the index behind the value, -1 when it does not end, or `invalid`. */
function scan(bytes: Uint8Array, cuts: readonly number[] = []): number | 'invalid' {
  const scanner = new ValueScanner();
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].toSorted((a, b) => a - b);
  let from = 0;
  try {
    for (const end of ends) {
      const found = scanner.scan(bytes.subarray(from, end), 0);
      if (found >= 0) return from + found;
      from = end;
    }
    return -1;
  } catch (error) {
    expect(error).toMatchObject({ code: 'PROTOCOL' });
    return 'invalid';
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Pieces that make JSON, nearly JSON and damaged JSON when they are joined. */
const pieces = fc.array(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '"a":',
    ' ',
    '\n',
    '\0',
    '\t',
    '-',
    '0',
    '12',
    '.',
    'e',
    'E+',
    '1.5',
    '\\u00e9',
    '\\u00',
    '\\n',
    '\\x',
    'true',
    'false',
    'null',
    'tru',
    'nul',
    'é',
    'x'.repeat(40),
    '{"a":1}',
    '[1,"b"]',
    '\u2028',
    '\u001f',
  ),
  { maxLength: 12 },
);

test('an array is whole exactly where JSON.parse says so, however it is cut', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(), { maxLength: 5 }), (parts, cuts) => {
      const text = `[${parts.join('')}]`;
      const bytes = encoder.encode(text);
      const end = scan(bytes, cuts);
      if (isJson(text)) expect(end).toBe(bytes.length);
      else if (typeof end === 'number' && end >= 0)
        expect(isJson(new TextDecoder().decode(bytes.subarray(0, end)))).toBe(true);
      expect(scan(bytes)).toBe(end);
    }),
    { numRuns: 5000 },
  );
});

test('a value is refused at the first byte with which it can no longer be completed', () => {
  const invalid: readonly (readonly [string, string])[] = [
    ['{"a":"b', '\n'],
    ['{"a":"b', '\0'],
    ['{"a":"\\', 'x'],
    ['{"a":"\\u00', 'g'],
    ['{"a":{"b":1}', '{'],
    ['{"a":1', ']'],
    ['{"a":"b"', 't'],
    ['{', '1'],
    ['{"a":1,', '}'],
    ['[1,', ']'],
    ['{"a":0', '1'],
    ['{"a":1.', ','],
    ['{"a":-', '-'],
    ['{"a":1e', '}'],
    ['{"a":nu', 'x'],
    ['{"a":true', 'e'],
    ['{"a"', ','],
    ['{"a":', ':'],
  ];
  for (const [before, byte] of invalid) {
    expect(scan(encoder.encode(before)), before).toBe(-1);
    expect(scan(encoder.encode(before + byte)), before + byte).toBe('invalid');
  }
});

test('a value that is deeper than ten thousand levels is refused, and one level less is not', () => {
  expect(scan(encoder.encode('['.repeat(10_000) + ']'.repeat(10_000)))).toBe(20_000);
  expect(scan(encoder.encode('['.repeat(10_001)))).toBe('invalid');
});

test('a number ends before the byte behind it, a string and a word with their last', () => {
  expect(scan(encoder.encode('12,'))).toBe(2);
  expect(scan(encoder.encode('12'))).toBe(-1);
  expect(scan(encoder.encode('"a",'))).toBe(3);
  expect(scan(encoder.encode('null}'))).toBe(4);
});
