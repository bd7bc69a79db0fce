import { describe, expect, test } from 'vitest';
import { jsonSyntaxError } from './json-syntax.ts';

const encoder = new TextEncoder();
const complaintAbout = (text: string): string | undefined => jsonSyntaxError(encoder.encode(text));

describe('JSON is not complained about', () => {
  test.each(['null', ' [ ] ', '{}', '-0.5e+10', '"\\u00e9\\n é"', '{"a":[1,{"b":true}],"c":false}', '[[],{}]', '0'])(
    '%s',
    (text) => {
      expect(complaintAbout(text)).toBeUndefined();
    },
  );
});

describe('the first mistake is told in the words of Kubernetes', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['  ', 'unexpected end of JSON input'],
    ['{"apiVersion":"v1",', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['[1', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['"\\', 'unexpected end of JSON input'],
    ['"\\u12', 'unexpected end of JSON input'],
    ['-', 'unexpected end of JSON input'],
    ['1.', 'unexpected end of JSON input'],
    ['1e', 'unexpected end of JSON input'],
    ['tru', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['\u0001', "invalid character '\\x01' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['{"a":1]', "invalid character ']' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ['trie', "invalid character 'i' in literal true (expecting 'u')"],
    ['fals3', "invalid character '3' in literal false (expecting 'e')"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
  ])('%j', (text, complaint) => {
    expect(complaintAbout(text)).toBe(complaint);
  });

  test('a byte is shown as the character of its number', () => {
    expect(jsonSyntaxError(Uint8Array.of(0xcf, 0x3c))).toBe("invalid character 'Ï' looking for beginning of value");
  });

  test('a million open brackets are no danger', () => {
    expect(complaintAbout('['.repeat(1_000_000))).toBe('unexpected end of JSON input');
  });
});
