/** Raw requests, proxies, tokens and metrics, as a server answers them: ours, and a kube-apiserver where there is one. */

import { once } from 'node:events';
import { createServer as createKubelet } from 'node:https';
import { connect as connectTcp, type Server } from 'node:net';
import { type ApiObject, isNotFound, type Resource, resource } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import { needs, startKubeApiserver, TestAuthority } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { createApiServer, firstAuthenticator, parseTokenFile, tokenAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyYaml, type Cluster, createToken, metrics, proxied } from '../src/index.ts';
import { connect } from '../src/node.ts';

interface StatusObject extends ApiObject {
  readonly status?: unknown;
}

const nodes: Resource<StatusObject> = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const pods: Resource<StatusObject> = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });

/** A server with a user of `system:masters`. */
interface Target extends AsyncDisposable {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

async function ours(): Promise<Target> {
  using authority = new TestAuthority();
  const engine = createMemoryEngine();
  const server = createApiServer({
    engine,
    tls: authority.server(),
    kubelets: {},
    authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile('secret,admin,1,"system:masters"\n'))]),
  });
  await server.listen();
  return {
    url: server.url,
    ca: authority.ca,
    token: 'secret',
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await engine.close();
    },
  };
}

async function kubernetes(): Promise<Target> {
  const server = await startKubeApiserver();
  const { url, ca, token } = server;
  return { url, ca, token, [Symbol.asyncDispose]: () => server.stop() };
}

