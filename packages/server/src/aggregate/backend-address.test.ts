import type { KubeObject } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { type BackendAddress, backendPlace, checkedAddresses } from './backend-address.ts';

const REFERENCE = { namespace: 'default', name: 'ext', port: 443 };

function slice(addressType: string, address: string): KubeObject {
  const ports = [{ name: '', port: 8443 }];
  return { apiVersion: '', kind: '', metadata: {}, addressType, ports, endpoints: [{ addresses: [address] }] };
}

it.each([
  [undefined, '10.0.0.1'],
  [['IPv4', 'IPv6'], '10.0.0.1'],
  [['IPv6', 'IPv4'], 'fd00::1'],
])('a Service with the families %j has its endpoints of the first', (ipFamilies, host) => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: {}, spec: { ports: [{ port: 443 }], ipFamilies } };
  const slices = [slice('IPv6', 'fd00::1'), slice('IPv4', '10.0.0.1'), slice('FQDN', 'example.com')];
  expect(backendPlace(REFERENCE, service, slices)).toEqual({
    type: 'addresses',
    addresses: [{ host, port: 8443, isExternal: false }],
  });
});

function hosts(count: number): readonly BackendAddress[] {
  return Array.from({ length: count }, (_, index) => ({ host: `10.0.0.${index}`, port: 443, isExternal: false }));
}

it.each([
  [0, 0],
  [1, 1],
  [3, 3],
  [5, 5],
  [50, 5],
])('of %i endpoints each check asks %i, in five requests', (count, asked) => {
  const checked = checkedAddresses(hosts(count));
  expect([checked.length, new Set(checked).size]).toEqual([count === 0 ? 0 : 5, asked]);
});

it('every endpoint of a Service with many is asked by one check or another', () => {
  const all = hosts(20);
  const seen = new Set<BackendAddress>();
  for (let checks = 0; checks < 1000 && seen.size < all.length; checks += 1) {
    for (const one of checkedAddresses(all)) seen.add(one);
  }
  expect(seen.size).toBe(20);
});
