import { expect, it } from 'vitest';
import type { ApplyType } from '../apply-type.ts';
import { compareTwins } from './compare-typed.ts';

const TEXT: ApplyType = { scalar: 'string', list: undefined, map: undefined };

it('items that share a key are compared as a whole, and are something else than one item', () => {
  expect(compareTwins(['a', 'a'], ['a', 'a'], TEXT)).toBeUndefined();
  expect(compareTwins(['a', 'a', 'a'], ['a', 'a'], TEXT)).toEqual(
    expect.objectContaining({ modified: expect.anything() }),
  );
  expect(compareTwins(['a'], ['a'], TEXT)).toBeUndefined();
  // The one item is gone: what shares its key now is owned as a whole.
  const both = expect.objectContaining({ added: expect.anything(), removed: expect.anything() });
  expect(compareTwins(['a'], ['a', 'a'], TEXT)).toEqual(both);
  expect(compareTwins(['a', 'a'], ['a'], TEXT)).toEqual(both);
  expect(compareTwins([], ['a', 'a'], TEXT)).toEqual(expect.objectContaining({ added: expect.anything() }));
  expect(compareTwins(['a', 'a'], [], TEXT)).toEqual(expect.objectContaining({ removed: expect.anything() }));
});
