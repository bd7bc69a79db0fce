import { expect, it } from 'vitest';
import { withSortedManagers } from './managed-entries.fixture.ts';

function entry(operation: string, manager: string, time: string, more = ''): string {
  return `  - apiVersion: v1
    fieldsType: FieldsV1
    fieldsV1:
      f:data:
        f:${manager}-manager: {}
    manager: ${manager}
    operation: ${operation}
${more}    time: "2026-11-19T10:00:0${time}Z"
`;
}

function printed(...entries: readonly string[]): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  managedFields:\n${entries.join('')}  name: a\nexit 0\n`;
}

function listOf(item: string): string {
  return `items:\n${item.replaceAll(/^/gmu, '  ').replace('  apiVersion', '- apiVersion')}`;
}

function withoutTime(text: string): string {
  return withSortedManagers(text).replaceAll(/0\dZ/gu, 'TIME');
}

it('two managers stand in one order, whether a second has ended between their writes or not', () => {
  const sameSecond = printed(entry('Update', 'a', '1'), entry('Update', 'b', '1'));
  const later = printed(entry('Update', 'b', '1'), entry('Update', 'a', '2'));
  expect(withoutTime(later)).toBe(withoutTime(sameSecond));
  expect(withSortedManagers(sameSecond)).toBe(sameSecond);
});

it('each object of a list is sorted by itself', () => {
  const item = printed(entry('Update', 'b', '1'), entry('Update', 'a', '2'));
  expect(withSortedManagers(`${listOf(item)}${listOf(item)}`)).toBe(
    `${listOf(withSortedManagers(item))}${listOf(withSortedManagers(item))}`,
  );
});

it.each([
  ['a later manager', [entry('Update', 'a', '2'), entry('Update', 'b', '1')]],
  ['a manager of the same second with a later name', [entry('Update', 'b', '1'), entry('Update', 'a', '1')]],
  ['an update', [entry('Update', 'a', '1'), entry('Apply', 'b', '2')]],
  ['a subresource', [entry('Update', 'a', '1', '    subresource: status\n'), entry('Update', 'a', '1')]],
])('%s before its turn is an error', (_, entries) => {
  expect(() => withSortedManagers(printed(...entries))).toThrow('managedFields out of order');
});

it('what has no managed fields stays as it is', () => {
  expect(withSortedManagers('a\n  - b\n\nexit 0\n')).toBe('a\n  - b\n\nexit 0\n');
});
