import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FieldSet, type ManagedFieldPath } from './field-set.ts';

const element = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"n":"1"}', 'v:"x"');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

const keyOf = (one: ManagedFieldPath): string => one.join('\n');
const textsOf = (set: FieldSet): readonly string[] => set.paths().map(keyOf);
const sorted = (keys: Iterable<string>): readonly string[] => [...new Set(keys)].toSorted();
/** Is the path above or at one of the others? */
const isCovered = (one: string, others: readonly string[]): boolean =>
  others.some((other) => one === other || one.startsWith(`${other}\n`));

function has(set: FieldSet, expected: readonly string[]): void {
  expect(textsOf(set).toSorted()).toEqual(sorted(expected));
  expect(set.isEmpty).toBe(expected.length === 0);
  // No node is left without a member at it or below it.
  expect(set.equals(FieldSet.of(...set.paths()))).toBe(true);
}

it('sets of paths behave as sets of texts do', () => {
  fc.assert(
    fc.property(paths, paths, paths, (first, second, third) => {
      const sets = [first, second, third].map((all) => FieldSet.of(...all));
      const keys = [first, second, third].map((all) => sorted(all.map(keyOf)));
      const [a, b, c] = sets;
      const [x, y, z] = keys;
      if (!a || !b || !c || !x || !y || !z) return expect.unreachable();
      has(a, x);
      has(a.union(b), [...x, ...y]);
      has(FieldSet.union(sets), [...x, ...y, ...z]);
      has(FieldSet.union([a, b]), [...x, ...y]);
      has(FieldSet.union([]), []);
      has(
        a.intersection(b),
        x.filter((key) => y.includes(key)),
      );
      has(
        a.difference(b),
        x.filter((key) => !y.includes(key)),
      );
      has(
        a.without(b),
        x.filter((key) => !isCovered(key, y)),
      );
      has(
        a.leaves(),
        x.filter((key) => !x.some((other) => other.startsWith(`${key}\n`))),
      );
      const isWithin = x.every((key) => y.includes(key));
      expect(a.isWithin(b)).toBe(isWithin);
      expect(a.equals(b)).toBe(isWithin && x.length === y.length);
      for (const one of [...first, ...second]) expect(a.has(one)).toBe(x.includes(keyOf(one)));
      expect(a.has([])).toBe(false);
    }),
    { numRuns: 100 },
  );
});

it('an operation that changes nothing gives back the set itself: most entries of an object stay as they are', () => {
  fc.assert(
    fc.property(paths, paths, (first, second) => {
      const a = FieldSet.of(...first);
      const all = a.union(FieldSet.of(...second));
      expect(all.union(a)).toBe(all);
      expect(all.union(FieldSet.EMPTY)).toBe(all);
      expect(FieldSet.EMPTY.union(all)).toBe(all);
      expect(all.intersection(all)).toBe(all);
      expect(all.difference(FieldSet.EMPTY)).toBe(all);
      expect(all.without(FieldSet.EMPTY)).toBe(all);
      expect(all.difference(all)).toBe(FieldSet.EMPTY);
      const other = FieldSet.of(['f:z']);
      expect([all.difference(other), all.without(other)]).toEqual([all, all]);
      expect(all.difference(other)).toBe(all);
      expect(all.without(other)).toBe(all);
      expect(all.print()).toBe(all.print());
    }),
  );
});

it('paths are those of a level first, in its order, then those below', () => {
  const set = FieldSet.of(['f:b', 'f:c'], ['v:"x"'], ['f:b'], ['f:a', 'f:d', 'f:e'], ['k:{"n":"1"}'], ['f:a']);
  expect(set.paths()).toEqual([['f:a'], ['f:b'], ['k:{"n":"1"}'], ['v:"x"'], ['f:a', 'f:d', 'f:e'], ['f:b', 'f:c']]);
  expect(set.sortedElements()).toEqual(['f:a', 'f:b', 'k:{"n":"1"}', 'v:"x"']);
});
