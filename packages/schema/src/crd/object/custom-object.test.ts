import { fieldErrorText } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { describe, expect, it, test } from 'vitest';
import { CustomSchema } from '../custom-schema.ts';
import {
  coerceObject,
  decodeCustomObject,
  defaultObject,
  dropNulls,
  pruneObject,
  readCustomObject,
  unknownFields,
} from './custom-object.ts';
import { validateObject } from './custom-validation.ts';
import { OBJECT_ANSWERS } from './object-answers.fixture.ts';
import { OBJECTS } from './object-cases.fixture.ts';
import { OBJECT_META } from './object-meta.fixture.ts';

const TYPE = { apiVersion: 'example.org/v1', kind: 'Gadget', metadata: { name: 'g' } };

function specSchema(properties: JsonRecord): JsonRecord {
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

const all = new CustomSchema(
  specSchema(Object.fromEntries(Object.entries(OBJECTS).map(([name, { schema }]) => [name, schema]))),
  OBJECT_META,
);

const written = Object.entries(OBJECTS).flatMap(([name, { values }]) =>
  values.map((value, index) => ({ name, value, shown: JSON.stringify(value), answer: OBJECT_ANSWERS[name]?.[index] })),
);

describe('a value is treated as by kube-apiserver', () => {
  it.each(written)('$name: $shown', ({ name, value, answer }) => {
    const object = { ...TYPE, spec: { [name]: value } };
    const decoded = decodeCustomObject(all, object);
    if (decoded.problem !== undefined) {
      expect(answer?.errors?.[0]).toContain(decoded.problem);
      return;
    }
    const errors = validateObject(all, decoded.object).errors.map(fieldErrorText);
    expect(errors.toSorted()).toEqual((answer?.errors ?? []).toSorted());
    if (answer?.errors !== undefined) return;
    expect(decoded.object.spec).toEqual(answer?.object);
    expect(unknownFields(all, object)).toEqual(answer?.unknown ?? []);
  });
});

describe('an object that needs no change', () => {
  const object = { ...TYPE, spec: { text: 'x', pruned: { a: 'x', l: [{ n: 'y' }] }, set: ['a'] } };

  it('is the same object after each step', () => {
    for (const step of [pruneObject, dropNulls, defaultObject, readCustomObject])
      expect(step(all, object)).toBe(object);
    expect(decodeCustomObject(all, object).object).toBe(object);
  });

  it('is never changed in place, and unchanged parts are shared', () => {
    const given = { ...TYPE, spec: { kept: { a: { b: 'x', c: 1 }, d: { e: 1 } }, defaults: {} } };
    const before = structuredClone(given);
    const read = readCustomObject(all, given);
    expect(given).toEqual(before);
    expect(read.spec.kept.d).toBe(given.spec.kept.d);
    expect(read.metadata).toBe(given.metadata);
  });
});

describe('strange names', () => {
  const schema = new CustomSchema(
    specSchema({
      map: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } },
    }),
  );

  it('finds no schema under a name that every object inherits', () => {
    const object = { ...TYPE, spec: { constructor: 1, toString: 2, map: {} } };
    expect(pruneObject(schema, object)).toEqual({ ...TYPE, spec: { map: {} } });
    expect(unknownFields(schema, object)).toEqual(['spec.constructor', 'spec.toString']);
  });

  it('keeps a member called __proto__', () => {
    const object: JsonRecord = { ...TYPE, ...JSON.parse('{"spec":{"map":{"__proto__":{"a":"x","b":1}}}}') };
    const pruned = pruneObject(schema, object);
    expect(JSON.stringify(pruned['spec'])).toBe('{"map":{"__proto__":{"a":"x"}}}');
  });
});

test('metadata of embedded objects is decoded; malformed fields are a problem in a body and dropped from storage', () => {
  const object = {
    ...TYPE,
    spec: { embedded: { apiVersion: 1, kind: 'Pod', metadata: { name: 'x', labels: { a: 1 }, other: 1 } } },
  };
  expect(coerceObject(all, object).problem).toBe('spec.embedded.apiVersion: Invalid value: 1: must be a string');
  expect(readCustomObject(all, object).spec).toEqual({ embedded: { kind: 'Pod', metadata: { name: 'x' } } });
  expect(unknownFields(all, object)).toEqual(['spec.embedded.metadata.other']);
});

test('at most a hundred unknown fields are reported', () => {
  const spec = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]));
  expect(unknownFields(all, { ...TYPE, spec })).toHaveLength(100);
});

test('integers beyond 2^53 stay exact', () => {
  const object = { ...TYPE, spec: { whole64: 9007199254740993n, unknown: 1 } };
  expect(decodeCustomObject(all, object).object.spec).toEqual({ whole64: 9007199254740993n });
  expect(validateObject(all, decodeCustomObject(all, object).object).errors).toEqual([]);
});

test('a schema is read when it is first used, and once', () => {
  let reads = 0;
  const schema = new CustomSchema(() => {
    reads += 1;
    return specSchema({ a: { type: 'string' } });
  });
  expect(reads).toBe(0);
  pruneObject(schema, TYPE);
  pruneObject(schema, TYPE);
  expect(reads).toBe(1);
});
