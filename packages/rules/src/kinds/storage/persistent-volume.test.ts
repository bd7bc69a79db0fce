import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const persistentVolume = builtInKind('core/v1.PersistentVolume');
const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
const local = { hostPath: undefined, local: { path: '/x' } };
const then = '2026-01-01T00:00:00Z';

const NAME = 'iqn.2026-01.com.example:x';
const ISCSI = { iqn: NAME, initiatorName: NAME, lun: 0 };
const PORTAL = 'p'.repeat(64);

describe('a PersistentVolume', () => {
  it('that says least is kept without a claim, and is pending', () => {
    expect(created(persistentVolume, { spec, status: { phase: 'Bound' } }, { creationTimestamp: then })).toMatchObject({
      spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', hostPath: { path: '/x', type: '' } },
      status: { phase: 'Pending', lastPhaseTransitionTime: then },
    });
  });

  it('knows when its phase changed', () => {
    const old = created(persistentVolume, { spec }, { creationTimestamp: then });
    const status = (fields: object) =>
      persistentVolume.strategy.prepareForStatusUpdate?.({ ...old, status: fields }, old, 0)['status'];
    expect(status({ phase: 'Pending', message: 'm' })).toMatchObject({ lastPhaseTransitionTime: then });
    expect(status({ phase: 'Bound', lastPhaseTransitionTime: '2026-02-01T00:00:00Z' })).toMatchObject({
      lastPhaseTransitionTime: '2026-02-01T00:00:00Z',
    });
    expect(status({ phase: 'Bound' })).not.toMatchObject({ lastPhaseTransitionTime: then });
  });

  it.each([
    ['nothing wrong', {}, ''],
    [
      'a portal that is too long beside its name',
      { hostPath: undefined, iscsi: { ...ISCSI, targetPortal: PORTAL } },
      `spec.iscsi.targetportal: Invalid value: "${PORTAL}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    ],
    ['a long portal', { hostPath: undefined, iscsi: { ...ISCSI, initiatorName: undefined, targetPortal: PORTAL } }, ''],
    ['no source', { hostPath: undefined }, 'spec: Required value: must specify a volume type'],
    [
      'no capacity',
      { capacity: undefined },
      '[spec.capacity: Required value, spec.capacity: Unsupported value: null: supported values: "storage"]',
    ],
    [
      'a capacity of something else too',
      { capacity: { storage: '-1', cpu: '1' } },
      '[spec.capacity: Unsupported value: {"cpu":"1","storage":"-1"}: supported values: "storage", ' +
        'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity, spec.capacity[storage]: Invalid value: "-1": must be greater than zero]',
    ],
    [
      'access modes that exclude each other',
      { accessModes: ['X', 'ReadWriteOncePod', 'ReadWriteOnce'] },
      '[spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", ' +
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes]',
    ],
    [
      'two sources',
      { nfs: { server: 's', path: '/x' } },
      'spec.nfs: Forbidden: may not specify more than 1 volume type',
    ],
    [
      'a path that leads out',
      { hostPath: { path: '/a/../b', type: 'X' } },
      '[spec.hostPath.path: Invalid value: "/a/../b": must not contain \'..\', spec.hostPath.type: Unsupported value: "X": ' +
        'supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"]',
    ],
    [
      'the whole disk, recycled',
      { hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
      "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
    ],
    ['a local disk of no node', local, 'spec.nodeAffinity: Required value: Local volume requires node affinity'],
    [
      'a local disk of any node',
      { ...local, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
      'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
    [
      'a file server without a name',
      { hostPath: undefined, nfs: { server: '', path: 'x' } },
      '[spec.nfs.server: Required value, spec.nfs.path: Invalid value: "x": must be an absolute path]',
    ],
    [
      'attributes of a driver that there is not',
      { volumeAttributesClassName: 'x' },
      'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
    ],
    [
      'unknown words',
      { persistentVolumeReclaimPolicy: 'X', volumeMode: 'Y' },
      '[spec.persistentVolumeReclaimPolicy: Unsupported value: "X": supported values: "Delete", "Recycle", "Retain", ' +
        'spec.volumeMode: Unsupported value: "Y": supported values: "Block", "Filesystem"]',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(persistentVolume, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('keeps its source and its mode, and may grow', () => {
    const old = created(persistentVolume, { spec });
    const change = (fields: object) => changeComplaints(persistentVolume, old, { spec: { ...spec, ...fields } });
    expect(change({ capacity: { storage: '2Gi' } })).toBe('');
    expect(change({ hostPath: { path: '/y' } })).toContain('spec.persistentvolumesource is immutable after creation');
    expect(change({ volumeMode: 'Block' })).toBe('volumeMode: Invalid value: "Block": field is immutable');
  });

  it('shows its claim and its short modes', () => {
    const object = created(persistentVolume, {
      spec: { ...spec, accessModes: ['ReadWriteMany', 'ReadWriteOnce'], claimRef: { namespace: 'n', name: 'c' } },
    });
    expect(persistentVolume.columns.cells(object, 0)).toEqual([
      'a',
      '1Gi',
      'RWO,RWX',
      'Retain',
      'Pending',
      'n/c',
      '',
      '<unset>',
      '',
      '<unknown>',
      'Filesystem',
    ]);
  });
});
