import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CelList } from './cel-list.ts';

test('concatenated lists have the elements of both, in any order of concatenation', () => {
  const tree = fc.letrec<{ tree: (number | string)[] | [unknown, unknown] }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 12 },
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.tuple(tie('tree'), tie('tree')).map(([left, right]) => [left, right] as [unknown, unknown]),
    ),
  })).tree;
  const flat = (node: unknown): number[] =>
    Array.isArray(node) ? node.flatMap((item: unknown) => (typeof item === 'number' ? [item] : flat(item))) : [];
  const list = (node: unknown): CelList => {
    const items: unknown[] = Array.isArray(node) ? node : [];
    if (items.every((item) => typeof item === 'number')) return CelList.of(items);
    return items.map(list).reduce((left, right) => left.concat(right));
  };
  fc.assert(
    fc.property(tree, (node) => {
      const joined = list(node);
      expect([...joined]).toEqual(flat(node));
      expect(Array.from({ length: joined.size }, (_, index) => joined.at(index))).toEqual(flat(node));
    }),
  );
});

test('a chain of a hundred thousand concatenations is read without a stack overflow', () => {
  let list = CelList.of([0]);
  for (let index = 1; index < 100_000; index++) list = list.concat(CelList.of([index]));
  expect(list.at(99_999)).toBe(99_999);
  expect([...list].length).toBe(100_000);
});

test('elements of foreign data are adapted when they are read, and not before', () => {
  const read: unknown[] = [];
  const list = CelList.adapted([1, 2, 3], (raw) => {
    read.push(raw);
    return typeof raw === 'number' ? raw * 10 : null;
  });
  expect(list.size).toBe(3);
  expect(read).toEqual([]);
  expect(list.at(1)).toBe(20);
  expect(read).toEqual([2]);
});
