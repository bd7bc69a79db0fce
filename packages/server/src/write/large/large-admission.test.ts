import { afterAll, beforeAll, expect, it } from 'vitest';
import { InProcessServer } from '../../start/in-process-server.fixture.ts';

const MERGE = { type: 'application/merge-patch+json' };

/** Every write runs in the worker. */
let server: InProcessServer;

beforeAll(async () => {
  server = await InProcessServer.start({ largeWriteBytes: 0 });
});

afterAll(() => server[Symbol.asyncDispose]());

it('a write in the worker is charged to the quotas of its namespace, a dry run is not', async () => {
  const space = '/api/v1/namespaces/default';
  const hard = { configmaps: '1' };
  await server.ok('POST', `${space}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
  const status = { hard, used: { configmaps: '0' } };
  await server.ok('PATCH', `${space}/resourcequotas/q/status`, { status }, MERGE);
  // A list waits until the cache has it, and with it the admission.
  await server.ok('GET', `${space}/resourcequotas`);
  const map = (name: string, query = ''): Promise<{ readonly status: number }> =>
    server.ask('POST', `${space}/configmaps${query}`, { metadata: { name } });
  expect((await map('a', '?dryRun=All')).status).toBe(201);
  expect((await map('a')).status).toBe(201);
  expect((await map('b')).status).toBe(403);
  expect((await server.ok('GET', `${space}/resourcequotas/q`)).status.used).toEqual({ configmaps: '1' });
});

it('a write in the worker is judged by its namespace in the store', async () => {
  const labels = { 'resource.kubernetes.io/admin-access': 'true' };
  await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'admins', labels } });
  await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'others' } });
  const requests = [{ name: 'r', exactly: { deviceClassName: 'd', adminAccess: true } }];
  const claim = { metadata: { name: 'c' }, spec: { devices: { requests } } };
  const statuses = ['admins', 'others'].map(async (namespace) => {
    const path = `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
    return (await server.ask('POST', path, claim)).status;
  });
  expect(await Promise.all(statuses)).toEqual([201, 422]);
});
