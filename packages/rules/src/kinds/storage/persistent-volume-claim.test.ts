import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const claim = builtInKind('core/v1.PersistentVolumeClaim');
const requests = (storage: string) => ({ requests: { storage } });
const spec = { accessModes: ['ReadWriteOnce'], resources: requests('2Gi') };
const other = { kind: 'PersistentVolumeClaim', name: 'b' };

function specOf(fields: object): unknown {
  return created(claim, { spec: { ...spec, ...fields } })['spec'];
}

describe('a PersistentVolumeClaim', () => {
  it('that says least asks for a file system, and is pending', () => {
    expect(created(claim, { spec, status: { phase: 'Bound' } })).toMatchObject({
      spec: { volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    });
  });

  it('names its source twice', () => {
    expect(specOf({ dataSource: other })).toMatchObject({ dataSource: other, dataSourceRef: other });
    expect(specOf({ dataSourceRef: { ...other, kind: 'Y', apiGroup: 'g.example.com' } })).toMatchObject({
      dataSource: { kind: 'Y', apiGroup: 'g.example.com' },
    });
  });

  it('ignores a source that is of no known kind or in another namespace', () => {
    expect(specOf({ dataSource: { kind: 'X', name: '' } })).not.toHaveProperty('dataSource');
    expect(specOf({ dataSourceRef: { ...other, namespace: 'n' } })).not.toHaveProperty('dataSourceRef');
  });

  it.each([
    ['nothing wrong', {}, ''],
    ['no mode', { accessModes: [] }, 'spec.accessModes: Required value: at least 1 access mode is required'],
    ['no request', { resources: {} }, 'spec.resources[storage]: Required value'],
    [
      'a request of nothing',
      { resources: requests('0') },
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
    [
      'an unknown mode',
      { volumeMode: 'Z' },
      'spec.volumeMode: Unsupported value: "Z": supported values: "Block", "Filesystem"',
    ],
    [
      'two sources',
      { dataSource: other, dataSourceRef: { ...other, name: 'c' } },
      'spec: Invalid value: {}: must match dataSourceRef',
    ],
    [
      'a source and a reference in its namespace',
      { dataSource: other, dataSourceRef: { ...other, namespace: '' } },
      '',
    ],
    [
      'a source of the core group',
      { dataSourceRef: { kind: 'Pod', name: 'p' } },
      '[spec.dataSource: Invalid value: "Pod": must be \'PersistentVolumeClaim\' when referencing the default apiGroup, ' +
        'spec.dataSourceRef: Invalid value: "Pod": must be \'PersistentVolumeClaim\' when referencing the default apiGroup]',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(claim, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  const fixed =
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

  it('is fixed until it is bound', () => {
    const old = created(claim, { spec });
    const change = (fields: object) => changeComplaints(claim, old, { spec: { ...spec, ...fields } });
    expect(change({ resources: requests('3Gi') })).toBe(fixed);
    expect(change({ accessModes: ['ReadOnlyMany'] })).toBe(fixed);
    expect(change({ storageClassName: 'later' })).toBe('');
    expect(change({ volumeName: 'v' })).toBe('');
  });

  it('may grow when it is bound, and shrink down to what it has', () => {
    const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
    const old = { ...created(claim, { spec: { ...spec, volumeName: 'v' } }), status };
    const change = (fields: object) => changeComplaints(claim, old, { spec: { ...spec, volumeName: 'v', ...fields } });
    expect(change({ resources: requests('3Gi') })).toBe('');
    expect(change({ resources: requests('1500Mi') })).toBe('');
    expect(change({ resources: requests('1Gi') })).toBe(
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    );
    expect(change({ volumeName: 'w' })).toBe(fixed);
    expect(change({ volumeAttributesClassName: 'c' })).toBe('');
  });

  it('shows the volume that it is bound to', () => {
    const free = created(claim, { spec: { ...spec, storageClassName: 's' } });
    expect(claim.columns.cells(free, 0)).toEqual([
      'a',
      'Pending',
      '',
      '',
      '',
      's',
      '<unset>',
      '<unknown>',
      'Filesystem',
    ]);
    const bound = {
      ...created(claim, { spec: { ...spec, volumeName: 'v' } }),
      status: { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOncePod'] },
    };
    expect(claim.columns.cells(bound, 0).slice(1, 5)).toEqual(['Bound', 'v', '2Gi', 'RWOP']);
  });
});
