import { expect, it } from 'vitest';
import { DEFAULT_TABLE, labelsCell } from './table-column.ts';

it('a kind that nothing is known of shows its name and when it was created', () => {
  const metadata = { name: 'a', creationTimestamp: '2024-01-01T00:00:00Z' };
  expect(DEFAULT_TABLE.definitions.map(({ name, type, format }) => [name, type, format])).toEqual([
    ['Name', 'string', 'name'],
    ['Created At', 'date', ''],
  ]);
  expect(DEFAULT_TABLE.cells({ kind: 'X', apiVersion: 'v1', metadata }, 0)).toEqual(['a', '2024-01-01T00:00:00Z']);
});

it.each([
  [{}, '<none>'],
  [{ b: '1', a: '' }, 'a=,b=1'],
])('the labels %j are shown as %s', (labels, expected) => {
  expect(labelsCell(labels)).toBe(expected);
});
