import { describe, expect, it } from 'vitest';
import { type Asked, InProcessServer } from '../../start/in-process-server.fixture.ts';

const ROOT = '/apis/resource.k8s.io/v1/namespaces/default';
const WHY =
  'admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace';
const devices = { requests: [{ name: 'r', exactly: { deviceClassName: 'c.example.com', adminAccess: true } }] };
const CLAIM = { metadata: { name: 'a' }, spec: { devices } };
const TEMPLATE = { metadata: { name: 'a' }, spec: { spec: { devices } } };

const said = ({ status, body }: Asked): unknown[] => [status, body.details?.causes?.[0]];

describe('a claim for devices that others use', () => {
  it.each([
    ['resourceclaims', CLAIM],
    ['resourceclaimtemplates', TEMPLATE],
  ])('of %s is refused until the namespace says that its users may have it', async (plural, body) => {
    await using server = await InProcessServer.start();
    expect(said(await server.ask('POST', `${ROOT}/${plural}`, body))).toEqual([
      422,
      { reason: 'FieldValueForbidden', message: `Forbidden: ${WHY}`, field: 'spec.devices.requests[0].adminAccess' },
    ]);
    await label(server);
    expect((await server.ask('POST', `${ROOT}/${plural}`, body)).status).toBe(201);
  });

  it('is not allocated in a namespace that has lost its label', async () => {
    await using server = await InProcessServer.start();
    await label(server);
    await server.ok('POST', `${ROOT}/resourceclaims`, CLAIM);
    await label(server, null);
    const results = [{ request: 'r', driver: 'd.example.com', pool: 'p', device: 'g', adminAccess: true }];
    const status = { allocation: { devices: { results } } };
    const change = JSON.stringify({ status });
    const type = 'application/merge-patch+json';
    expect(said(await server.ask('PATCH', `${ROOT}/resourceclaims/a/status`, change, { type }))).toEqual([
      422,
      expect.objectContaining({ field: 'status.allocation.devices.results[0].adminAccess' }),
    ]);
  });
});

async function label(server: InProcessServer, value: string | null = 'true'): Promise<void> {
  const labels = { 'resource.kubernetes.io/admin-access': value };
  await server.ok('PATCH', '/api/v1/namespaces/default', JSON.stringify({ metadata: { labels } }), {
    type: 'application/merge-patch+json',
  });
}
