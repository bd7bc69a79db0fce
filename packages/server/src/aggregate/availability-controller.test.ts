import { expect, it, vi } from 'vitest';
import { InProcessServer } from '../start/in-process-server.fixture.ts';
import { BackendError } from './backend-error.ts';
import { BackendPool } from './backend-pool.ts';

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const GOOD = '192.0.2.9';

it('while the first endpoints of a Service are dead, the others are checked too', async () => {
  const asked = new Set<string>();
  vi.spyOn(BackendPool.prototype, 'send').mockImplementation(async ({ host }) => {
    asked.add(host);
    throw new BackendError('unreachable', 'connect: connection refused');
  });
  await using api = await InProcessServer.start({ aggregation: {} });
  const ports = [{ name: 'https', port: 443 }];
  await api.ok('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'ext' }, spec: { ports } });
  await api.ok('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'ext-1', labels: { 'kubernetes.io/service-name': 'ext' } },
    addressType: 'IPv4',
    ports,
    endpoints: Array.from({ length: 10 }, (_, index) => ({ addresses: [`192.0.2.${index}`] })),
  });
  await api.ok('POST', SERVICES, {
    metadata: { name: 'v1.ext.example.com' },
    spec: {
      group: 'ext.example.com',
      version: 'v1',
      groupPriorityMinimum: 1,
      versionPriority: 1,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'ext' },
    },
  });
  // Each failure is followed by another check.
  await vi.waitFor(async () => {
    await api.clock.advance(30_000);
    expect(asked).toContain(GOOD);
  });
  vi.restoreAllMocks();
});
