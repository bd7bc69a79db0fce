import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { selectorCell, validateLabelSelector } from './label-selector-rules.ts';

describe('a label selector', () => {
  it.each([
    [undefined, ''],
    [{}, ''],
    [{ matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] }, ''],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
      "s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'X' }] },
      's.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
    ],
  ])('%j is validated', (selector, expected) => {
    expect(fieldErrorsText(validateLabelSelector(selector, 's'))).toBe(expected);
  });

  it('with a wrong key, a wrong label and a wrong value has an error for each', () => {
    const selector = {
      matchLabels: { 'a b': 'c' },
      matchExpressions: [{ key: 'a/b/c', operator: 'In', values: ['x y'] }],
    };
    expect(validateLabelSelector(selector, 's').map(({ field }) => field)).toEqual([
      's.matchLabels',
      's.matchExpressions[0].key',
      's.matchExpressions[0].values[0]',
    ]);
  });

  it('is a cell of a table', () => {
    expect(selectorCell({ matchLabels: { a: 'b' } })).toBe('a=b');
    expect(selectorCell({})).toBe('<none>');
    expect(selectorCell({ matchExpressions: [{ key: 'a', operator: 'X' }] })).toBe('<error>');
  });
});
