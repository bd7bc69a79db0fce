import { describe, expect, it } from 'vitest';
import { canonical } from '../decode/canonical.ts';
import { DecodePlans } from '../decode/decode-plans.ts';
import { type Field, SCALAR_TYPES, type SchemaNode, type StructSchema } from '../schema.ts';
import { SchemaSet } from '../schema-set.ts';
import { decodeMessage } from './decode-message.ts';
import { MessagePlans } from './message-plans.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { bytesField, doubleField, intField, varint } from './written-message.fixture.ts';

const INNER: SchemaNode = {
  fields: { text: { type: 'string', number: 1 }, flag: { type: 'bool', pointer: true, number: 2 } },
};

function read(struct: StructSchema, bytes: Buffer): Readonly<Record<string, unknown>> {
  const set = new SchemaSet([{ name: 'x', imports: [], types: { Thing: struct, Inner: INNER } }]);
  const draft = decodeMessage(new MessagePlans(set).message('x.Thing'), bytes);
  return canonical(new DecodePlans(set).struct('x.Thing'), draft);
}

/** What field 1 of a struct is when these are its bytes. */
function decoded(field: Field | string, ...parts: readonly Uint8Array[]): unknown {
  return read({ fields: { it: { ...fieldOf(field), number: 1 } } }, Buffer.concat(parts))['it'];
}

/** `*` in front: a pointer; `!` behind: always written. What Go holds as a struct is, unless `omitZero`. */
function fieldOf(text: Field | string): Field {
  if (typeof text !== 'string') return text;
  const [, star, type, mark] = /^(\*?)(\w+)(!?)$/.exec(text) ?? [];
  const found = SCALAR_TYPES.find((scalar) => scalar === type);
  if (found === undefined) throw new TypeError(text);
  if (star === '*') return { type: found, pointer: true };
  return mark === '!' ? { type: found, always: true } : { type: found, omitZero: true };
}

function at(seconds: number, nanos = 0): Buffer {
  return bytesField(1, intField(1, seconds), intField(2, nanos));
}

function entry(key: string, value: Uint8Array): Buffer {
  return bytesField(1, bytesField(1, key), value);
}

describe('a scalar', () => {
  it.each<[string, Uint8Array, unknown]>([
    ['string', bytesField(1, 'é'), 'é'],
    ['bool', intField(1, 1), true],
    ['int32', intField(1, -5), -5],
    ['int64', intField(1, 2 ** 40), 2 ** 40],
    ['float64', doubleField(1, 0.5), 0.5],
    ['bytes', bytesField(1, Buffer.of(1, 2, 3)), 'AQID'],
    ['quantity', bytesField(1, bytesField(1, '100m')), '100m'],
    ['intOrString', bytesField(1, intField(1, 0), intField(2, -80), bytesField(3, '')), -80],
    ['intOrString', bytesField(1, intField(1, 1), intField(2, 0), bytesField(3, 'http')), 'http'],
    ['time', bytesField(1, intField(1, 1_709_210_096), intField(2, 0)), '2024-02-29T12:34:56Z'],
    ['microTime', bytesField(1, intField(1, 1_709_210_096), intField(2, 7_999)), '2024-02-29T12:34:56.000007Z'],
    ['any', bytesField(1, bytesField(1, '{"f:a":{}}')), { 'f:a': {} }],
  ])('of type %s', (shape, bytes, value) => expect(decoded(shape, bytes)).toEqual(value));

  it('that says nothing is left out, where Go leaves it out of JSON', () => {
    const nothing = bytesField(1);
    expect(decoded('string', nothing)).toBeUndefined();
    expect(decoded('*string', nothing)).toBe('');
    expect(decoded('string!')).toBe('');
    expect(decoded('int32', intField(1, 0))).toBeUndefined();
    expect(decoded('*bool', intField(1, 0))).toBe(false);
    expect(decoded('intOrString!', nothing)).toBe(0);
    expect(decoded('quantity!', nothing)).toBe('0');
    expect(decoded('any', nothing)).toBeUndefined();
  });

  it('given twice is the second', () => {
    expect(decoded('string', bytesField(1, 'a'), bytesField(1, 'b'))).toBe('b');
  });
});

describe('a time', () => {
  it('that is empty, or the first of Go, is none; 1970 is one', () => {
    expect(decoded('time', bytesField(1))).toBeUndefined();
    expect(decoded('time!', at(-62_135_596_800))).toBeNull();
    expect(decoded('time', at(0))).toBe('1970-01-01T00:00:00Z');
  });

  it('loses what JSON would not give back, and carries over what is more than a second', () => {
    expect(decoded('time', at(59, 999_999_999))).toBe('1970-01-01T00:00:59Z');
    expect(decoded('microTime', at(59, 1_000_000_000))).toBe('1970-01-01T00:01:00.000000Z');
    expect(decoded('microTime', at(59, -1_000))).toBe('1970-01-01T00:00:58.999999Z');
  });

  it('of years that JSON cannot write is a problem', () => {
    expect(decoded('time', at(253_402_300_799))).toBe('9999-12-31T23:59:59Z');
    expect(() => decoded('time', at(253_402_300_800))).toThrow(ProtobufProblem);
    expect(() => decoded('time', at(-62_167_219_201))).toThrow(ProtobufProblem);
  });
});