/** What says what it was asked for, as a kubelet. */
async function startKubelet(): Promise<{ readonly server: Server; readonly port: number }> {
  using authority = new TestAuthority();
  const server = createKubelet(authority.server(), (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(request.url === '/teapot' ? 418 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ method: request.method, url: request.url, body }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

/** The kinds of a server of metrics, stored: the requests and answers are those of an aggregated one. */
const metricsCrd = (plural: string, kind: string, scope: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.metrics.k8s.io
  annotations: { api-approved.kubernetes.io: unapproved }
spec:
  group: metrics.k8s.io
  scope: ${scope}
  names: { plural: ${plural}, kind: ${kind} }
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

const MEASURED = `
apiVersion: metrics.k8s.io/v1beta1
kind: NodeMetrics
metadata: { name: one }
timestamp: "2026-01-01T00:00:00Z"
usage: { cpu: 1500m, memory: 2Gi }
---
apiVersion: metrics.k8s.io/v1beta1
kind: PodMetrics
metadata: { name: web, namespace: default, labels: { app: web } }
timestamp: "2026-01-01T00:00:00Z"
containers:
- { name: a, usage: { cpu: 250m, memory: 64Mi } }
- { name: b, usage: { cpu: "1", memory: 64Mi } }
---
apiVersion: metrics.k8s.io/v1beta1
kind: PodMetrics
metadata: { name: other, namespace: default, labels: { app: other } }
timestamp: "2026-01-01T00:00:00Z"
containers: []
`;

const SERVICE = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: [{ name: http, port: 80 }], selector: { app: web } }
`;

describe.each([
  { name: 'our server', start: ours, part: {}, reachesLoopback: true },
  // It sends no request of a proxy to its own machine, not even for a kubelet.
  { name: 'a kube-apiserver', start: kubernetes, part: needs('kube-apiserver'), reachesLoopback: false },
])('$name', ({ start, part, reachesLoopback }) => {
  describe('answers', part, () => {
    let target: Target;
    let cluster: Cluster;
    let kubelet: Awaited<ReturnType<typeof startKubelet>>;

    beforeAll(async () => {
      target = await start();
      cluster = await connect({ server: target.url, caData: target.ca, token: target.token, namespace: 'default' });
      kubelet = await startKubelet();
      await cluster.create(nodes, { metadata: { name: 'one' } });
      const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
      const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } } };
      await cluster.patch(nodes, { name: 'one' }, { type: 'merge', body: { status } }, { subresource: 'status' });
    }, 120_000);

    afterAll(async () => {
      await cluster?.close();
      await target?.[Symbol.asyncDispose]();
      kubelet?.server.close();
    });

    it('raw requests: what it is, a write, and an error as an answer', async () => {
      const version = await cluster.raw('/version');
      expect(await version.json()).toMatchObject({ major: '1', gitVersion: expect.stringMatching(/^v1\./u) });
      const path = '/api/v1/namespaces/default/configmaps';
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'raw' }, data: { a: 'b' } };
      const created = await cluster.raw(path, { method: 'POST', body });
      expect([created.status, recordOf((await created.json())['data'])]).toEqual([201, { a: 'b' }]);
      const again = await cluster.raw(path, { method: 'POST', body });
      expect([again.status, again.ok, await again.json()]).toMatchObject([409, false, { reason: 'AlreadyExists' }]);
      const table = await cluster.raw(`${path}/raw`, {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      });
      expect(await table.json()).toMatchObject({ kind: 'Table', rows: [{ cells: ['raw', 1, expect.anything()] }] });
      await using health = await cluster.raw('/readyz?verbose');
      expect(await health.text()).toContain('readyz check passed');
    });

    it('a token that logs in as its service account, for the time and the audience that were asked for', async () => {
      await applyYaml(cluster, '{ apiVersion: v1, kind: ServiceAccount, metadata: { name: robot } }');
      const { token, expires } = await createToken(cluster, { name: 'robot' }, { expirationSeconds: 900 });
      const minutes = (expires.getTime() - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(13);
      expect(minutes).toBeLessThan(17);
      await using robot = await connect({ server: target.url, caData: target.ca, token });
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const answer = await robot.raw('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        method: 'POST',
        body: review,
      });
      const { status } = await answer.json();
      expect(recordOf(status)['userInfo']).toMatchObject({ username: 'system:serviceaccount:default:robot' });

      const vault = await createToken(cluster, { name: 'robot' }, { audiences: ['vault'] });
      const [, claims = ''] = vault.token.split('.');
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
        aud: ['vault'],
        sub: 'system:serviceaccount:default:robot',
      });
      await using stranger = await connect({ server: target.url, caData: target.ca, token: vault.token });
      expect((await stranger.raw('/api/v1/namespaces/default/configmaps')).status).toBe(401);
      await expect(createToken(cluster, { name: 'nobody' })).rejects.toSatisfy(isNotFound);
      await expect(createToken(cluster, { name: 'robot' }, { expirationSeconds: 10 })).rejects.toMatchObject({
        httpCode: 422,
      });
    });

    it('for the kubelet of a node, with the method, the path, the body and the status', async () => {
      const node = proxied(cluster, { resource: 'nodes', name: 'one' });
      expect((await proxied(cluster, { resource: 'nodes', name: 'none' }).raw('/')).status).toBe(404);
      const got = await node.raw('/pods/a%20b?c=d');
      if (!reachesLoopback) {
        expect([got.status, textOf((await got.json())['message'])]).toEqual([400, 'address not allowed']);
        return;
      }
      expect(await got.json()).toEqual({ method: 'GET', url: '/pods/a%20b?c=d', body: '' });
      const put = await node.raw('/run', { method: 'POST', body: 'now', headers: { 'content-type': 'text/plain' } });
      expect(await put.json()).toEqual({ method: 'POST', url: '/run', body: 'now' });
      const teapot = await node.raw('/teapot');
      expect([teapot.status, await teapot.json()]).toMatchObject([418, { url: '/teapot' }]);
      const byPort = proxied(cluster, { resource: 'nodes', name: 'one', port: kubelet.port });
      expect(await (await byPort.raw('/')).json()).toMatchObject({ url: '/' });
    });

    it('neither for a Pod on its own machine, nor for a Service without EndpointSlices', async () => {
      const yaml = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: default }
---
apiVersion: v1
kind: Pod
metadata: { name: near }
spec: { nodeName: one, automountServiceAccountToken: false, containers: [{ name: c, image: i }] }
---${SERVICE}`;
      await applyYaml(cluster, yaml);
      const status = { phase: 'Running', podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
      await cluster.patch(pods, { name: 'near' }, { type: 'merge', body: { status } }, { subresource: 'status' });
      const near = await proxied(cluster, { resource: 'pods', name: 'near', port: kubelet.port }).raw('/');
      expect([near.status, textOf((await near.json())['message'])]).toEqual([400, 'address not allowed']);
      for (const port of [80, 'http']) {
        const web = await proxied(cluster, { resource: 'services', name: 'web', port }).raw('/');
        expect([web.status, textOf((await web.json())['message'])]).toEqual([404, 'services "web" not found']);
      }
    });

    it('what Pods and nodes use', async () => {
      const crds = [metricsCrd('pods', 'PodMetrics', 'Namespaced'), metricsCrd('nodes', 'NodeMetrics', 'Cluster')];
      await applyYaml(cluster, [...crds, MEASURED].join('---'));
      const usage = metrics(cluster);
      const measured = await eventually('the nodes are listed', async () => {
        const found = await usage.nodes();
        return found.length > 0 ? found : undefined;
      });
      const texts = measured.map(({ name, cpu, memory, timestamp }) => [name, String(cpu), String(memory), timestamp]);
      expect(texts).toEqual([['one', '1500m', '2Gi', '2026-01-01T00:00:00Z']]);
      const [web, ...others] = await usage.pods({ namespace: 'default', labelSelector: 'app=web' });
      expect(others).toEqual([]);
      expect([web?.name, web?.namespace, String(web?.cpu), String(web?.memory)]).toEqual([
        'web',
        'default',
        '1250m',
        '128Mi',
      ]);
      expect(web?.containers.map(({ name, cpu }) => [name, String(cpu)])).toEqual([
        ['a', '250m'],
        ['b', '1'],
      ]);
      expect((await usage.pods()).map(({ name }) => name)).toEqual(['other', 'web']);
    });
  });
});

