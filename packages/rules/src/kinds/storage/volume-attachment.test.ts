import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const volumeAttachment = builtInKind('storage/v1.VolumeAttachment');
const spec = { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } };

describe('a VolumeAttachment', () => {
  it.each([
    [{}, ''],
    [{ source: { inlineVolumeSpec: {} } }, ''],
    [{ attacher: undefined }, 'spec.attacher: Required value'],
    [
      { source: {} },
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    ],
    [
      { source: { inlineVolumeSpec: {}, persistentVolumeName: 'pv' } },
      'spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    ],
  ])('with %j is validated', (fields, expected) => {
    expect(complaints(volumeAttachment, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('keeps its spec', () => {
    const old = created(volumeAttachment, { spec });
    expect(changeComplaints(volumeAttachment, old, { spec: { ...spec, nodeName: 'm' } })).toBe(
      'spec: Invalid value: {"Attacher":"a.example.com","Source":{"PersistentVolumeName":"pv","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
    );
  });

  it('takes nothing but its status from /status', () => {
    const old = created(volumeAttachment, { spec }, { labels: { a: 'b' } });
    const wish = {
      ...old,
      metadata: { ...old.metadata, labels: {}, finalizers: ['x/y'] },
      spec: {},
      status: { attached: true },
    };
    expect(volumeAttachment.strategy.prepareForStatusUpdate?.(wish, old, 0)).toEqual({
      ...old,
      status: { attached: true },
    });
  });

  it('says what is wrong with its status', () => {
    const old = created(volumeAttachment, { spec });
    const attachError = { message: 'x'.repeat(2000), errorCode: -1 };
    const status = { attached: false, attachError };
    const { errors } = volumeAttachment.strategy.validate({ ...old, status }, old, 'status');
    expect(errors.map(({ field, detail }) => [field, detail])).toEqual([
      ['status.attachError.message', 'may not be more than 262144 bytes'],
      ['status.attachError.errorCode', 'must be between 0 and 2147483647, inclusive'],
    ]);
  });

  it('shows who attaches what to which node', () => {
    const cells = ['a', 'a.example.com', 'pv', 'n', false, '<unknown>'];
    expect(volumeAttachment.columns.cells(created(volumeAttachment, { spec }), 0)).toEqual(cells);
  });
});
