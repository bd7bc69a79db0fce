import type { KubeObject } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { backendPlace } from './backend-address.ts';

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
