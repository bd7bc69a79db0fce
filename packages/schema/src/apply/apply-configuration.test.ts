import { describe, expect, it } from 'vitest';
import { conflictOf, THING, Written } from './apply.fixture.ts';

const ONE = 'Apply failed with 1 conflict: conflict with';

it('an apply that changes nothing gives back the object itself, in whatever order its configuration is', () => {
  const written = new Written();
  written.update('U', {
    metadata: { name: 't', labels: { b: '2', a: '1' } },
    spec: { replicas: 1, gmap: { b: '2', a: '1' } },
  });
  const before = JSON.stringify(written.object['spec']);
  const result = written.apply('A', { spec: { gmap: { a: '1', b: '2' }, replicas: 1 } });
  if (result.outcome !== 'applied') return expect.unreachable();
  expect(result.isChanged).toBe(false);
  expect(JSON.stringify(result.object['spec'])).toBe(before);
  expect(written.owned('A')).toEqual({ 'f:spec': { 'f:gmap': { 'f:a': {}, 'f:b': {} }, 'f:replicas': {} } });
});

describe('granular maps and structs', () => {
  it('merges what two appliers set, and each owns its own', () => {
    const written = new Written();
    written.spec('A', { gmap: { a: '1' } });
    written.spec('B', { gmap: { b: '2' } });
    expect(written.object['spec']).toEqual({ gmap: { a: '1', b: '2' } });
    expect(written.owned('A')).toEqual({ 'f:spec': { 'f:gmap': { 'f:a': {} } } });
    expect(conflictOf(written.spec('B', { gmap: { a: '2' } }))).toBe(`${ONE} "A": .spec.gmap.a`);
  });

  it('removes what its only applier drops, up to the empty container', () => {
    const written = new Written();
    written.spec('A', { gmap: { a: '1' } });
    written.spec('A', { gmap: {} });
    expect(written.owned('A')).toEqual({ 'f:spec': { 'f:gmap': {} } });
    written.spec('A', {});
    expect(written.owned('A')).toEqual({ 'f:spec': {} });
  });

  it('keeps a field of a struct that somebody else has written', () => {
    const written = new Written();
    written.spec('A', { gstruct: { a: 1 } });
    written.updateSpec('U', { gstruct: { a: 1, b: 2 } });
    written.spec('A', {});
    expect(written.object['spec']).toEqual({ gstruct: { b: 2 } });
  });

  it('removes an entry of a map with a child that another manager owns without owning the entry', () => {
    const written = new Written();
    written.spec('A', { nest: { q: {}, r: { a: 1 } } });
    written.updateSpec('U', { nest: { q: { a: 2 }, r: { a: 1 } } });
    written.spec('A', { nest: { r: { a: 1 } } });
    expect(written.object['spec']).toEqual({ nest: { r: { a: 1 } } });
  });

  it('leaves null where the last entry of a container was removed', () => {
    const written = new Written();
    written.spec('A', { nest: { q: {} } });
    written.spec('A', { nest: {} });
    expect(written.object['spec']).toEqual({ nest: null });
  });

  it('does not change a container for null or an empty value, but owns it', () => {
    const written = new Written();
    written.spec('A', { gmap: { a: '1' } });
    written.spec('B', { gmap: null });
    expect(written.object['spec']).toEqual({ gmap: { a: '1' } });
    expect(written.owned('B')).toEqual({ 'f:spec': { 'f:gmap': {} } });
  });
});

describe('values that are owned as a whole', () => {
  it.each([
    ['amap', { x: '1' }, { y: '1' }],
    ['astruct', { a: 1 }, { b: 1 }],
    ['alist', ['x'], ['y']],
  ])('%s: another value conflicts, is taken by force, and an equal one is shared', (name, one, other) => {
    const written = new Written();
    written.spec('A', { [name]: one });
    expect(conflictOf(written.spec('B', { [name]: other }))).toBe(`${ONE} "A": .spec.${name}`);
    written.spec('B', { [name]: other }, true);
    expect(written.object['spec']).toEqual({ [name]: other });
    expect(written.entries.map(({ manager }) => manager)).toEqual(['B']);
    written.spec('A', { [name]: other });
    expect(written.entries.map(({ manager }) => manager)).toEqual(['A', 'B']);
    written.spec('A', {});
    expect(written.object['spec'], 'the other owner keeps it').toEqual({ [name]: other });
  });

  it('claims an empty atomic list and an empty map, but not an empty set', () => {
    const written = new Written();
    written.spec('A', { alist: [], gmap: {}, set: [] });
    expect(written.owned('A')).toEqual({ 'f:spec': { 'f:alist': {}, 'f:gmap': {} } });
  });
});

