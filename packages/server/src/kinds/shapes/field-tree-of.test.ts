import { describe, expect, it } from 'vitest';
import { createRegistry } from '../resource-registry.ts';
import { fieldTreeOf } from './field-tree-of.ts';
import { list, map, struct } from './shape.ts';

describe('fieldTreeOf', () => {
  it('names fields, looks into objects and lists of objects, and leaves maps alone', () => {
    const inner = struct('Inner', { name: 'string' });
    const shape = struct('Thing', { one: inner, many: list(inner), words: list('string'), free: map('string') });
    expect(fieldTreeOf(shape)).toEqual({ one: { name: true }, many: [{ name: true }], words: true, free: true });
  });

  it.each([...createRegistry()].map((definition) => [definition.resource.kind, definition] as const))(
    'knows the metadata of %s',
    (_, { fieldTree }) => {
      expect(fieldTree).toMatchObject({
        kind: true,
        apiVersion: true,
        metadata: { labels: true, ownerReferences: [{ uid: true }], managedFields: [{ fieldsV1: true }] },
      });
    },
  );
});
