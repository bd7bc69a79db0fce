import { describe, expect, it } from 'vitest';
import { conflictOf, Written } from './apply.fixture.ts';
import { areManagedFieldsReadable, isManagedFieldsReset, managedFieldsButTimes } from './managed-fields.ts';

const ENTRY = { manager: 'm', operation: 'Update', apiVersion: 'x.io/v1', fieldsType: 'FieldsV1' } as const;
const UNREADABLE = [
  { ...ENTRY, operation: 'Delete', fieldsV1: {} },
  { ...ENTRY, apiVersion: '', fieldsV1: {} },
  { ...ENTRY, fieldsType: 'FieldsV2', fieldsV1: {} },
  { ...ENTRY, fieldsV1: { nocolon: {} } },
  { ...ENTRY, fieldsV1: { 'f:a': 1 } },
  { ...ENTRY, fieldsV1: 'x' },
];

function created(): Written {
  const written = new Written();
  written.update('creator', { metadata: { name: 't', generation: 1, labels: { l: 'x' } }, spec: { gmap: { a: '1' } } });
  return written;
}

function writtenBy(count: number, apiVersion?: (index: number) => string): Written {
  let written = new Written();
  for (let index = 0; index < count; index += 1) {
    const version = apiVersion?.(index);
    if (version !== undefined) written = written.at({ apiVersion: version });
    written.now = index;
    const keys = Array.from({ length: index + 1 }, (_, key) => [`k${key}`, '1']);
    written.updateSpec(`m${String(index).padStart(2, '0')}`, { gmap: Object.fromEntries(keys) });
  }
  return written;
}

describe('trackUpdate', () => {
  it('gives new fields and containers to the creator, but no names and nothing that the server writes', () => {
    expect(created().owned('creator', 'Update')).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
      'f:spec': { '.': {}, 'f:gmap': { '.': {}, 'f:a': {} } },
    });
  });

  it('calls a manager without a name unknown', () => {
    const written = new Written();
    written.updateSpec('', { replicas: 1 });
    expect(written.entries.map(({ manager }) => manager)).toEqual(['unknown']);
  });

  it('takes changed fields from others, and removes removed ones from all', () => {
    const written = new Written();
    written.spec('A', { gmap: { a: '1', b: '1', c: '1' } });
    written.updateSpec('U', { gmap: { a: '2', c: '1' } });
    expect(written.owned('A')).toEqual({ 'f:spec': { 'f:gmap': { 'f:c': {} } } });
    expect(written.owned('U', 'Update')).toEqual({ 'f:spec': { 'f:gmap': { 'f:a': {} } } });
  });

  it('claims nothing for an equal object', () => {
    const written = created();
    const before = written.entries;
    written.now = 5;
    written.update('other', { metadata: { name: 't', labels: { l: 'x' } }, spec: { gmap: { a: '1' } } });
    expect(written.entries).toEqual(before);
  });

  it('takes an atomic field for any change inside, and none for another order of a list with keys', () => {
    const written = new Written();
    written.updateSpec('U', { amap: { x: '1', y: '1' }, alist: ['a', 'b'], ml: [{ k: 'a' }, { k: 'b' }] });
    written.updateSpec('V', { amap: { x: '2', y: '1' }, alist: ['b', 'a'], ml: [{ k: 'b' }, { k: 'a' }] });
    expect(written.owned('V', 'Update')).toEqual({ 'f:spec': { 'f:alist': {}, 'f:amap': {} } });
  });

  it('moves an item to the writer that changes its key', () => {
    const written = new Written();
    written.updateSpec('U', { ml: [{ k: 'a', v: 1 }] });
    written.updateSpec('V', { ml: [{ k: 'b', v: 1 }] });
    const item = { '.': {}, 'f:k': {}, 'f:v': {} };
    expect(written.owned('V', 'Update')).toEqual({ 'f:spec': { 'f:ml': { 'k:{"k":"b"}': item } } });
    expect(written.owned('U', 'Update')).toEqual({ 'f:spec': { '.': {}, 'f:ml': {} } });
  });

  it('keeps an update and an apply of one manager apart', () => {
    const written = new Written();
    written.updateSpec('m1', { replicas: 1 });
    written.spec('m1', { replicas: 1 });
    expect(written.entries.map(({ operation }) => operation)).toEqual(['Apply', 'Update']);
  });

  it('does not own what the endpoint does not write', () => {
    const written = new Written({ reset: ['status'] });
    written.update('U', { spec: { replicas: 1 }, status: { replicas: 1 } });
    expect(written.owned('U', 'Update')).toEqual({ 'f:spec': { '.': {}, 'f:replicas': {} } });
  });

  it('never throws: what it cannot compute is cleared, and reported', () => {
    const written = created();
    written.updateSpec('U', { undeclared: 1 });
    expect(written.entries).toEqual([]);
    expect(written.problems).toEqual([expect.objectContaining({ code: 'OBJECT_MISMATCH' })]);
  });
});

