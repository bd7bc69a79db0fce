import { DecodePlans, fieldComplaints, SchemaSet, strictError, unknownFieldComplaints } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { parseJson } from './json-body.ts';

const plans = new DecodePlans(new SchemaSet());
const STRING = { type: 'string' } as const;
const plan = plans.of({
  fields: {
    metadata: { fields: { name: STRING, labels: { map: 'string' } } },
    spec: {
      fields: {
        items: { list: { fields: { name: STRING } } },
        byName: { map: { fields: { name: STRING } } },
        paused: { type: 'bool' },
        anything: { type: 'any' },
        raw: { type: 'rawExtension' },
      },
    },
  },
});

describe('fields that a kind does not know', () => {
  it.each([
    [{ metadata: { name: 'a', labels: { anything: '1' } } }, []],
    [{ bogus: 1, metadata: { bogus: null } }, ['bogus', 'metadata.bogus']],
    [{ spec: { items: [{ name: 1 }, { x: { y: 1 } }] } }, ['spec.items[1].x']],
    [{ spec: { byName: { a: { name: 1, x: 1 }, b: { y: 1 } } } }, ['spec.byName.a.x', 'spec.byName.b.y']],
    [{ spec: { anything: { x: 1 }, raw: { x: 1 } } }, []],
    [{ spec: 'not an object' }, []],
    [{ constructor: 1, toString: 2 }, ['constructor', 'toString']],
  ])('%j: %j', (value, expected) => {
    expect(unknownFieldComplaints(plan, value)).toEqual(expected.map((path) => `unknown field "${path}"`));
  });

  it('is complained of in the order of the document, together with what is there twice; below it nothing is looked at', () => {
    const text =
      '{"spec":{"paused":1,"paused":2,"x":{"y":1,"y":2},"x":{}},"bogus":1,"metadata":{"name":"a","name":"b"}}';
    expect(strictError(fieldComplaints(plan, parseJson(Buffer.from(text))))).toBe(
      'strict decoding error: duplicate field "spec.paused", unknown field "spec.x", unknown field "bogus", duplicate field "metadata.name"',
    );
  });

  it('no more than a hundred are reported', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
    expect(unknownFieldComplaints(plan, many)).toHaveLength(100);
    expect(fieldComplaints(plan, { value: many, repeatingText: undefined })).toHaveLength(100);
    const twice = `{${Object.keys(many)
      .map((name) => `"${name}":1`)
      .join()},"metadata":{"name":1,"name":2}}`;
    expect(fieldComplaints(plan, parseJson(Buffer.from(twice)))).toHaveLength(100);
  });
});

describe('fields that are given twice', () => {
  it.each([
    ['{"metadata":{"name":"a"},"spec":{"paused":1}}', []],
    ['{"metadata":{"labels":{"x":"1","x":"2","x":"3"}}}', ['metadata.labels.x']],
    ['{"spec":{"items":[{"name":1},{"name":1,"name":2}]}}', ['spec.items[1].name']],
    ['{"metadata":{"name":1},"spec":{"paused":1}}', []],
    ['{"metadata":{"labels":{"a":"\\"x\\\\","a":1}}}', ['metadata.labels.a']],
    ['{"metadata":{"labels":{"a":"{\\"k\\":1,\\"k\\":2}"}}}', []],
    ['{"metadata":{"labels":{"\\u0061":1,"a":2}}}', ['metadata.labels.a']],
    [' { "metadata" : { "labels" : { "a" : 1 , "a" : [ ] } } } ', ['metadata.labels.a']],
    ['{"metadata":{"labels":{"__proto__":1,"constructor":2}}}', []],
    ['{"metadata":{"labels":{"__proto__":1,"__proto__":2}}}', ['metadata.labels.__proto__']],
    ['{"spec":{"anything":{"a":[{"b":1,"b":2}]}}}', ['spec.anything.a[0].b']],
    ['{"spec":{"raw":{"a":1,"a":2}}}', []],
    ['5', []],
  ])('%s: %j', (text, paths) => {
    const complaints = fieldComplaints(plan, parseJson(Buffer.from(text)));
    expect(complaints).toEqual(paths.map((path) => `duplicate field ${JSON.stringify(path)}`));
  });

  it('are looked for once, however many there are', () => {
    const names = Array.from({ length: 19_900 }, (_, index) => `"k${index % 9_950}":1`);
    // Compared pairwise this takes minutes.
    expect(fieldComplaints(plan, parseJson(Buffer.from(`{${names.join()}}`)))).toHaveLength(100);
  });

  it('are reported until the report is long, for each may repeat a long key', () => {
    const names = Array.from({ length: 200 }, (_, index) => `"k${index}":1,"k${index}":2`);
    const text = `{"${'x'.repeat(1_000_000)}":{${names.join()}}}`;
    expect(fieldComplaints(plans.of('any'), parseJson(Buffer.from(text)))).toHaveLength(1);
  });
});
