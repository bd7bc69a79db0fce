import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from './exact-json.ts';

const decode = (json: string) => decodeJson(Buffer.from(json));

describe('JSON with integers of 64 bits', () => {
  it.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['{"a":[{"b":9223372036854775807}]}', { a: [{ b: 2n ** 63n - 1n }] }],
    [
      '{"a":"9223372036854775807","b":1234567890.123456789}',
      { a: '9223372036854775807', b: Number('1234567890.123456789') },
    ],
    ['{"a":1e300,"b":12345678901234567890e-5}', { a: 1e300, b: Number('12345678901234567890e-5') }],
  ])('%s is read exactly', (json, value) => expect(decode(json)).toEqual(value));

  it.each([
    ['{"a":9007199254740993,"a":5}', { a: 5 }],
    ['{"a":9007199254740993,"a":"text"}', { a: 'text' }],
    ['{"a":[9007199254740993],"a":[]}', { a: [] }],
    ['{"a":[9007199254740993],"a":{"0":1}}', { a: { 0: 1 } }],
    ['{"a":9007199254740993,"a":9007199254740995}', { a: 9_007_199_254_740_995n }],
  ])('the last of repeated members counts: %s', (json, value) => expect(decode(json)).toEqual(value));

  it('a key __proto__ is a key like any other', () => {
    const value = decode('{"__proto__":{"x":9007199254740993},"y":{"__proto__":9007199254740993}}');
    expect(encodeJson(value)).toBe('{"__proto__":{"x":9007199254740993},"y":{"__proto__":9007199254740993}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(decode('{"__proto__":{"x":9007199254740993},"__proto__":5}')).toEqual(JSON.parse('{"__proto__":5}'));
    expect('x' in Object.prototype).toBe(false);
  });

  it('an integer of millions of digits is rounded and not computed', () => {
    expect(decode('9'.repeat(3_000_000))).toBe(Number.POSITIVE_INFINITY);
  });

  it('strings that look like the mark of an integer stay strings', () => {
    const value = { a: 9_007_199_254_740_993n, b: '9007199254740993', c: '"1"' };
    expect(encodeJson(value)).toBe('{"a":9007199254740993,"b":"9007199254740993","c":"\\"1\\""}');
  });

  const withIntegers = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((integer) => {
        return String(Number(integer)) === String(integer) ? Number(integer) : integer;
      }),
      fc.array(tie('value')),
      fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value')),
    ),
  })).value;

  it('survives being written and read', () => {
    fc.assert(
      fc.property(withIntegers, (value) => {
        const json = encodeJson(value);
        expect(encodeJson(decode(json))).toBe(json);
      }),
    );
  });

  it('without long integers is what JSON.parse and JSON.stringify make of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(decode(json)).toEqual(JSON.parse(json));
        expect(encodeJson(value)).toBe(json);
      }),
    );
  });

  it('accepts the texts that JSON.parse accepts, and no others', () => {
    const text = fc.oneof(
      fc.string({
        unit: fc.constantFrom(...'{}[],:"\\ -+.eE0123456789'.split(''), '9007199254740993', 'true', 'null'),
      }),
      fc.json().chain((json) => fc.integer({ min: 0, max: json.length }).map((at) => json.slice(0, at))),
    );
    fc.assert(
      fc.property(text, (json) => {
        expect(outcome(() => decode(json))).toBe(outcome(() => JSON.parse(json)));
      }),
      { numRuns: 2000 },
    );
  });
});

function outcome(parse: () => unknown): string {
  try {
    parse();
    return 'read';
  } catch {
    return 'refused';
  }
}
