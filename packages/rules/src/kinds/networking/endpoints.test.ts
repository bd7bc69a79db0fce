import { describe, expect, it } from 'vitest';
import { endpointSlice, endpoints } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const subset = (ip: string) => ({ subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] });
const slice = (addressType: string, ...addresses: string[]) => ({ addressType, endpoints: [{ addresses }] });
const cell = (fields: object) => endpoints.columns.cells(created(endpoints, { ...fields }), 0)[1];

describe('Endpoints', () => {
  it('have ports of TCP, and show the first three addresses', () => {
    expect(created(endpoints, subset('10.1.1.1'))).toMatchObject({
      subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80, protocol: 'TCP' }] }],
    });
    expect(cell(subset('10.1.1.1'))).toBe('10.1.1.1:80');
    expect(cell(subset('fd00::1'))).toBe('[fd00::1]:80');
    expect(cell({})).toBe('<none>');
    const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'].map((ip) => ({ ip }));
    expect(cell({ subsets: [{ addresses }] })).toBe('10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...');
  });

  it.each([
    [subset('10.1.1.1'), ''],
    [
      subset('x'),
      '[subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), ' +
        'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address]',
    ],
    [
      subset('127.0.0.1'),
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      subset('fe80::1'),
      'subsets[0].addresses[0].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ],
    [{ subsets: [{}] }, 'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  ])('with %j are validated', (fields, expected) => {
    expect(complaints(endpoints, fields)).toBe(expected);
  });
});

describe('an EndpointSlice', () => {
  it('names its ports, and shows ports and addresses', () => {
    const made = created(endpointSlice, { ...slice('IPv4', '10.1.1.1'), ports: [{ port: 80 }] });
    expect(made).toMatchObject({ ports: [{ name: '', protocol: 'TCP', port: 80 }], endpoints: [{ conditions: {} }] });
    expect(endpointSlice.columns.cells(made, 0)).toEqual(['a', 'IPv4', '80', '10.1.1.1', '<unknown>']);
    expect(created(endpointSlice, { addressType: 'IPv4' })).toMatchObject({ endpoints: null, ports: null });
  });

  it.each([
    [slice('IPv4', '10.1.1.1'), ''],
    [slice('IPv6', 'fd00::1'), ''],
    [slice('FQDN', 'example.com'), ''],
    [slice('X'), 'addressType: Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"'],
    [
      slice('IPv4', '::1'),
      '[endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address, ' +
        'endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)]',
    ],
    [slice('IPv4'), 'endpoints[0].addresses: Required value: must contain at least 1 address'],
  ])('with %j is validated', (fields, expected) => {
    const shown = fields.addressType === 'X' ? { ...fields, endpoints: [] } : fields;
    expect(complaints(endpointSlice, shown)).toBe(expected);
  });

  it('gets a new generation with other labels, not with other annotations', () => {
    const old = created(endpointSlice, slice('IPv4', '10.1.1.1'));
    const { raisesGeneration } = endpointSlice.strategy;
    expect(raisesGeneration?.({ ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }, old)).toBe(true);
    expect(raisesGeneration?.({ ...old, metadata: { ...old.metadata, annotations: { a: 'b' } } }, old)).toBe(false);
  });
});
