import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './json-body.ts';

const parse = (json: string) => parseJson(Buffer.from(json)).value;
const filled = (head: string, item: (index: number) => string, count: number, tail: string) =>
  head + Array.from({ length: count }, (_, index) => item(index)).join(',') + tail;

describe('a body in JSON', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['{}x', "invalid character 'x' after top-level value"],
    ['{"a":1}\0', "invalid character '\\x00' after top-level value"],
    ['['.repeat(1001), 'exceeded max depth'],
    ['{"a":'.repeat(600_000), 'exceeded max depth'],
    [`x${'['.repeat(1001)}`, "invalid character 'x' looking for beginning of value"],
  ])('%.20j is refused', (json, message) => expect(() => parse(json)).toThrow(message));

  it.each([
    ['{"a":"\\ud800"}', '\ufffd'],
    ['{"a":"\\udc00\\ud800x"}', '\ufffd\ufffdx'],
    ['{"a":"\\ud83d\\ude00"}', '\u{1f600}'],
    ['{"a":"\\\\ud800"}', '\\ud800'],
    ['{"a":"\\\\\\ud800\\ud83d\\ude00"}', '\\\ufffd\u{1f600}'],
  ])('%s: half of a surrogate pair is replaced', (json, text) => expect(parse(json)).toEqual({ a: text }));

  it('bytes that are no UTF-8 are replaced', () => {
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22])).value).toBe('\ufffd');
  });

  it('with a key __proto__ changes no prototype', () => {
    const value = parse('{"__proto__":{"polluted":1}}');
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('keeps integers of 64 bits', () => {
    expect(parse('{"a":[9223372036854775807,1]}')).toEqual({ a: [9_223_372_036_854_775_807n, 1] });
  });

  it.each([
    ['fields', filled('{', (index) => `"k${index}":1`, 25_001, '}'), 'the body has 25001 fields, limit is 25000'],
    ['objects', filled('[', () => '{}', 1_000_000, ']'), 'limit is 60000'],
    ['items', filled('[', () => '1', 1_500_000, ']'), 'limit is 60000'],
  ])('of too many %s is refused before it is parsed', (_what, json, message) => {
    expect(() => parse(json)).toThrow(message);
  });

  it('with repeated members is told by their number', () => {
    expect(parseJson(Buffer.from('{"a":{"b":1},"c":[{"d":2}]}')).repeatingText).toBeUndefined();
    expect(parseJson(Buffer.from('{"a":{"b":1,"b":2}}')).repeatingText).toBe('{"a":{"b":1,"b":2}}');
  });

  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const { value, repeatingText } = parseJson(Buffer.from(json));
        expect(value).toEqual(JSON.parse(json));
        expect(repeatingText).toBeUndefined();
      }),
    );
  });
});
