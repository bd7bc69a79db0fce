import { describe, expect, it } from 'vitest';
import { type Field, SCALAR_TYPES } from '../schema.ts';
import { SchemaSet } from '../schema-set.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage } from './encode-message.ts';
import type { MessagePlan } from './message-plan.ts';
import { MessagePlans } from './message-plans.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { bytesField, intField } from './written-message.fixture.ts';

function planOf(fields: Readonly<Record<string, Field>>): MessagePlan {
  const set = new SchemaSet([{ name: 'x', imports: [], types: { Thing: { fields } } }]);
  return new MessagePlans(set).message('x.Thing');
}

/** What field 1 of a struct is in protobuf. */
function encoded(field: Field, value: unknown): Buffer {
  return Buffer.from(encodeMessage(planOf({ it: { ...field, number: 1 } }), { it: value }));
}

function entry(key: string): Buffer {
  return bytesField(1, bytesField(1, key), bytesField(2, 'v'));
}

describe('an object in protobuf', () => {
  it('has its fields by their numbers, and no others', () => {
    const plan = planOf({
      late: { type: 'string', number: 9 },
      early: { type: 'string', number: 2 },
      kind: { type: 'string' },
    });
    const bytes = encodeMessage(plan, { late: 'l', kind: 'K', unknown: 1, early: 'e' });
    expect(Buffer.from(bytes)).toEqual(Buffer.concat([bytesField(2, 'e'), bytesField(9, 'l')]));
  });

  it('has empty values where Go holds no pointers', () => {
    expect(encoded({ type: 'int32' }, undefined)).toEqual(intField(1, 0));
    expect(encoded({ type: 'int32', pointer: true }, undefined)).toEqual(Buffer.alloc(0));
    expect(encoded({ type: 'int32', pointer: true }, 0)).toEqual(intField(1, 0));
    expect(encoded({ type: 'bytes' }, undefined)).toEqual(Buffer.alloc(0));
    expect(encoded({ type: 'time' }, null)).toEqual(bytesField(1));
  });

  it('keeps integers of 64 bits', () => {
    for (const value of [2n ** 63n - 1n, -(2n ** 63n), -1, 2 ** 53, 300]) {
      expect(encoded({ type: 'int64' }, value)).toEqual(intField(1, value));
    }
  });

  it('has its maps by key, also where JavaScript orders keys by number', () => {
    const map = JSON.parse('{"9":"v","10":"v","__proto__":"v"}');
    expect(encoded({ map: 'string' }, map)).toEqual(Buffer.concat([entry('10'), entry('9'), entry('__proto__')]));
  });

  it.each([
    '',
    'x'.repeat(39),
    'é',
    `é${'x'.repeat(30)}`,
    `${'x'.repeat(100)}\u{1f600}`,
    '\ud800',
    'x'.repeat(300_000),
  ])('has texts in UTF-8, whatever is in them', (text) =>
    expect(encoded({ type: 'string' }, text)).toEqual(bytesField(1, text)),
  );

  it('has bytes of every length', () => {
    for (let length = 0; length < 10; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => 255 - index));
      expect(encoded({ type: 'bytes' }, bytes.toString('base64'))).toEqual(bytesField(1, bytes));
    }
  });

  it.each(SCALAR_TYPES.filter((type) => !['any', 'fieldsV1', 'json', 'rawExtension'].includes(type)))(
    'is refused when a value of type %s is something else, and the next one is whole',
    (type) => {
      const tooLarge = 'x'.repeat(100);
      const plan = planOf({ it: { type, number: 1 }, text: { type: 'string', number: 2 } });
      expect(() => encodeMessage(plan, { it: [], text: tooLarge })).toThrow(TypeError);
      expect(Buffer.from(encodeMessage(planOf({ a: { type: 'string', number: 1 } }), { a: 'b' }))).toEqual(
        bytesField(1, 'b'),
      );
    },
  );
});

function nested(depth: number): Readonly<Record<string, unknown>> {
  let object = {};
  for (let level = 1; level < depth; level += 1) object = { inner: object };
  return object;
}

describe('messages in messages', () => {
  const set = new SchemaSet([
    { name: 'x', imports: [], types: { Thing: { fields: { inner: { type: 'x.Thing', pointer: true, number: 1 } } } } },
  ]);
  const plan = new MessagePlans(set).message('x.Thing');

  it('are written to a depth that the stack allows, and refused below', () => {
    expect(encodeMessage(plan, nested(2500)).length).toBeGreaterThan(5000);
    expect(() => encodeMessage(plan, nested(2501))).toThrow(new RangeError('the object is nested deeper than 2500'));
    expect(() => encodeMessage(plan, nested(100_000))).toThrow(RangeError);
  });

  it('are read to a depth that the stack allows, and refused below', () => {
    expect(decodeMessage(plan, encodeMessage(plan, nested(1001)))).toHaveProperty('inner.inner');
    const tooDeep = encodeMessage(plan, nested(1002));
    expect(() => decodeMessage(plan, tooDeep)).toThrow(new ProtobufProblem('proto: exceeded max depth'));
  });
});
