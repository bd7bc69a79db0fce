/** Aggregation with the programs of Kubernetes: their sample server behind ours, and ours behind their server. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePorts,
  needs,
  requireRealPart,
  startEtcd,
  startKubeApiserver,
  TestAuthority,
} from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it, vi } from 'vitest';
import { startTestServer } from './test-server.ts';

const WAIT = { timeout: 120_000, interval: 100 };
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

vi.setConfig({ testTimeout: 300_000 });

interface Target {
  readonly url: string;
  readonly token: string;
  readonly ca?: string | undefined;
}

/** Decoded JSON of which a test asks for members by their paths. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

async function ask(
  target: Target,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Json }> {
  const sent = request(`${target.url}${path}`, {
    method,
    ca: target.ca,
    agent: false,
    headers: { authorization: `Bearer ${target.token}`, ...(body && { 'content-type': 'application/json' }) },
  });
  sent.end(body && JSON.stringify(body));
  const response = await once(sent, 'response');
  let text = '';
  for await (const chunk of response[0]) text += String(chunk);
  try {
    return { status: response[0].statusCode, body: JSON.parse(text) };
  } catch {
    return { status: response[0].statusCode, body: text };
  }
}

/** Registers a backend on this machine, and waits until it is available. */
async function register(
  target: Target,
  { group, version, port, ca }: { group: string; version: string; port: number; ca: string },
): Promise<void> {
  const name = `${version}.${group}`;
  await ask(target, 'POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'backend' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  const made = await ask(target, 'POST', SERVICES, {
    metadata: { name },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle: Buffer.from(ca).toString('base64'),
      service: { namespace: 'default', name: 'backend', port },
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await vi.waitFor(async () => {
    const { body } = await ask(target, 'GET', `${SERVICES}/${name}`);
    expect(body.status.conditions).toMatchObject([{ type: 'Available', status: 'True', reason: 'Passed' }]);
  }, WAIT);
}

/** The events of a watch as they come. */
async function firstEvent(target: Target, path: string): Promise<string> {
  const sent = request(`${target.url}${path}`, {
    ca: target.ca,
    agent: false,
    headers: { authorization: `Bearer ${target.token}` },
  });
  sent.end();
  const [response] = await once(sent, 'response');
  const [chunk] = await once(response, 'data');
  sent.on('error', () => undefined).destroy();
  return String(chunk);
}

describe('the sample server of Kubernetes behind ours', needs('sample-apiserver'), () => {
  it('is found, and its objects are created, listed, watched and deleted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'listwatch-sample-apiserver-'));
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const etcd = await startEtcd();
    using proxies = new TestAuthority('front-proxy-ca');
    using authority = new TestAuthority('backend-authority');
    const client = proxies.client('/CN=front-proxy-client');
    const ours = await startTestServer(createMemoryEngine(), {
      aggregation: {
        proxyClient: () => client,
        proxyClientCa: proxies.ca,
        requestHeader: { allowedNames: ['front-proxy-client'] },
      },
    });
    const [port = 0] = await freePorts(1);
    const { cert, key } = authority.server(['DNS:backend.default.svc', 'DNS:localhost']);
    const user = { name: 'u', user: { token: ours.token } };
    const cluster = {
      name: 'c',
      cluster: { server: ours.url, 'certificate-authority-data': Buffer.from(ours.ca ?? '').toString('base64') },
    };
    const kubeconfig = file(
      'kubeconfig',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'x',
        clusters: [cluster],
        users: [user],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      }),
    );
    const child = spawn(
      requireRealPart('sample-apiserver'),
      [
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        `--etcd-servers=${etcd.endpoint}`,
        `--tls-cert-file=${file('tls.crt', cert)}`,
        `--tls-private-key-file=${file('tls.key', key)}`,
        `--kubeconfig=${kubeconfig}`,
        `--authentication-kubeconfig=${kubeconfig}`,
        `--authorization-kubeconfig=${kubeconfig}`,
        '--enable-priority-and-fairness=false',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let log = '';
    child.stderr.on('data', (data: Buffer) => {
      log = (log + data.toString()).slice(-4000);
    });
    try {
      const group = 'wardle.example.com';
      await register(ours, { group, version: 'v1alpha1', port, ca: authority.ca }).catch((error: unknown) => {
        throw new Error(`the sample server says: ${log}`, { cause: error });
      });
      const path = `/apis/${group}/v1alpha1/namespaces/default/flunders`;
      const made = await ask(ours, 'POST', path, {
        apiVersion: `${group}/v1alpha1`,
        kind: 'Flunder',
        metadata: { name: 'one' },
        spec: {},
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      expect((await ask(ours, 'GET', path)).body.items).toHaveLength(1);
      expect(await firstEvent(ours, `${path}?watch=true`)).toContain('"type":"ADDED"');
      expect((await ask(ours, 'GET', `/apis/${group}`)).body).toMatchObject({
        preferredVersion: { version: 'v1alpha1' },
      });
      await vi.waitFor(async () => {
        const { paths } = (await ask(ours, 'GET', '/openapi/v3')).body;
        expect(paths).toHaveProperty([`apis/${group}/v1alpha1`]);
      }, WAIT);
      const document = await ask(ours, 'GET', `/openapi/v3/apis/${group}/v1alpha1`);
      expect(Object.keys(document.body.paths)).toContain(`/apis/${group}/v1alpha1/flunders`);
      expect((await ask(ours, 'DELETE', `${path}/one`)).status).toBe(200);
    } finally {
      child.kill('SIGKILL');
      await ours[Symbol.asyncDispose]();
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('our server behind kube-apiserver', needs('kube-apiserver'), () => {
  it('adds an API to the cluster, and knows the users of the cluster', async () => {
    using proxies = new TestAuthority('front-proxy-ca');
    using authority = new TestAuthority('backend-authority');
    const folder = mkdtempSync(join(tmpdir(), 'listwatch-aggregated-'));
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const client = proxies.client('/CN=front-proxy-client');
    const cluster = await startKubeApiserver({
      flags: [
        `--requestheader-client-ca-file=${file('proxy-ca.crt', proxies.ca)}`,
        '--requestheader-allowed-names=front-proxy-client',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        `--proxy-client-cert-file=${file('proxy.crt', client.cert)}`,
        `--proxy-client-key-file=${file('proxy.key', client.key)}`,
      ],
    });
    const ours = await startTestServer(createMemoryEngine(), {
      tls: { ...authority.server(['DNS:backend.default.svc', 'IP:127.0.0.1']), requestHeaderCa: proxies.ca },
      authentication: { requestHeader: { allowedNames: ['front-proxy-client'] } },
    });
    try {
      const direct = { url: ours.url, token: ours.token, ca: authority.ca };
      const group = 'toys.example.com';
      const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
      await ask(direct, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: `robots.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'robots', singular: 'robot', kind: 'Robot', listKind: 'RobotList' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      });
      await register(cluster, { group, version: 'v1', port: Number(new URL(ours.url).port), ca: authority.ca });
      const path = `/apis/${group}/v1/namespaces/default/robots`;
      const robot = { apiVersion: `${group}/v1`, kind: 'Robot', metadata: { name: 'r' } };
      const made = await ask(cluster, 'POST', path, robot);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      expect((await ask(cluster, 'GET', path)).body.items).toHaveLength(1);
      expect((await ask(direct, 'GET', `${path}/r`)).body.metadata.uid).toBe(made.body.metadata.uid);
      expect(await firstEvent(cluster, `${path}?watch=true`)).toContain('"type":"ADDED"');
      await vi.waitFor(async () => {
        const { paths } = (await ask(cluster, 'GET', '/openapi/v3')).body;
        expect(paths).toHaveProperty([`apis/${group}/v1`]);
      }, WAIT);
    } finally {
      await ours[Symbol.asyncDispose]();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