describe('sets', () => {
  it('unites values and removes those that only their applier owned', () => {
    const written = new Written();
    written.spec('A', { set: ['a', 'b'] });
    written.spec('B', { set: ['b', 'c'] });
    expect(written.object['spec']).toEqual({ set: ['a', 'b', 'c'] });
    written.spec('A', { set: ['b'] });
    expect(written.object['spec']).toEqual({ set: ['b', 'c'] });
    expect(written.owned('A')).toEqual({ 'f:spec': { 'f:set': { 'v:"b"': {} } } });
    written.apply('A', {});
    expect(written.object['spec']).toEqual({ set: ['b', 'c'] });
    written.apply('B', {});
    expect(written.object, 'nothing of the spec is owned any more').not.toHaveProperty('spec');
  });

  it('takes 1 and 1.0 for one number', () => {
    const written = new Written();
    expect(() => written.spec('A', { numbers: [1, 1.0] })).toThrow('.spec.numbers: duplicate entries for key [=1]');
  });
});

describe('lists with keys', () => {
  it('keeps an item while another manager owns it, and drops what nobody owns of it', () => {
    const written = new Written();
    written.spec('A', {
      ml: [
        { k: 'a', v: 1 },
        { k: 'b', v: 1 },
      ],
    });
    written.spec('B', { ml: [{ k: 'b', w: 2 }, { k: 'c' }] });
    written.spec('A', { ml: [{ k: 'a', v: 1 }] });
    expect(written.object['spec']).toEqual({ ml: [{ k: 'a', v: 1 }, { k: 'b', w: 2 }, { k: 'c' }] });
    expect(written.owned('B')).toMatchObject({
      'f:spec': { 'f:ml': { 'k:{"k":"b"}': { '.': {}, 'f:k': {}, 'f:w': {} } } },
    });
  });

  it('removes the item of the old key when a key changes', () => {
    const written = new Written();
    written.spec('A', { ml: [{ k: 'a' }] });
    written.spec('A', { ml: [{ k: 'a2' }] });
    expect(written.object['spec']).toEqual({ ml: [{ k: 'a2' }] });
  });

  it('fills a default into a key without owning the field', () => {
    const written = new Written();
    written.spec('A', { ml2: [{ k: 'a' }, { k: 'a', p: 'UDP' }] });
    expect(written.owned('A')).toEqual({
      'f:spec': {
        'f:ml2': {
          'k:{"k":"a","p":"TCP"}': { '.': {}, 'f:k': {} },
          'k:{"k":"a","p":"UDP"}': { '.': {}, 'f:k': {}, 'f:p': {} },
        },
      },
    });
    written.spec('B', { ml2: [{ k: 'a', p: 'TCP', v: 'q' }] });
    expect(written.object['spec']).toEqual({
      ml2: [
        { k: 'a', p: 'TCP', v: 'q' },
        { k: 'a', p: 'UDP' },
      ],
    });
    expect(() => written.spec('C', { ml2: [{ k: 'a' }, { k: 'a', p: 'TCP' }] })).toThrow(
      '.spec.ml2: duplicate entries for key [k="a",p="TCP"]',
    );
  });

  it('keeps duplicates of the stored list until one is applied', () => {
    const written = new Written();
    written.updateSpec('U', { ml: [{ k: 'e', v: 1 }, { k: 'e', v: 2 }, { k: 'f' }] });
    expect(written.owned('U', 'Update')).toMatchObject({ 'f:spec': { 'f:ml': { 'k:{"k":"e"}': {} } } });
    written.spec('A', { ml: [{ k: 'g' }] });
    expect(written.object['spec']).toEqual({
      ml: [{ k: 'e', v: 1 }, { k: 'e', v: 2 }, { k: 'f' }, { k: 'g' }],
    });
    written.spec('A', { ml: [{ k: 'e', v: 7 }] }, true);
    expect(written.object['spec']).toEqual({ ml: [{ k: 'e', v: 7 }, { k: 'f' }] });
  });

  // [stored, applied, merged]
  it.each([
    ['abcd', 'cxa', 'bcdxa'],
    ['abc', 'abc', 'abc'],
    ['abc', 'cba', 'cba'],
    ['abc', 'b', 'abc'],
    ['abc', 'x', 'abcx'],
    ['abc', 'xa', 'xabc'],
    ['abc', 'xc', 'abxc'],
    ['', 'ba', 'ba'],
    ['abcde', 'eb', 'acdeb'],
    ['ab', 'bxa', 'bxa'],
    ['abc', 'bc', 'abc'],
    ['abcd', 'dacb', 'dacb'],
  ])('merges the order of %s and %s to %s', (stored, applied, merged) => {
    const written = new Written();
    written.updateSpec('U', { set: stored.split('') });
    written.spec('A', { set: applied.split('') });
    expect(written.object['spec']).toEqual({ set: merged.split('') });
  });
});

