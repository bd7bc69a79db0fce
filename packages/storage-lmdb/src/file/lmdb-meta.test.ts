import { expect, it } from 'vitest';
import { readTree } from './lmdb-meta.ts';

/** A tree of one page with one entry. */
function tree(): Buffer {
  const bytes = Buffer.alloc(48);
  bytes.writeUInt16LE(1, 6);
  for (const field of [8, 16, 24, 32, 40]) bytes.writeBigUInt64LE(1n, field);
  return bytes;
}

it('a tree is read when all of its counts can be', () => {
  expect(readTree(tree(), 0)).toMatchObject({
    depth: 1,
    branchPages: 1,
    leafPages: 1,
    overflowPages: 1,
    entries: 1,
    root: 1,
  });
});

it.each([8, 16, 24, 32, 40])('a tree with a number that no file can have, at %i, is damaged', (field) => {
  const bytes = tree();
  bytes.writeBigUInt64LE(2n ** 60n, field);
  expect(readTree(bytes, 0)).toBeUndefined();
});
