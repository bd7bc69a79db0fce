import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const endpointSlice = builtInKind('discovery/v1.EndpointSlice');
const at = (...addresses: readonly string[]): Readonly<Record<string, unknown>> => ({
  addressType: 'IPv4',
  endpoints: [{ addresses }],
});

describe('an EndpointSlice', () => {
  it('has ports of TCP without a name unless it says otherwise', () => {
    expect(created(endpointSlice, { ...at('10.1.1.1'), ports: [{ port: 80 }] })['ports']).toEqual([
      { name: '', port: 80, protocol: 'TCP' },
    ]);
  });

  it.each([
    [at('10.1.1.1'), ''],
    [{ addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::1'] }] }, ''],
    [{ addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com.'] }] }, ''],
    [{}, 'addressType: Required value'],
    [{ addressType: 'X' }, 'addressType: Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"'],
    [at(), 'endpoints[0].addresses: Required value: must contain at least 1 address'],
    [
      at('::1'),
      '[endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address, endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)]',
    ],
    [
      at('x'),
      'endpoints[0].addresses[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [at('0.0.0.0'), 'endpoints[0].addresses[0]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)'],
    [
      { addressType: 'IPv6', endpoints: [{ addresses: ['2001:DB8::1'] }] },
      'endpoints[0].addresses[0]: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
    ],
    [
      { addressType: 'FQDN', endpoints: [{ addresses: ['a'] }] },
      'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
    ],
    [{ ...at('10.1.1.1'), ports: [{}, {}] }, 'ports[1].name: Duplicate value: ""'],
    [
      { ...at('10.1.1.1'), ports: [{ protocol: 'X' }] },
      'ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    ],
    [
      { addressType: 'IPv4', endpoints: Array.from({ length: 1001 }, () => ({ addresses: ['10.1.1.1'] })) },
      'endpoints: Too many: 1001: must have at most 1000 items',
    ],
    [
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.1.1'], hints: { forZones: [{ name: 'z' }, { name: 'z' }] } }],
      },
      'endpoints[0].hints.forZones[1].name: Duplicate value: "z"',
    ],
  ])('%# is validated', (fields, expected) => {
    expect(complaints(endpointSlice, fields)).toBe(expected);
  });

  it('keeps its type, and endpoints that older rules allowed', () => {
    const old = created(endpointSlice, at('127.0.0.1'));
    expect(changeComplaints(endpointSlice, old, { ports: [{ port: 80 }] })).toBe('');
    expect(changeComplaints(endpointSlice, old, { ...at('127.0.0.2') })).toMatch(/may not be in the loopback range/);
    expect(changeComplaints(endpointSlice, old, { addressType: 'IPv6' })).toBe(
      'addressType: Invalid value: "IPv6": field is immutable',
    );
  });

  it('forgets the topology of older versions', () => {
    const endpoints = [{ addresses: ['10.1.1.1'], deprecatedTopology: { a: 'b' } }];
    expect(created(endpointSlice, { addressType: 'IPv4', endpoints })['endpoints']).toEqual([
      { addresses: ['10.1.1.1'], conditions: {} },
    ]);
  });

  it('is of a new generation when its labels change, too', () => {
    const old = created(endpointSlice, at('10.1.1.1'));
    const { raisesGeneration } = endpointSlice.strategy;
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } };
    const annotated = { ...old, metadata: { ...old.metadata, annotations: { a: 'b' } } };
    expect([raisesGeneration?.(labelled, old), raisesGeneration?.(annotated, old)]).toEqual([true, false]);
  });

  it('shows its ports and addresses', () => {
    const ports = [{ name: 'a' }, { port: 80, name: 'b' }];
    const object = created(endpointSlice, { ...at('10.1.1.1', '10.1.1.2', '10.1.1.3', '10.1.1.4'), ports });
    expect(endpointSlice.columns.cells(object, 0).slice(1, -1)).toEqual([
      'IPv4',
      'a,80',
      '10.1.1.1,10.1.1.2,10.1.1.3 + 1 more...',
    ]);
    expect(endpointSlice.columns.cells(created(endpointSlice, {}), 0).slice(2, -1)).toEqual(['<unset>', '<unset>']);
  });
});
