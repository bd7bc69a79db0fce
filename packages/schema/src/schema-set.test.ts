import { describe, expect, test } from 'vitest';
import type { SchemaPackage } from './schema.ts';
import { SchemaSet } from './schema-set.ts';

const META: SchemaPackage = {
  name: 'meta/v1',
  imports: [],
  types: {
    LabelSelector: { fields: { matchLabels: { map: 'string', number: 1 } }, mapType: 'atomic' },
    ObjectMeta: { fields: { name: { type: 'string', number: 1 } } },
  },
};

const CORE: SchemaPackage = {
  name: 'core/v1',
  imports: ['meta/v1'],
  types: {
    Protocol: { type: 'string', enum: ['TCP', 'UDP'] },
    Nick: { type: 'core/v1.Protocol' },
    ResourceList: { map: 'quantity' },
    Container: {
      fields: {
        name: { type: 'string', required: true, number: 1 },
        protocol: { type: 'core/v1.Protocol', default: 'TCP', number: 2 },
        limits: { type: 'core/v1.ResourceList', mapType: 'atomic', number: 3 },
        selector: { type: 'meta/v1.LabelSelector', pointer: true, number: 4 },
        inner: { type: 'core/v1.Container', pointer: true, number: 5 },
        extra: { type: 'rawExtension', number: 6 },
      },
    },
    Pod: {
      fields: {
        metadata: { type: 'meta/v1.ObjectMeta', number: 1 },
        containers: { list: 'core/v1.Container', listType: 'map', keys: ['name'], number: 2 },
      },
    },
  },
};

const set = new SchemaSet([CORE, META]);

describe('names', () => {
  test('a scalar stands for itself', () => {
    expect(set.resolve('string')).toEqual({ type: 'string' });
  });

  test('a name leads to what it says, through other names', () => {
    expect(set.resolve('core/v1.Nick')).toEqual({ type: 'string', enum: ['TCP', 'UDP'] });
    expect(set.resolve('core/v1.ResourceList')).toEqual({ map: 'quantity' });
  });

  test('the rules of a field win over those of its type', () => {
    expect(set.resolve({ type: 'core/v1.ResourceList', mapType: 'atomic' })).toEqual({
      map: 'quantity',
      mapType: 'atomic',
    });
    expect(set.resolve({ type: 'meta/v1.LabelSelector', mapType: 'granular' })).toMatchObject({ mapType: 'granular' });
    expect(set.resolve('meta/v1.LabelSelector')).toMatchObject({ mapType: 'atomic' });
  });

  test('the same schema is resolved once', () => {
    const schema = { type: 'core/v1.Protocol', default: 'TCP' } as const;
    expect(set.resolve(schema)).toBe(set.resolve(schema));
  });

  test('an unknown name is an error that names it', () => {
    expect(() => set.resolve('core/v1.Nothing')).toThrow(new RangeError('there is no schema of core/v1.Nothing'));
    expect(set.has('core/v1.Nothing')).toBe(false);
  });

  test('a name that leads to itself is an error, not a loop', () => {
    const loop = new SchemaSet([{ name: 'a', imports: [], types: { A: { type: 'a.B' }, B: { type: 'a.A' } } }]);
    expect(() => loop.resolve('a.A')).toThrow('names itself');
  });
});

describe('packages', () => {
  test('a missing import is an error', () => {
    expect(() => new SchemaSet([CORE])).toThrow('meta/v1 is missing: core/v1 imports it');
  });

  test('can be added later, all or none', () => {
    const growing = new SchemaSet();
    expect(() => growing.add([CORE])).toThrow('meta/v1 is missing: core/v1 imports it');
    expect([growing.has('core/v1.Pod'), growing.hasPackage('core/v1')]).toEqual([false, false]);
    growing.add([META]);
    growing.add([CORE]);
    expect([growing.has('core/v1.Pod'), growing.hasPackage('core/v1')]).toEqual([true, true]);
    expect(() => growing.add([META])).toThrow('two packages of schemas are called meta/v1');
  });

  test('are found by the full names of their types', () => {
    expect(set.packageOf('core/v1.Pod')).toBe(CORE);
    expect([set.packageOf('core/v1.Nothing'), set.packageOf('Pod')]).toEqual([undefined, undefined]);
  });

  test('two packages of one name are an error', () => {
    expect(() => new SchemaSet([META, META])).toThrow('two packages of schemas are called meta/v1');
  });
});

describe('paths', () => {
  test.each([
    [[], { type: 'core/v1.Pod' }],
    [['metadata', 'name'], { type: 'string', number: 1 }],
    [['containers', 0], { type: 'core/v1.Container' }],
    [['containers', 7, 'protocol'], { type: 'core/v1.Protocol', default: 'TCP', number: 2 }],
    [['containers', 0, 'limits', 'cpu'], { type: 'quantity' }],
    [['containers', 0, 'inner', 'inner', 'name'], { type: 'string', required: true, number: 1 }],
    [['containers', 'name'], undefined],
    [['containers', 0, 'limits', 0], undefined],
    [['containers', 0, 'extra', 'anything'], undefined],
    [['nothing'], undefined],
    [['nothing', 'below'], undefined],
    [['constructor'], undefined],
    [['metadata', '__proto__'], undefined],
  ])('%j', (path, expected) => {
    expect(set.at('core/v1.Pod', path)).toEqual(expected);
  });
});
