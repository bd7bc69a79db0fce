import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareResourceVersions, parseResourceVersion, resourceVersionOf, revisionOf } from './resource-version.ts';

const revisions = fc.oneof(fc.bigInt({ min: 1n, max: 200n }), fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }));

test('versions are ordered like their revisions', () => {
  fc.assert(
    fc.property(revisions, revisions, (left, right) => {
      const order = left < right ? -1 : left > right ? 1 : 0;
      expect(compareResourceVersions(resourceVersionOf(left), resourceVersionOf(right))).toBe(order);
    }),
  );
});

test('a revision survives the way through its version', () => {
  fc.assert(
    fc.property(revisions, (revision) => {
      expect(revisionOf(resourceVersionOf(revision))).toBe(revision);
      expect(parseResourceVersion(resourceVersionOf(revision))).toBe(revision);
    }),
  );
});
