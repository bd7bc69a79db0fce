import { describe, expect, it } from 'vitest';
import { convertedMetadata } from './converted-metadata.ts';

const ORIGINAL = { name: 'w', uid: 'u', labels: { a: 'b' }, annotations: { x: 'y' } };

describe('the metadata of a converted object', () => {
  it('is its own, with the labels and annotations of the webhook', () => {
    const converted = { name: 'other', finalizers: ['f'], labels: { c: 'd' } };
    expect(convertedMetadata(ORIGINAL, converted)).toEqual({ name: 'w', uid: 'u', labels: { c: 'd' } });
  });

  it.each([
    ['labels that are a list', { labels: ['a'] }, 'invalid metadata.labels of type []interface {} in converted object'],
    [
      'a label that is no text',
      { labels: { a: 1 } },
      'metadata.labels[a] must be a string, but is int64 in converted object',
    ],
    [
      'a label that is null',
      { labels: { a: null } },
      'metadata.labels[a] must be a string, but is <nil> in converted object',
    ],
    [
      'annotations that are a text',
      { annotations: 'x' },
      'invalid metadata.annotations of type string in converted object',
    ],
    [
      'a label with a wrong name',
      { labels: { '-a': 'b' } },
      'metadata.labels: Invalid value: "-a": name part must consist of alphanumeric characters',
    ],
    ['an annotation with a wrong name', { annotations: { 'a b': '' } }, 'metadata.annotation: Invalid value: "a b"'],
    ['annotations that are too long', { annotations: { a: 'x'.repeat(300_000) } }, 'metadata.annotation: Too long'],
    ['two labels with wrong values', { labels: { a: '-', b: '.' } }, '[metadata.labels: Invalid value: "-": '],
  ])('may not have %s', (_, converted, message) => {
    expect(() => convertedMetadata(ORIGINAL, converted)).toThrow(message);
  });

  it('keeps labels that the object had before, whatever they are', () => {
    const labels = { '-a': 'b' };
    expect(convertedMetadata({ name: 'w', labels }, { labels })).toEqual({ name: 'w', labels });
  });
});
