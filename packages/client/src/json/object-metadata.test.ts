import { describe, expect, it } from 'vitest';
import { isObjectMeta, requireListMeta, requireObjectMeta } from './object-metadata.ts';

const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

describe('the metadata of an object', () => {
  it('that is what its type says is taken as it is', () => {
    const metadata = {
      name: 'a',
      namespace: 'n',
      uid: 'u',
      resourceVersion: '1',
      generation: 2,
      labels: { l: 'v' },
      annotations: {},
      ownerReferences: [OWNER],
      finalizers: ['f'],
      managedFields: [{ manager: 'm' }],
    };
    expect(isObjectMeta(metadata)).toBe(true);
    expect(() => requireObjectMeta(metadata)).not.toThrow();
  });

  it.each([
    [{ name: 7 }, 'metadata.name is a number, not a string'],
    [{ name: 'a', resourceVersion: 7 }, 'metadata.resourceVersion is a number, not a string'],
    [{ name: 'a', generation: '7' }, 'metadata.generation is a string, not a number'],
    [{ name: 'a', labels: [] }, 'metadata.labels is an array, not an object'],
    [{ name: 'a', labels: { l: null } }, 'metadata.labels["l"] is null, not a string'],
    [{ name: 'a', finalizers: ['f', {}] }, 'metadata.finalizers[1] is an object, not a string'],
    [{ name: 'a', ownerReferences: [null] }, 'metadata.ownerReferences[0] is null, not an object'],
    [
      { name: 'a', ownerReferences: [OWNER, { ...OWNER, uid: 7 }] },
      'metadata.ownerReferences[1].uid is a number, not a string',
    ],
    [{ name: 'a', managedFields: {} }, 'metadata.managedFields is an object, not an array'],
    [{}, 'not an object with metadata and a name'],
    [[], 'not an object with metadata and a name'],
  ])('%j is refused: %s', (metadata, message) => {
    expect(isObjectMeta(metadata)).toBe(false);
    expect(() => requireObjectMeta(metadata)).toThrow(new TypeError(message));
  });

  it('with nulls loses them, so that deletionTimestamp: null does not look like a deletion', () => {
    const metadata = { name: 'a', deletionTimestamp: null, labels: null, creationTimestamp: null };
    expect(isObjectMeta(metadata)).toBe(false);
    requireObjectMeta(metadata);
    expect(metadata).toStrictEqual({ name: 'a' });
  });
});

describe('the metadata of a list', () => {
  it.each([{ resourceVersion: 7 }, { continue: 7 }, { remainingItemCount: '7' }, 'x', []])(
    '%j is refused',
    (metadata) => {
      expect(() => requireListMeta(metadata)).toThrow(TypeError);
    },
  );

  it('with nulls is that of a list without these fields', () => {
    const metadata = { resourceVersion: '7', continue: null };
    requireListMeta(metadata);
    expect(metadata).toStrictEqual({ resourceVersion: '7' });
  });
});
