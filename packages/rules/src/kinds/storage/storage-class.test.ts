import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const storageClass = builtInKind('storage/v1.StorageClass');
const provisioner = 'example.com/p';
const topology = (...expressions: readonly object[]): object => ({ matchLabelExpressions: expressions });

describe('a StorageClass', () => {
  it('deletes its volumes and binds them at once, unless it says otherwise', () => {
    expect(created(storageClass, { provisioner })).toMatchObject({
      provisioner,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    });
  });

  it.each([
    [{ provisioner: 'Example.com/P' }, ''],
    [{}, 'provisioner: Required value'],
    [
      { provisioner, reclaimPolicy: 'Recycle' },
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    ],
    [
      { provisioner, volumeBindingMode: 'X' },
      'volumeBindingMode: Unsupported value: "X": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
    [{ provisioner, parameters: { '': 'x' } }, 'parameters: Invalid value: "": field can not be empty.'],
    [
      { provisioner, parameters: { a: 'x'.repeat(256 * 1024) } },
      'parameters: Too long: may not be more than 262144 bytes',
    ],
    [
      { provisioner, allowedTopologies: [topology({ key: 'z', values: ['a', 'a'] }, { key: 'z', values: [] })] },
      '[allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a", allowedTopologies[0].matchLabelExpressions[1].values: Required value, allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "z"]',
    ],
    [
      {
        provisioner,
        allowedTopologies: [topology({ key: 'q', values: ['a', 'b'] }), topology({ key: 'q', values: ['b', 'a'] })],
      },
      'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
    ],
    [{ provisioner, allowedTopologies: [{}] }, 'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'],
  ])('%# is validated', (fields, expected) => {
    expect(complaints(storageClass, fields)).toBe(expected);
  });

  it('keeps what volumes were made with', () => {
    const old = created(storageClass, { provisioner });
    expect(changeComplaints(storageClass, old, { allowVolumeExpansion: true })).toBe('');
    expect(changeComplaints(storageClass, old, { provisioner: 'q', parameters: { a: 'b' } })).toBe(
      '[parameters: Invalid value: {"a":"b"}: field is immutable, provisioner: Invalid value: "q": field is immutable]',
    );
  });

  it('says whether it is the default', () => {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const object = created(storageClass, { provisioner, allowVolumeExpansion: true }, { annotations });
    const cells = ['a (default)', provisioner, 'Delete', 'Immediate', true, '<unknown>'];
    expect(storageClass.columns.cells(object, 0)).toEqual(cells);
  });
});
