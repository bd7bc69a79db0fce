import { describe, expect, it } from 'vitest';
import { scanJson } from '../kinds/shapes/json-scan.ts';
import { fieldComplaints, strictError, unknownComplaints, unknownFields } from './field-check.ts';

const tree = { metadata: { name: true, labels: true }, spec: { items: [{ name: true }], paused: true } } as const;

describe('fields that a kind does not know', () => {
  it.each([
    [{ metadata: { name: 'a', labels: { anything: '1' } } }, []],
    [{ bogus: 1, metadata: { bogus: null } }, ['bogus', 'metadata.bogus']],
    [{ spec: { items: [{ name: 1 }, { x: { y: 1 } }] } }, ['spec.items[1].x']],
    [{ spec: 'not an object' }, []],
    [{ constructor: 1, toString: 2 }, ['constructor', 'toString']],
  ])('%j: %j', (value, expected) => expect(unknownFields(tree, value)).toEqual(expected));

  it('is complained of in the order of the document, together with what is there twice; below it nothing is looked at', () => {
    const text =
      '{"spec":{"paused":1,"paused":2,"x":{"y":1,"y":2},"x":{}},"bogus":1,"metadata":{"name":"a","name":"b"}}';
    const document = { text, value: JSON.parse(text), duplicates: scanJson(text).duplicates };
    expect(strictError(fieldComplaints(tree, document))).toBe(
      'strict decoding error: duplicate field "spec.paused", unknown field "spec.x", unknown field "bogus", duplicate field "metadata.name"',
    );
  });

  it('no more than a hundred are reported', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
    expect(unknownComplaints(tree, many)).toHaveLength(100);
    expect(fieldComplaints(tree, { value: many, duplicates: [], text: '' })).toHaveLength(100);
  });
});