describe('times', () => {
  it('moves with values, not with owners', () => {
    const written = new Written();
    written.spec('A', { replicas: 1 });
    written.now = 1;
    written.spec('B', { replicas: 1 });
    expect(written.entries.map(({ manager, time }) => [manager, time])).toEqual([
      ['B', undefined],
      ['A', '2026-01-01T00:00:00Z'],
    ]);
    written.now = 2;
    written.spec('A', { replicas: 1 });
    written.spec('B', { replicas: 1, flag: true });
    expect(written.entries.map(({ manager, time }) => [manager, time])).toEqual([
      ['A', '2026-01-01T00:00:00Z'],
      ['B', '2026-01-01T00:00:02Z'],
    ]);
  });

  it('does not move when a manager only loses fields', () => {
    const written = new Written();
    written.updateSpec('U', { replicas: 1, flag: true });
    written.now = 3;
    written.updateSpec('V', { replicas: 2, flag: true });
    expect(written.entries.map(({ time }) => time)).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:00:03Z']);
  });

  it('gives back the stored entries when only times differ', () => {
    const stored = [{ ...ENTRY, time: 'a', fieldsV1: { 'f:x': {} } }];
    expect(managedFieldsButTimes(stored, [{ ...ENTRY, time: 'b', fieldsV1: { 'f:x': {} } }])).toBe(stored);
    expect(managedFieldsButTimes(stored, [{ ...ENTRY, time: 'b', fieldsV1: { 'f:y': {} } }])).toBeUndefined();
    expect(managedFieldsButTimes(stored, stored), 'no time differs').toBeUndefined();
    expect(managedFieldsButTimes(stored, undefined)).toBeUndefined();
  });
});

describe('the limit on managers of updates', () => {
  it('unites the oldest into ancient-changes from the eleventh on', () => {
    expect(writtenBy(10).entries.map(({ manager }) => manager)).not.toContain('ancient-changes');
    const [first, ...others] = writtenBy(12).entries;
    expect(first).toMatchObject({
      manager: 'ancient-changes',
      time: '2026-01-01T00:00:02Z',
      fieldsV1: { 'f:spec': { 'f:gmap': { 'f:k0': {}, 'f:k1': {}, 'f:k2': {} } } },
    });
    expect(others.map(({ manager }) => manager)).toEqual([
      'm03',
      'm04',
      'm05',
      'm06',
      'm07',
      'm08',
      'm09',
      'm10',
      'm11',
    ]);
  });

  it('keeps versions apart and does not count applies', () => {
    const versions = writtenBy(12, (index) => (index % 2 === 0 ? 'x.io/v1' : 'x.io/v2'));
    const ancient = versions.entries.filter(({ manager }) => manager === 'ancient-changes');
    expect(ancient.map(({ apiVersion }) => apiVersion)).toEqual(['x.io/v1', 'x.io/v2']);
    const written = writtenBy(9);
    for (const manager of ['A', 'B', 'C']) written.spec(manager, { replicas: 1 });
    written.updateSpec('last', { replicas: 1, flag: true });
    expect(written.entries.map(({ manager }) => manager)).not.toContain('ancient-changes');
  });
});

describe('managedFields of a client', () => {
  it.each([[[]], [[{}]]])('are reset by %j, and the same write is not recorded', (managedFields) => {
    const written = created();
    written.update('U', { metadata: { name: 't', managedFields }, spec: { replicas: 2 } });
    expect(written.entries).toEqual([]);
    written.updateSpec('U', { replicas: 3 });
    expect(written.entries, 'the object stays untracked').toEqual([]);
    expect(conflictOf(written.spec('A', { replicas: 4 }))).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using x.io/v1: .spec.replicas',
    );
    written.spec('A', { replicas: 3 });
    expect(written.entries.map(({ manager }) => manager)).toEqual(['A', 'before-first-apply']);
  });

  it.each(UNREADABLE)('are ignored when they cannot be read: %j', (entry) => {
    const written = created();
    const before = written.owned('creator', 'Update');
    written.update('U', {
      metadata: { name: 't', labels: { l: 'x' }, managedFields: [entry] },
      spec: { gmap: { a: '1' } },
    });
    expect(written.owned('creator', 'Update')).toEqual(before);
    expect(areManagedFieldsReadable([entry])).toBe(false);
  });

  it('become the base: the last of an identity counts, unknown prefixes are dropped, unknown fields are kept', () => {
    const written = new Written();
    const managedFields = [
      { ...ENTRY, fieldsV1: { 'f:a': {} } },
      { ...ENTRY, fieldsV1: { 'f:b': {}, 'x:y': {} } },
    ];
    written.update('creator', { metadata: { name: 't', managedFields }, spec: { replicas: 1 } });
    expect(written.owned('m', 'Update')).toEqual({ 'f:b': {} });
    expect(written.owned('creator', 'Update')).toEqual({ 'f:spec': { '.': {}, 'f:replicas': {} } });
  });

  it('are ignored by subresources', () => {
    const written = created().at({ subresource: 'status', reset: ['spec', 'metadata'] });
    const spec = { gmap: { a: '1' } };
    written.update('U', {
      metadata: { name: 't', labels: { l: 'x' }, managedFields: [] },
      spec,
      status: { replicas: 1 },
    });
    expect(written.entries.map(({ manager, subresource }) => [manager, subresource])).toEqual([
      ['U', 'status'],
      ['creator', undefined],
    ]);
  });

  it('are reset by empty lists only', () => {
    expect([[], [{}]].map(isManagedFieldsReset)).toEqual([true, true]);
    expect([null, undefined, [{}, {}], [ENTRY]].map(isManagedFieldsReset)).toEqual([false, false, false, false]);
  });
});

describe('an object without managers', () => {
  it('is created by an apply of its name alone', () => {
    const written = new Written();
    written.apply('A', {});
    expect(written.entries).toEqual([]);
  });
});
