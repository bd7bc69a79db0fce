import { fieldRequired } from '@listwatch/api';
import { finish, type Steps } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { itemErrorSteps, itemErrors } from './item-errors.ts';

/** What the steps give, and how often they paused. */
function counted<T>(steps: Steps<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done === true) return { value, pauses };
  }
}

describe.each([
  ['at once', itemErrors],
  ['in steps', (...args: Parameters<typeof itemErrors<unknown>>) => finish(itemErrorSteps(...args))],
])('the errors of the items of a list, %s', (_, errorsOf) => {
  it('have the order and the index of their items', () => {
    const errors = errorsOf(['a', 'b', 'c'], (item, index) =>
      item === 'b' ? [] : [fieldRequired(`${String(item)}${index}`), fieldRequired(String(item))],
    );
    expect(errors.map(({ field }) => field)).toEqual(['a0', 'a', 'c2', 'c']);
  });

  it('end soon after the hundred that a message lists; the other items are not checked', () => {
    let checked = 0;
    const errors = errorsOf(Array<number>(60_000).fill(0), () => {
      checked += 1;
      return [fieldRequired('a'), fieldRequired('b')];
    });
    expect([checked, errors.length]).toEqual([51, 102]);
  });
});

describe('the steps of a list', () => {
  it('pause within a long one, and check each item once', () => {
    const seen: number[] = [];
    const check = (item: number): readonly [] => {
      seen.push(item);
      return [];
    };
    const items = Array.from({ length: 1001 }, (_, index) => index);
    const { pauses } = counted(itemErrorSteps(items, check));
    expect([pauses, seen]).toEqual([5, items]);
  });

  it('do not pause for a short one', () => {
    expect(counted(itemErrorSteps([1, 2], () => [fieldRequired('a')])).pauses).toBe(0);
  });
});