it('a Pod and a Service are reached by their port, its name and their scheme', async () => {
  const reached: string[] = [];
  const kubelet = await startKubelet();
  const engine = createMemoryEngine();
  using authority = new TestAuthority();
  const server = createApiServer({
    engine,
    tls: authority.server(),
    authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile('secret,admin,1,"system:masters"\n'))]),
    // Through a tunnel, because no server connects to a Pod at its own machine.
    kubelets: {
      connect: async (host, port, signal) => {
        reached.push(`${host}:${port}`);
        const socket = connectTcp({ host: '127.0.0.1', port: kubelet.port });
        await once(socket, 'connect', { signal });
        return socket;
      },
    },
  });
  await server.listen();
  const cluster = await connect({ server: server.url, caData: authority.ca, token: 'secret', namespace: 'default' });
  await applyYaml(
    cluster,
    `
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec: { containers: [{ name: c, image: i, ports: [{ containerPort: 8080 }] }] }
---${SERVICE}---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: http, port: 8080 }]
endpoints: [{ addresses: [10.1.2.3], targetRef: { kind: Pod, namespace: default, name: web } }]
`,
  );
  const status = { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] };
  await cluster.patch(pods, { name: 'web' }, { type: 'merge', body: { status } }, { subresource: 'status' });
  for (const [kind, port] of [
    ['pods', undefined],
    ['pods', 9090],
    ['services', 80],
    ['services', 'http'],
  ] as const) {
    const web = proxied(cluster, { resource: kind, name: 'web', port, scheme: 'https' });
    expect(await (await web.raw('/x?y=z')).json()).toMatchObject({ url: '/x?y=z' });
  }
  expect(reached).toEqual(['10.1.2.3:8080', '10.1.2.3:9090', '10.1.2.3:8080', '10.1.2.3:8080']);
  await cluster.close();
  await server.close();
  await engine.close();
  kubelet.server.close();
});