describe('a list', () => {
  it('has its items in their order, empty ones too', () => {
    expect(decoded({ list: 'string' }, bytesField(1, 'b'), bytesField(1), bytesField(1, 'a'))).toEqual(['b', '', 'a']);
    expect(decoded({ list: 'x.Inner' }, bytesField(1, bytesField(1, 'x')), bytesField(1))).toEqual([{ text: 'x' }, {}]);
  });

  it('of numbers may be packed, and in parts', () => {
    const packed = bytesField(1, varint(1), varint(-2), varint(300));
    expect(decoded({ list: 'int64' }, packed, intField(1, 4))).toEqual([1, -2, 300, 4]);
    expect(decoded({ list: 'float64' }, bytesField(1, doubleField(1, 1.5).subarray(1)))).toEqual([1.5]);
    expect(() => decoded({ list: 'int64' }, bytesField(1, Buffer.of(0x80)))).toThrow('unexpected end');
  });
});

describe('a map', () => {
  it('has its entries, the last of equal keys', () => {
    const entries = [entry('b', bytesField(2, '1')), entry('a', bytesField(2, '2')), entry('b', bytesField(2, '3'))];
    expect(JSON.stringify(decoded({ map: 'string' }, ...entries))).toBe('{"a":"2","b":"3"}');
    expect(decoded({ map: 'bytes' }, entry('k', bytesField(2, Buffer.of(0))))).toEqual({ k: 'AA==' });
    expect(decoded({ map: 'quantity' }, entry('cpu', bytesField(2, bytesField(1, '1'))))).toEqual({ cpu: '1' });
  });

  it('may leave out keys and values', () => {
    expect(decoded({ map: 'string' }, bytesField(1))).toEqual({ '': '' });
    expect(decoded({ map: 'quantity' }, bytesField(1, bytesField(1, 'cpu')))).toEqual({ cpu: '0' });
  });

  it('keeps a key that JavaScript has a use for', () => {
    const entries = decoded({ map: 'string' }, entry('__proto__', bytesField(2, 'x')), entry('a', bytesField(2, 'y')));
    expect(JSON.stringify(entries)).toBe('{"__proto__":"x","a":"y"}');
  });
});

describe('a message', () => {
  it('in two parts is one', () => {
    const parts = [bytesField(1, bytesField(1, 'x')), bytesField(1, intField(2, 0))];
    expect(decoded({ type: 'x.Inner', pointer: true }, ...parts)).toEqual({ text: 'x', flag: false });
  });

  it('without a name puts its fields into the object around it', () => {
    const type = 'string';
    const fields = {
      name: { type, number: 1 },
      secret: { type, number: 1, within: [2] },
      image: { type, number: 2, within: [2] },
      deep: { type, number: 1, within: [2, 5] },
      last: { type, number: 3 },
    } as const;
    const inner = bytesField(
      2,
      bytesField(1, 's'),
      bytesField(5, bytesField(1, 'd')),
      bytesField(2, 'i'),
      bytesField(9, 'unknown'),
    );
    expect(read({ fields }, Buffer.concat([bytesField(3, 'l'), inner, bytesField(1, 'n')]))).toEqual({
      name: 'n',
      secret: 's',
      image: 'i',
      deep: 'd',
      last: 'l',
    });
  });

  it('that is a list of lists has a message for each list', () => {
    const inner = [bytesField(1, bytesField(1, 'a'), bytesField(1, 'b')), bytesField(1)];
    expect(decoded({ list: { list: 'string' } }, ...inner)).toEqual([['a', 'b'], null]);
  });

  it('may hold fields that its kind does not have', () => {
    expect(decoded('string', intField(2, 1), bytesField(1, 'x'), doubleField(100, 1))).toBe('x');
  });
});

describe('what JSON has no place for is a problem', () => {
  it.each<[string, string, Uint8Array]>([
    ['another type than the field has', 'string', intField(1, 1)],
    ['a number that is none', 'float64', doubleField(1, Number.NaN)],
    ['an IntOrString that is neither', 'intOrString', bytesField(1, intField(1, 2))],
    ['JSON that is none', 'any', bytesField(1, bytesField(1, '{'))],
  ])('%s', (_, shape, bytes) => expect(() => decoded(shape, bytes)).toThrow(ProtobufProblem));
});
