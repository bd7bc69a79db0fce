import { describe, expect, it } from 'vitest';
import type { ApplyField, ApplyType } from './apply-type.ts';
import { mergeUnowned } from './merge-unowned.ts';

const TEXT: ApplyType = { scalar: 'string', list: undefined, map: undefined };

function struct(fields: Readonly<Record<string, ApplyType>>, isAtomic = false): ApplyType {
  const known = new Map<string, ApplyField>(
    Object.entries(fields).map(([name, type]) => [name, { type, default: undefined }]),
  );
  return { scalar: undefined, list: undefined, map: { isAtomic, fields: known, element: undefined, isDeduced: false } };
}

function mapOf(element: ApplyType): ApplyType {
  return { scalar: undefined, list: undefined, map: { isAtomic: false, fields: new Map(), element, isDeduced: false } };
}

function list(item: ApplyType, keys: readonly string[], isAtomic = false): ApplyType {
  return { scalar: undefined, list: { isAtomic, item, keys }, map: undefined };
}

const TYPE = struct({
  labels: mapOf(TEXT),
  items: list(struct({ name: TEXT, image: TEXT, command: list(TEXT, [], true) }), ['name']),
  tags: list(TEXT, []),
  selector: struct({ a: TEXT }, true),
});

describe('an object that is merged into another', () => {
  it('sets scalars, merges maps and lists with keys, and unites sets', () => {
    const object = { labels: { a: 'b' }, items: [{ name: 'c', image: 'i' }], tags: ['x'] };
    const config = { labels: { c: 'd' }, items: [{ name: 'c', image: 'j' }, { name: 'e' }], tags: ['y', 'x'] };
    expect(mergeUnowned(object, config, TYPE)).toEqual({
      object: { labels: { a: 'b', c: 'd' }, items: [{ name: 'c', image: 'j' }, { name: 'e' }], tags: ['y', 'x'] },
    });
  });

  it('gives back the object itself when nothing changes', () => {
    const object = { labels: { a: 'b' } };
    const merged = mergeUnowned(object, { labels: { a: 'b' } }, TYPE);
    expect('object' in merged && merged.object).toBe(object);
  });

  it.each([
    ['a field that the schema does not have', { nope: 1 }, '.nope: field not declared in schema'],
    [
      'a value of another type',
      { labels: { x: 1 } },
      '.labels.x: expected string, got &value.valueUnstructured{Value:1}',
    ],
  ])('refuses %s', (_, config, problem) => {
    expect(mergeUnowned({}, config, TYPE)).toEqual({
      problem: `failed to convert patch object to typed object: ${problem}`,
    });
  });

  it('refuses all that is owned as a whole', () => {
    const config = { items: [{ name: 'c', command: ['ls'] }], selector: { a: 'b' } };
    const prefix = 'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ';
    expect(mergeUnowned({}, config, TYPE)).toEqual({ problem: `${prefix}.items[0].command, .selector` });
  });
});
