import { type Arbitrary, array, assert, constantFrom, dictionary, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SchemaSet } from '../schema-set.ts';
import { THING, Written } from './apply.fixture.ts';
import { ApplyTypes } from './apply-types.ts';
import { FieldSet, type ManagedFieldPath } from './fields/field-set.ts';
import { readFields } from './fields/fields-v1.ts';
import { compareTyped } from './typed/compare-typed.ts';
import { fieldSetOf } from './typed/field-set-of.ts';
import { mergeTyped } from './typed/merge-typed.ts';
import { removeFields } from './typed/remove-fields.ts';

const type = new ApplyTypes(new SchemaSet()).type(THING);
const text = constantFrom('a', 'b', 'c', '<&>');
const texts = dictionary(text, text, { maxKeys: 3 });
const number = integer({ min: 0, max: 2 });
const optional = { requiredKeys: [] };
const byKey = <T extends { readonly k: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.k, item])).values(),
];

const specs: Arbitrary<object> = record(
  {
    gmap: texts,
    amap: texts,
    gstruct: record({ a: number, b: number }, optional),
    alist: array(text, { maxLength: 3 }),
    set: array(text, { maxLength: 3 }).map((items) => [...new Set(items)]),
    ml: array(record({ k: text, v: number, w: number }, { requiredKeys: ['k'] }), { maxLength: 3 }).map(byKey),
    nest: dictionary(text, record({ a: number }, optional), { maxKeys: 2 }),
    free: dictionary(text, constantFrom<unknown>(1, 'x', [1], { x: 1 }, {}), { maxKeys: 2 }),
    replicas: number,
  },
  optional,
);
const objects = specs.map((spec) => ({ apiVersion: 'x.io/v1', kind: 'Thing', spec }));
const sets = objects.map((object) => fieldSetOf(object, type));

function valueAt(value: unknown, path: ManagedFieldPath): unknown {
  return path.reduce(
    (at: unknown, element) => Object.entries(at ?? {}).find(([name]) => `f:${name}` === element)?.[1],
    value,
  );
}

describe('sets of fields', () => {
  it('are read as they are printed', () => {
    assert(
      property(sets, (set) => {
        expect(readFields(JSON.parse(JSON.stringify(set.print())))?.equals(set)).toBe(true);
      }),
    );
  });

  it('obey the laws of sets', () => {
    assert(
      property(sets, sets, sets, (a, b, c) => {
        expect(a.union(b).equals(b.union(a))).toBe(true);
        expect(
          a
            .union(b)
            .union(c)
            .equals(FieldSet.union([a, b, c])),
        ).toBe(true);
        expect(a.intersection(b).equals(b.intersection(a))).toBe(true);
        expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
        expect(a.difference(b).intersection(b).isEmpty).toBe(true);
        expect(a.isWithin(a.union(b))).toBe(true);
        expect(a.union(b).equals(FieldSet.of(...a.paths(), ...b.paths()))).toBe(true);
        expect(a.without(a).isEmpty).toBe(true);
        for (const path of a.paths()) expect(a.difference(b).has(path)).toBe(!b.has(path));
      }),
    );
  });
});

describe('typed values', () => {
  it('differ in nothing from themselves, and in reverse the other way round', () => {
    assert(
      property(objects, objects, (left, right) => {
        const there = compareTyped(left, right, type);
        const back = compareTyped(right, left, type);
        expect(there.added.equals(back.removed)).toBe(true);
        expect(there.modified.equals(back.modified)).toBe(true);
        const same = compareTyped(left, structuredClone(left), type);
        expect(same.added.isEmpty && same.removed.isEmpty && same.modified.isEmpty).toBe(true);
      }),
    );
  });

  it('have all fields of what was merged into them, and merge again without a change', () => {
    assert(
      property(objects, objects, (live, config) => {
        const merged = mergeTyped(live, config, type);
        expect(mergeTyped(merged, config, type)).toBe(merged);
        // An empty map that was applied over one with members is a field of the configuration, but not of the result.
        const lost = fieldSetOf(config, type).difference(fieldSetOf(merged, type)).paths();
        for (const path of lost) expect(valueAt(config, path)).toEqual({});
        expect(mergeTyped(live, structuredClone(live), type)).toBe(live);
      }),
    );
  });

  it('keep their value when nothing of them is removed', () => {
    assert(
      property(objects, (object) => {
        expect(removeFields(object, FieldSet.EMPTY, type)).toBe(object);
      }),
    );
  });
});

describe('appliers', () => {
  it('change nothing when they apply the same again, and leave nothing when they drop all', () => {
    assert(
      property(specs, specs, (one, other) => {
        const written = new Written();
        written.spec('A', one, true);
        written.spec('B', other, true);
        const before = written.object;
        expect(written.spec('B', other)).toMatchObject({ outcome: 'applied', isChanged: false });
        expect(written.object).toEqual(before);
        written.apply('A', {});
        written.apply('B', {});
        expect(written.entries).toEqual([]);
      }),
    );
  });
});
