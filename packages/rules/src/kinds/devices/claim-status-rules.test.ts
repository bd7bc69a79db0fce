import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { created } from '../../strategy/kind.fixture.ts';

const claim = builtInKind('resource/v1.ResourceClaim');
const old = created(claim, {
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c.example.com' } }] } },
});
const result = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'g' };
const allocation = { devices: { results: [result] } };
const device = { driver: 'd.example.com', pool: 'p', device: 'g' };

/** What is said of a status that follows `before`. */
function said(status: object, before: object = {}): string {
  const stored = { ...old, status: before };
  const changed = claim.strategy.prepareForStatusUpdate?.({ ...stored, status }, stored, 0) ?? stored;
  return fieldErrorsText(claim.strategy.validate(changed, stored, 'status').errors);
}

describe('the status of a ResourceClaim', () => {
  it.each([
    [{ allocation }, ''],
    [
      { allocation: { devices: { results: [{ ...result, device: 'G' }] } } },
      /results\[0\]\.device: Invalid value: "G"/,
    ],
    [
      { allocation: { devices: { results: [{ ...result, pool: '' }] } } },
      'status.allocation.devices.results[0].pool: Required value',
    ],
    [
      { allocation: { devices: { results: [{ ...result, request: 'x' }] } } },
      /results\[0\]\.request: Invalid value: "x": must be the name of a request/,
    ],
    [
      { allocation: { devices: { results: [{ ...result, shareID: 'x' }] } } },
      'status.allocation.devices.results[0].shareID: Invalid value: "x": error validating uid: invalid UUID length: 1',
    ],
    [
      { allocation: { devices: { config: [{ opaque: { driver: 'd.e', parameters: { a: 1 } } }] } } },
      'status.allocation.devices.config[0].source: Required value',
    ],
    [
      { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] },
      'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    ],
    [{ allocation, reservedFor: [{ resource: 'pods', name: 'p' }] }, 'status.reservedFor[0].uid: Required value'],
    [{ allocation, devices: [device] }, ''],
    [
      { allocation, devices: [{ ...device, pool: 'q' }] },
      /^status\.devices\[0\]: Invalid value: .*: must be an allocated device in the claim$/,
    ],
    [
      {
        allocation,
        devices: [
          {
            ...device,
            conditions: [{ type: 'Ready', status: 'X', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z' }],
          },
        ],
      },
      /conditions\[0\]\.status: Unsupported value: "X"/,
    ],
    [
      { allocation, devices: [{ ...device, networkData: { ips: ['10.0.0.1'] } }] },
      /ips\[0\]: Invalid value: "10\.0\.0\.1": must be a valid address in CIDR form/,
    ],
    [
      { allocation, devices: [{ ...device, networkData: { ips: ['10.0.0.1/24', 'fd00::0/64'] } }] },
      /ips\[1\]: .*must be in canonical form \("fd00::\/64"\)/,
    ],
  ])('%# is validated', (status, expected) => {
    if (typeof expected === 'string') expect(said(status)).toBe(expected);
    else expect(said(status)).toMatch(expected);
  });

  it('keeps an allocation until it is taken back, and then drops what drivers said of the devices', () => {
    const other = { devices: { results: [{ ...result, device: 'h' }] } };
    expect(said({ allocation: other }, { allocation })).toMatch(
      /^status\.allocation: Invalid value: .*: field is immutable$/,
    );
    const stored = { ...old, status: { allocation, devices: [device] } };
    const freed = claim.strategy.prepareForStatusUpdate?.({ ...stored, status: { devices: [device] } }, stored, 0);
    expect(freed?.['status']).toEqual({});
  });
});
