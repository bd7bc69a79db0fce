import { fieldDuplicate, fieldErrorsText, fieldRequired } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { itemErrors } from './item-errors.ts';

describe('the errors of the items of a list', () => {
  it('have the order and the index of their items', () => {
    const errors = itemErrors(['a', 'b', 'c'], (item, index) =>
      item === 'b' ? [] : [fieldRequired(`${item}${index}`), fieldRequired(item)],
    );
    expect(errors.map(({ field }) => field)).toEqual(['a0', 'a', 'c2', 'c']);
  });

  it('end soon after the hundred that a message lists; the other items are not checked', () => {
    let checked = 0;
    const errors = itemErrors(Array<number>(60_000).fill(0), () => {
      checked += 1;
      return [fieldRequired('a'), fieldRequired('b')];
    });
    expect([checked, errors.length]).toEqual([51, 102]);
  });

  it('may depend on the items before', () => {
    const seen = new Set<string>();
    const errors = itemErrors(['a', 'b', 'a'], (item, index) => {
      const isTwice = seen.has(item);
      seen.add(item);
      return isTwice ? [fieldDuplicate(`[${index}]`, item)] : [];
    });
    expect(fieldErrorsText(errors)).toBe('[2]: Duplicate value: "a"');
  });
});