describe('values without a type', () => {
  it('owns objects member by member and lists as a whole', () => {
    const written = new Written();
    written.spec('A', { free: { l: [1], m: { x: 1 } } });
    expect(written.owned('A')).toEqual({
      'f:spec': { 'f:free': { 'f:l': {}, 'f:m': { '.': {}, 'f:x': {} } } },
    });
    expect(conflictOf(written.spec('B', { free: { l: [2] } }))).toBe(`${ONE} "A": .spec.free.l`);
  });

  it('compares quantities as text and numbers by value', () => {
    const written = new Written();
    written.spec('A', { size: '1', port: 1, replicas: 1 });
    expect(conflictOf(written.spec('B', { size: '1000m' }))).toBe(`${ONE} "A": .spec.size`);
    expect(conflictOf(written.spec('B', { port: '1' }))).toBe(`${ONE} "A": .spec.port`);
    expect(written.spec('B', { replicas: 1.0 }).outcome).toBe('applied');
  });
});

describe('conflicts', () => {
  it('names every manager, its fields in order, and all causes', () => {
    const written = new Written();
    written.spec('m2', { gmap: { a: '1' }, ml: [{ k: 'x', v: 1 }] });
    written.apply('m4', { metadata: { name: 't', labels: { a: 'b' } }, spec: { gmap: { a: '1' } } });
    const result = written.apply('m5', {
      metadata: { name: 't', labels: { a: 'c' } },
      spec: { gmap: { a: '2' }, ml: [{ k: 'x', v: 2 }] },
    });
    expect(result).toEqual({
      outcome: 'conflict',
      message: [
        'Apply failed with 4 conflicts: conflicts with "m2":',
        '- .spec.gmap.a',
        '- .spec.ml[k="x"].v',
        'conflicts with "m4":',
        '- .metadata.labels.a',
        '- .spec.gmap.a',
      ].join('\n'),
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "m2"', field: '.spec.gmap.a' },
        { reason: 'FieldManagerConflict', message: 'conflict with "m2"', field: '.spec.ml[k="x"].v' },
        { reason: 'FieldManagerConflict', message: 'conflict with "m4"', field: '.metadata.labels.a' },
        { reason: 'FieldManagerConflict', message: 'conflict with "m4"', field: '.spec.gmap.a' },
      ],
    });
  });

  it('names the version of an update, and the subresource', () => {
    const written = new Written();
    written.updateSpec('m1', { replicas: 1 });
    expect(conflictOf(written.spec('m1', { replicas: 2 }))).toBe(`${ONE} "m1" using x.io/v1: .spec.replicas`);
    const status = written.at({ subresource: 'status', reset: ['spec', 'metadata'] });
    status.apply('ctl', { spec: { replicas: 9 }, status: { replicas: 4 } });
    expect(status.owned('ctl')).toEqual({ 'f:status': { 'f:replicas': {} } });
    expect(conflictOf(status.apply('ctl2', { status: { replicas: 5 } }))).toBe(
      `${ONE} "ctl" with subresource "status": .status.replicas`,
    );
  });

  it('takes fields by force from appliers and updaters', () => {
    const written = new Written();
    written.updateSpec('U', { replicas: 1, gmap: { a: '1' } });
    written.spec('A', { replicas: 2 }, true);
    expect(written.owned('U', 'Update')).toEqual({ 'f:spec': { '.': {}, 'f:gmap': { '.': {}, 'f:a': {} } } });
  });
});

