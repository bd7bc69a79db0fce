import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { InProcessServer, type Json } from '../start/in-process-server.fixture.ts';
import { BackendError } from './backend-error.ts';
import { BackendPool } from './backend-pool.ts';

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const GOOD = '192.0.2.9';

const API = 'v1.ext.example.com';
const URL_OF_CHECK = 'https://192.0.2.9:443/apis/ext.example.com/v1';

/** An APIService whose Service has these endpoints. */
async function started(addresses: readonly string[]): Promise<InProcessServer> {
  const api = await InProcessServer.start({ aggregation: {} });
  const ports = [{ name: 'https', port: 443 }];
  await api.ok('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'ext' }, spec: { ports } });
  await api.ok('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'ext-1', labels: { 'kubernetes.io/service-name': 'ext' } },
    addressType: 'IPv4',
    ports,
    endpoints: addresses.map((address) => ({ addresses: [address] })),
  });
  await api.ok('POST', SERVICES, {
    metadata: { name: API },
    spec: {
      group: 'ext.example.com',
      version: 'v1',
      groupPriorityMinimum: 1,
      versionPriority: 1,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'ext' },
    },
  });
  return api;
}

it('while the first endpoints of a Service are dead, the others are checked too', async () => {
  const asked = new Set<string>();
  vi.spyOn(BackendPool.prototype, 'send').mockImplementation(async ({ host }) => {
    asked.add(host);
    throw new BackendError('unreachable', 'connect: connection refused');
  });
  await using api = await started(Array.from({ length: 10 }, (_, index) => `192.0.2.${index}`));
  // Each failure is followed by another check.
  await vi.waitFor(async () => {
    await api.clock.advance(30_000);
    expect(asked).toContain(GOOD);
  });
  vi.restoreAllMocks();
});

it('a backend that hangs is not available after 5 s, is asked again, and its time moves only with its status', async () => {
  let hangs = true;
  let asked = 0;
  vi.spyOn(BackendPool.prototype, 'send').mockImplementation(async (_, { signal }) => {
    asked += 1;
    if (!hangs) throw new BackendError('unreachable', 'EOF');
    await once(signal, 'abort');
    throw signal.reason;
  });
  await using api = await started([GOOD]);
  const condition = async (): Promise<Json> => (await api.ok('GET', `${SERVICES}/${API}`)).status.conditions?.[0];
  const says = (error: string): Promise<Json> =>
    vi.waitFor(async () => {
      const found = await condition();
      const message = `failing or missing response from ${URL_OF_CHECK}: Get "${URL_OF_CHECK}": ${error}`;
      expect(found).toMatchObject({ type: 'Available', status: 'False', reason: 'FailedDiscoveryCheck', message });
      return found;
    });
  await vi.waitFor(() => expect(asked).toBeGreaterThanOrEqual(5));
  await api.clock.advance(4999);
  expect(await condition()).toBeUndefined();
  await api.clock.advance(1);
  const { lastTransitionTime } = await says('context deadline exceeded');
  // Another failure, at another time: still the same status.
  hangs = false;
  await api.clock.advance(60_000);
  expect(await says('EOF')).toMatchObject({ lastTransitionTime });
  vi.restoreAllMocks();
});
