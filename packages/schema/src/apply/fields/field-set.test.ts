import { describe, expect, it } from 'vitest';
import { FieldSet, fieldPath } from './field-set.ts';

const ab = FieldSet.of(fieldPath('spec', 'a'), fieldPath('spec', 'b'));
const a = FieldSet.of(fieldPath('spec', 'a'));
const spec = FieldSet.of(fieldPath('spec'));
const both = FieldSet.of(fieldPath('spec'), fieldPath('spec', 'a'));

describe('two sets of fields', () => {
  it('are equal when they have the same members, at every depth', () => {
    const same = FieldSet.of(fieldPath('spec', 'b'), fieldPath('spec', 'a'));
    expect([ab.equals(ab), ab.equals(same), FieldSet.EMPTY.equals(FieldSet.of())]).toEqual([true, true, true]);
    for (const [left, right] of [
      [ab, a],
      [a, ab],
      [a, spec],
      [spec, both],
      [a, both],
      [a, FieldSet.of(fieldPath('status', 'a'))],
      [a, FieldSet.EMPTY],
    ] as const) {
      expect([left.equals(right), right.equals(left)]).toEqual([false, false]);
    }
  });

  it('are within one another when all members of the one are members of the other', () => {
    expect([a.isWithin(ab), a.isWithin(both), spec.isWithin(both), FieldSet.EMPTY.isWithin(a)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([ab.isWithin(a), both.isWithin(a), both.isWithin(spec), a.isWithin(spec), spec.isWithin(a)]).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