describe('objects that do not fit', () => {
  const prefix = 'failed to create typed patch object (/t; x.io/v1, Kind=Thing): ';

  it.each<[unknown, string]>([
    [{ foo: 1 }, '.spec.foo: field not declared in schema'],
    [{ gmap: { a: 1 } }, '.spec.gmap.a: expected string, got &value.valueUnstructured{Value:1}'],
    [
      { gmap: { a: { b: [true, 1.5, null, 'x'] } } },
      '.spec.gmap.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{true, 1.5, interface {}(nil), "x"}}}',
    ],
    [{ replicas: 'x' }, '.spec.replicas: expected numeric (int or float), got string'],
    [{ flag: 'x' }, '.spec.flag: expected boolean, got &{x}'],
    [{ gmap: 'x' }, '.spec.gmap: expected map, got &{x}'],
    [{ set: { a: 1 } }, '.spec.set: expected list, got &{map[a:1]}'],
    [{ size: [1] }, '.spec.size: expected any scalar, got &{[1]}'],
    [{ alist: ['x', 1] }, '.spec.alist[1]: expected string, got &value.valueUnstructured{Value:1}'],
    [{ ml: [{ k: 'x' }, { k: 'x' }] }, '.spec.ml: duplicate entries for key [k="x"]'],
    [{ set: ['b', 'b'] }, '.spec.set: duplicate entries for key [="b"]'],
    [{ ml: [null] }, '.spec.ml: element 0: associative list with keys may not have a null element'],
    [{ ml: ['x'] }, '.spec.ml: element 0: associative list with keys may not have non-map elements'],
    [
      { ml: [{ v: 1 }] },
      '.spec.ml: element 0: associative list with keys has an element that omits all key fields ["k"] (and doesn\'t have default values for any key fields)',
    ],
    [
      { gmap: { a: 1, b: 2 } },
      'errors:\n  .spec.gmap.a: expected string, got &value.valueUnstructured{Value:1}\n  .spec.gmap.b: expected string, got &value.valueUnstructured{Value:2}',
    ],
  ])('%j', (spec, message) => {
    const written = new Written();
    expect(() => written.spec('A', spec)).toThrow(
      expect.objectContaining({ code: 'CONFIG_MISMATCH', message: `${prefix}${message}` }),
    );
  });

  it('refuses to apply to an object that does not fit its schema, and clears the owners of an update', () => {
    const written = new Written();
    written.spec('A', { replicas: 1 });
    const { spec: _, ...fields } = THING.fields;
    const later = written.at({ schema: { fields } });
    expect(() => later.apply('B', {})).toThrow(
      expect.objectContaining({
        code: 'OBJECT_MISMATCH',
        message: 'failed to create typed live object (/t; x.io/v1, Kind=Thing): .spec: field not declared in schema',
      }),
    );
    later.update('U', {});
    expect(later.entries).toEqual([]);
    expect(later.problems).toHaveLength(1);
  });

  it('refuses an object whose managedFields cannot be read', () => {
    const written = new Written();
    written.live = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { managedFields: [{ operation: 'x' }] } };
    expect(() => written.spec('A', {})).toThrow(
      expect.objectContaining({
        code: 'BAD_MANAGED_FIELDS',
        message: 'failed to decode managed fields: operation must be `Apply` or `Update`',
      }),
    );
  });

  it('says no more of a value with many mistakes than anybody reads', () => {
    const gmap = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]));
    let message = '';
    try {
      new Written().spec('A', { gmap });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('.spec.gmap.k1: expected string');
    expect(message.length).toBeLessThan(20_000);
  });
});

describe('versions', () => {
  it('moves an applier to the version it applies in and prunes what it applied before', () => {
    const written = new Written();
    written.spec('A', { replicas: 1, flag: true });
    const later = written.at({ apiVersion: 'x.io/v2' });
    later.spec('A', { replicas: 1 });
    expect(later.object['spec']).toEqual({ replicas: 1 });
    expect(later.entries.map(({ apiVersion }) => apiVersion)).toEqual(['x.io/v2']);
  });

  it('drops entries of unknown versions', () => {
    const written = new Written();
    written.spec('A', { replicas: 1 });
    const entries = written.entries.map((entry) => ({ ...entry, apiVersion: 'x.io/v0' }));
    written.live = { ...written.live, metadata: { uid: 'u', managedFields: entries } };
    written.spec('B', { flag: true });
    expect(written.entries.map(({ manager }) => manager)).toEqual(['B']);
  });

  it('owns a field as a whole after its schema became atomic', () => {
    const written = new Written();
    written.spec('A', { gmap: { a: '1' } });
    const { spec } = THING.fields;
    if (spec === undefined || !('fields' in spec)) throw new Error('no spec');
    const gmap = { map: 'string', mapType: 'atomic' } as const;
    const later = written.at({
      schema: { fields: { ...THING.fields, spec: { ...spec, fields: { ...spec.fields, gmap } } } },
    });
    later.spec('B', { replicas: 1 });
    expect(later.owned('A')).toEqual({ 'f:spec': { 'f:gmap': {} } });
  });
});
