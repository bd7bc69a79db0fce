import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const claim = builtInKind('resource/v1.ResourceClaim');
const template = builtInKind('resource/v1.ResourceClaimTemplate');
const deviceClass = builtInKind('resource/v1.DeviceClass');
const asking = (...requests: readonly object[]): object => ({ devices: { requests } });
const exactly = (fields: object = {}): object => ({ name: 'r', exactly: { deviceClassName: 'c', ...fields } });
const AT = 'spec.devices.requests[0]';

function matchComplaints(matchAttribute: string): string {
  return complaints(claim, { spec: { devices: { requests: [exactly()], constraints: [{ matchAttribute }] } } });
}

describe('a ResourceClaim', () => {
  it('asks for one device unless it says otherwise', () => {
    const alternatives = { name: 's', firstAvailable: [{ name: 'a', deviceClassName: 'c', allocationMode: 'All' }] };
    expect(created(claim, { spec: asking(exactly(), alternatives) })['spec']).toEqual({
      devices: {
        requests: [
          { name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } },
          alternatives,
        ],
      },
    });
  });

  it.each([
    [asking(exactly()), ''],
    [asking(), ''],
    [asking({ name: 'r' }), `${AT}: Required value: exactly one of \`exactly\` or \`firstAvailable\` is required`],
    [
      asking({ ...exactly(), firstAvailable: [{ name: 'a', deviceClassName: 'c' }] }),
      `${AT}: Invalid value: null: exactly one of \`exactly\` or \`firstAvailable\` is required, but multiple fields are set`,
    ],
    [asking(exactly({ deviceClassName: '' })), `${AT}.exactly.deviceClassName: Required value`],
    [
      asking(exactly({ allocationMode: 'X' })),
      `${AT}.exactly.allocationMode: Unsupported value: "X": supported values: "All", "ExactCount"`,
    ],
    [asking(exactly({ count: -1 })), `${AT}.exactly.count: Invalid value: -1: must be greater than zero`],
    [
      asking(exactly({ allocationMode: 'All', count: 2 })),
      `${AT}.exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'`,
    ],
    [asking(exactly({ selectors: [{}] })), `${AT}.exactly.selectors[0].cel: Required value`],
    [
      asking(exactly({ tolerations: [{ operator: 'Y' }] })),
      `${AT}.exactly.tolerations[0].operator: Unsupported value: "Y": supported values: "Equal", "Exists"`,
    ],
    [asking(exactly(), exactly()), 'spec.devices.requests[1]: Duplicate value: "r"'],
    [
      asking(...Array.from({ length: 33 }, () => exactly())),
      'spec.devices.requests: Too many: 33: must have at most 32 items',
    ],
    [
      { devices: { requests: [exactly()], constraints: [{ requests: ['x'], matchAttribute: 'a.b/c' }] } },
      'spec.devices.constraints[0].requests[0]: Invalid value: "x": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    ],
    [{ devices: { config: [{}] } }, 'spec.devices.config[0].opaque: Required value'],
  ])('%# is validated', (spec, expected) => {
    expect(complaints(claim, { spec })).toBe(expected);
  });

  it('never changes', () => {
    const old = created(claim, { spec: asking(exactly()) });
    expect(changeComplaints(claim, old, { spec: asking() })).toMatch(/^spec: Invalid value: .*: field is immutable$/);
  });

  it.each([
    [{}, {}, 'pending'],
    [{ allocation: {} }, {}, 'allocated'],
    [{ allocation: {}, reservedFor: [{}] }, {}, 'allocated,reserved'],
    [{}, { deletionTimestamp: '2026-01-01T00:00:00Z' }, 'deleted'],
    [{ allocation: {} }, { deletionTimestamp: '2026-01-01T00:00:00Z' }, 'deleted,allocated'],
  ])('with the status %j and %j is shown', (status, metadata, expected) => {
    const object = created(claim, { spec: asking() });
    const cells = claim.columns.cells({ ...object, metadata: { ...object.metadata, ...metadata }, status }, 0);
    expect(cells[1]).toBe(expected);
  });
});

describe('a ResourceClaimTemplate', () => {
  it('has the defaults and the rules of a claim', () => {
    expect(created(template, { spec: { spec: asking(exactly()) } })).toMatchObject({
      spec: { spec: asking(exactly({ allocationMode: 'ExactCount', count: 1 })) },
    });
    expect(complaints(template, { spec: { spec: asking({ name: 'r' }) } })).toBe(
      'spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
    );
  });
});

describe('metadata and constraints of a claim', () => {
  it('of a template are labels and annotations', () => {
    const metadata = { labels: { a: 'b' }, name: 'x', uid: 'u' };
    expect(complaints(template, { spec: { metadata, spec: asking(exactly()) } })).toBe(
      '[spec.metadata.name: Forbidden: cannot be set, spec.metadata.uID: Forbidden: cannot be set]',
    );
  });

  it('compare attributes by their full names', () => {
    expect(matchComplaints('d.example.com/model')).toBe('');
    expect(matchComplaints('model')).toBe(
      'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
    );
  });
});

describe('a DeviceClass', () => {
  it('has a name that is checked, but no prefix', () => {
    expect(deviceClass.strategy.checkName('A_', true)).toEqual([]);
    expect(deviceClass.strategy.checkName('A_', false)).toHaveLength(1);
  });

  it.each([
    [{ config: [{ opaque: { driver: 'd.e', parameters: { a: 1 } } }] }, ''],
    [{ selectors: [{}] }, 'spec.selectors[0].cel: Required value'],
    [{ extendedResourceName: 'example.com/gpu' }, ''],
    [
      { extendedResourceName: 'gpu' },
      'spec.extendedResourceName: Invalid value: "gpu": must be a valid extended resource name',
    ],
    [{ config: [{ opaque: { driver: '', parameters: {} } }] }, 'spec.config[0].opaque.driver: Required value'],
  ])('with %j is validated', (spec, expected) => {
    expect(complaints(deviceClass, { spec })).toBe(expected);
  });
});
