import { describe, expect, it } from 'vitest';
import { fieldComplaints, strictError, unknownFields } from './field-check.ts';

const tree = { metadata: { name: true, labels: true }, spec: { items: [{ name: true }], paused: true } } as const;

describe('fields that a kind does not know', () => {
  it.each([
    [{ metadata: { name: 'a', labels: { anything: '1' } } }, []],
    [{ bogus: 1, metadata: { bogus: null } }, ['bogus', 'metadata.bogus']],
    [{ spec: { items: [{ name: 1 }, { x: { y: 1 } }] } }, ['spec.items[1].x']],
    [{ spec: 'not an object' }, []],
    [{ constructor: 1, toString: 2 }, ['constructor', 'toString']],
  ])('%j: %j', (value, expected) => expect(unknownFields(tree, value)).toEqual(expected));

  it('unknown fields come first, and what stands below one is not looked at', () => {
    const complaints = fieldComplaints(tree, { spec: { x: {} } }, ['spec.paused', 'spec.x.y', 'spec.x']);
    expect(strictError(complaints)).toBe(
      'strict decoding error: unknown field "spec.x", duplicate field "spec.paused"',
    );
  });

  it('no more than a hundred are reported', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
    expect(fieldComplaints(tree, many, [])).toHaveLength(100);
  });
});
