import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs, requireRealPart, TestAuthority } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Backend, json } from './backend.fixture.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const run = promisify(execFile);
const ROOT = { name: 'root', groups: ['system:masters'] };
const GROUP = 'metrics.k8s.io/v1beta1';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A metrics API of the smallest kind. */
function metricsBackend(clientCa: string): Backend {
  const backend = new Backend({ clientCa, names: ['DNS:metrics.default.svc'] });
  const verbs = ['get', 'list'];
  backend.discovery = (_, response) =>
    json(response, {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: GROUP,
      resources: [
        { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs },
        { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs },
      ],
    });
  const times = { timestamp: '2026-11-18T12:00:00Z', window: '10s' };
  const usage = { cpu: '123m', memory: '456Mi' };
  backend.behaviour = (request, response) => {
    const isNodes = request.url?.includes('/nodes') === true;
    const item = isNodes
      ? { metadata: { name: 'worker' }, ...times, usage }
      : { metadata: { name: 'web', namespace: 'default' }, ...times, containers: [{ name: 'c', usage }] };
    json(response, {
      kind: isNodes ? 'NodeMetricsList' : 'PodMetricsList',
      apiVersion: GROUP,
      metadata: {},
      items: [item],
    });
  };
  return backend;
}

describe('kubectl top', needs('kubectl'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-top-'));
  const proxies = new TestAuthority('front-proxy-ca');
  const client = proxies.client('/CN=front-proxy-client');
  const backend = metricsBackend(proxies.ca);
  let target: TestServer;

  const post = async (path: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', path, headers, body: Buffer.from(JSON.stringify(body)) };
    const { status } = await target.server.handle(sent, { user: ROOT });
    expect(status).toBe(201);
  };
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const config = [
      `--server=${target.url}`,
      `--token=${target.token}`,
      `--certificate-authority=${join(folder, 'ca')}`,
    ];
    const env = { PATH: process.env['PATH'], HOME: folder };
    const { stdout } = await run(requireRealPart('kubectl'), [...args, ...config, `--cache-dir=${folder}`], { env });
    return stdout.replaceAll(/ +/gu, ' ');
  };

  beforeAll(async () => {
    await backend.listen();
    target = await startTestServer(createMemoryEngine(), { aggregation: { proxyClient: () => client } });
    writeFileSync(join(folder, 'ca'), target.ca ?? '');
    const allocatable = { cpu: '2', memory: '1Gi' };
    await post('/api/v1/nodes', { metadata: { name: 'worker' }, status: { allocatable, capacity: allocatable } });
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    await post('/api/v1/namespaces/default/services', { metadata: { name: 'metrics' }, spec });
    await post('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        caBundle: backend.caBundle,
        service: { namespace: 'default', name: 'metrics', port: backend.port },
      },
    });
    await vi.waitFor(async () => expect(await kubectl('get', 'apiservices')).toContain('default/metrics True'), {
      timeout: 60_000,
    });
  });
  afterAll(async () => {
    await target[Symbol.asyncDispose]();
    await backend.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows what a metrics API behind the server says', async () => {
    await vi.waitFor(async () => expect(await kubectl('top', 'nodes')).toContain('worker 123m 6% 456Mi 44%'), {
      timeout: 60_000,
    });
    expect(await kubectl('top', 'pods')).toContain('web 123m 456Mi');
  });

  it('says that there is no metrics API when its backend is down', async () => {
    await backend.close();
    const body = Buffer.from(JSON.stringify({ metadata: { labels: { touched: 'yes' } } }));
    const headers = { 'content-type': 'application/merge-patch+json' };
    await target.server.handle(
      { method: 'PATCH', path: '/api/v1/namespaces/default/services/metrics', headers, body },
      { user: ROOT },
    );
    await vi.waitFor(
      async () => expect(await kubectl('get', 'apiservices')).toContain('False (FailedDiscoveryCheck)'),
      {
        timeout: 60_000,
      },
    );
    rmSync(join(folder, 'discovery'), { recursive: true, force: true });
    await expect(kubectl('top', 'nodes')).rejects.toThrow('Metrics API not available');
  });
});
