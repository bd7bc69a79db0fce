import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergePatch, mergePatched } from './merge-patch.ts';

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.string({ maxLength: 3 }),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), tie('value'), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value, { maxKeys: 4 });

it('a patch leads from one object to the other', () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = mergePatch(before, after);
      if (patch === undefined) expect(JSON.stringify(sorted(before))).toBe(JSON.stringify(sorted(after)));
      else expect(sorted(mergePatched(before, patch))).toEqual(sorted(after));
    }),
    { numRuns: 1000 },
  );
});

it('a patch has only what differs, so that numbers which JavaScript cannot hold stay as the server has them', () => {
  const big = Number('9007199254740993');
  const before = { spec: { big, replicas: 1 }, metadata: { labels: { a: 'b', c: 'd' } } };
  const after = { spec: { big, replicas: 2 }, metadata: { labels: { a: 'b' } } };
  expect(mergePatch(before, after)).toEqual({ spec: { replicas: 2 }, metadata: { labels: { c: null } } });
});

/** Own members in one order, `__proto__` included. */
function sorted(part: unknown): unknown {
  if (Array.isArray(part) || typeof part !== 'object' || part === null) return part;
  return Object.entries(part)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
