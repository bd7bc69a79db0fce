import type { JsonRecord } from '@listwatch/api/values';
import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  letrec,
  oneof,
  property,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../schema.ts';
import { SchemaSet } from '../schema-set.ts';
import { type ByteCount, canonical, checkedForm } from './canonical.ts';
import { DecodePlans } from './decode-plans.ts';
import { decodeProblem } from './decode-problem.ts';
import { DocumentCheck } from './document-check.ts';
import { unknownFieldComplaints } from './field-complaints.ts';

const INNER: Readonly<Record<string, Field>> = {
  name: { type: 'string', always: true },
  note: { type: 'string' },
  value: { type: 'string', pointer: true },
};
/** More fields than are gone through one by one. */
const MANY = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}`, { type: 'string' } as const]));
const set = new SchemaSet([
  {
    name: 'x/v1',
    imports: [],
    types: {
      Inner: { fields: INNER },
      Open: { keepsUnknown: true, fields: { name: { type: 'string' } } },
      Thing: {
        fields: {
          name: { type: 'string' },
          ...MANY,
          flag: { type: 'bool' },
          count: { type: 'int32', pointer: true },
          amount: { type: 'quantity', pointer: true },
          at: { type: 'time', always: true },
          inner: { type: 'x/v1.Inner' },
          maybe: { type: 'x/v1.Inner', pointer: true },
          none: { type: 'x/v1.Inner', omitZero: true },
          items: { list: 'x/v1.Inner' },
          words: { map: 'string' },
          things: { map: 'x/v1.Thing' },
          open: { type: 'x/v1.Open', pointer: true },
          any: { type: 'any' },
          note: { type: 'string' },
        },
      },
    },
  },
]);
const plan = new DecodePlans(set).struct('x/v1.Thing');

const UNLIMITED: ByteCount = { take: () => {}, requireRoom: () => {}, ofLimitedMap: () => UNLIMITED };
const NAMES = [...plan.fields.map(({ name }) => name), 'value', 'bogus', '__proto__', 'constructor'];

/** What may stand anywhere: mostly what fits. */
const values = letrec<{ value: unknown; record: JsonRecord }>((tie) => ({
  record: dictionary(constantFrom(...NAMES), tie('value'), { maxKeys: 6 }),
  value: oneof(
    { maxDepth: 4 },
    constantFrom('a', '', '5', '1Gi', '2026-01-01T00:00:00Z', null, {}, []),
    integer({ min: -1, max: 3 }),
    boolean(),
    array(tie('value'), { maxLength: 3 }),
    tie('record'),
  ),
}));

/** Documents that mostly fit. */
const inner = dictionary(constantFrom('name', 'note', 'value'), constantFrom('a', '', null));
const fitting: Arbitrary<JsonRecord> = dictionary(constantFrom('name', 'note', 'm1', 'm7', 'words'), constant('a'), {
  maxKeys: 4,
}).chain((texts) =>
  array(inner, { maxLength: 3 }).map((items) => ({
    items,
    ...texts,
    words: { b: 'x', a: 'y' },
    inner: items[0] ?? {},
  })),
);

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own: unknown[] = Object.values(value);
  return own.reduce<number>((sum, member) => sum + membersOf(member), Array.isArray(value) ? 0 : own.length);
}

function isFaultless(value: JsonRecord): boolean {
  return decodeProblem(plan, value) === undefined && unknownFieldComplaints(plan, value).length === 0;
}

describe('the pass that decodes and checks at once', () => {
  it('gives the canonical form of a document that it calls plain, and calls none plain that has a fault', () => {
    let plain = 0;
    const document = oneof(values.record, fitting);
    assert(
      property(document, (value) => {
        const check = new DocumentCheck();
        const form = checkedForm(plan, value, UNLIMITED, check);
        if (!check.isPlain) return;
        plain += 1;
        expect(isFaultless(value)).toBe(true);
        expect(JSON.stringify(form)).toBe(JSON.stringify(canonical(plan, value)));
        expect(check.members).toBe(membersOf(value));
      }),
      { numRuns: 1000 },
    );
    expect(plain).toBeGreaterThan(250);
  });

  it('calls a document plain that has no fault and no JSON of unknown form', () => {
    assert(
      property(fitting, (value) => {
        const check = new DocumentCheck();
        checkedForm(plan, value, UNLIMITED, check);
        expect(check.isPlain).toBe(isFaultless(value));
      }),
    );
  });

  it.each<readonly [string, JsonRecord]>([
    ['an unknown field among many', { m1: 'a', bogus: 1 }],
    ['an unknown field of a small object', { inner: { name: 'a', bogus: 1 } }],
    ['an unknown field that is null', { inner: { bogus: null } }],
    ['a wrong type in a list', { items: [{ name: 'a' }, { name: 1 }] }],
    ['a wrong type in a map', { words: { a: 1 } }],
    ['no list', { items: 'a' }],
    ['no quantity', { amount: 'x' }],
    ['an unknown field that would be kept', { open: { bogus: 1 } }],
    ['JSON of any form, which is not looked into', { any: { a: 1 } }],
    ['the name of a prototype', JSON.parse('{"inner":{"__proto__":1}}')],
  ])('looks a second time at a document with %s', (_, value) => {
    const check = new DocumentCheck();
    checkedForm(plan, value, UNLIMITED, check);
    expect(check.isPlain).toBe(false);
  });
});

describe('an object in canonical form', () => {
  it('is taken as it is, with all its parts', () => {
    const value = { name: 'a', at: null, inner: { name: 'b' }, items: [{ name: 'c', note: 'd' }], words: { a: 'b' } };
    expect(canonical(plan, value)).toBe(value);
  });

  it.each<readonly [string, JsonRecord, JsonRecord]>([
    [
      'another order',
      { note: 'n', name: 'a', at: null, inner: { name: '' } },
      { name: 'a', at: null, inner: { name: '' }, note: 'n' },
    ],
    [
      'a field at its end that says nothing',
      { name: 'a', at: null, inner: { name: '' }, note: '' },
      { name: 'a', at: null, inner: { name: '' } },
    ],
    [
      'an unknown field at its end',
      { name: 'a', at: null, inner: { name: '' }, bogus: 1 },
      { name: 'a', at: null, inner: { name: '' } },
    ],
    [
      'an unknown field at its start',
      { bogus: 1, name: 'a', at: null, inner: { name: '' } },
      { name: 'a', at: null, inner: { name: '' } },
    ],
    [
      'an item in another form',
      { at: null, inner: { name: '' }, items: [{ name: 'a' }, {}] },
      { at: null, inner: { name: '' }, items: [{ name: 'a' }, { name: '' }] },
    ],
  ])('is made of one with %s', (_, value, expected) => {
    const before = structuredClone(value);
    const form = canonical(plan, value);
    expect(JSON.stringify(form)).toBe(JSON.stringify(expected));
    // Nothing is written into the document of the client.
    expect(value).toEqual(before);
  });
});
