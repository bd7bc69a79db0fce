import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiObject, resource } from '@listwatch/api';
import { applyYaml, type Cluster, connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { startControllers } from '@listwatch/controllers';
import { deployments as builtInDeployments } from '@listwatch/kinds';
import { conditionIs, deleted, fieldIs, waitFor } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExampleProcess } from './example-process.fixture.ts';
import { deployments, services } from './expose/expose.ts';
import { website } from './website/website.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface KubeEvent extends ApiObject {
  readonly reason?: string;
  readonly note?: string;
  readonly regarding?: { readonly name?: string };
}

const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });
const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const events = resource<KubeEvent>({
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
});
const WAIT = { timeout: 20_000 };

/** A server with controllers for namespaces and garbage. */
interface ExampleServer extends AsyncDisposable {
  readonly cluster: Cluster;
  /** The path of a kubeconfig. */
  readonly kubeconfig: string;
}

async function startOwn(): Promise<ExampleServer> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-example-'));
  const env = await startTestServer({ listen: true });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, env.kubeconfig);
  return {
    cluster: env.cluster,
    kubeconfig,
    [Symbol.asyncDispose]: async () => {
      await env.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function startReal(): Promise<ExampleServer> {
  const server = await startKubeApiserver();
  const cluster = await connect({ kubeconfig: server.kubeconfig });
  const controllers = startControllers(cluster, {
    controllers: ['namespace-controller', 'garbage-collector-controller'],
    namespaceGraceMs: 0,
  });
  await controllers.ready;
  return {
    cluster,
    kubeconfig: server.kubeconfig,
    [Symbol.asyncDispose]: async () => {
      await controllers.close();
      await cluster.close();
      await server.stop();
    },
  };
}

/** The same examples with the same results on every server. */
function describeExamples(start: () => Promise<ExampleServer>): void {
  let server: ExampleServer;
  let cluster: Cluster;
  let kubeconfig = '';

  beforeAll(async () => {
    server = await start();
    ({ cluster, kubeconfig } = server);
  }, 180_000);

  afterAll(() => server[Symbol.asyncDispose]());

  beforeEach(() => vi.stubEnv('PORT', '0'));

  afterEach(async () => {
    vi.unstubAllEnvs();
    await cluster.deleteCollection(pods, { namespace: 'default' }, { gracePeriodSeconds: 0 });
    await cluster.deleteCollection(configMaps, { namespace: 'default' });
  });

  const apply = (yaml: string): Promise<unknown> => applyYaml(cluster, yaml);

  /** Creates a pod, or changes its phase as the kubelet would. */
  async function putPod(name: string, image: string, phase = 'Running'): Promise<void> {
    const spec = { nodeName: 'n1', containers: [{ name: 'main', image }] };
    await apply(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }));
    const patch = { type: 'merge', body: { status: { phase } } } as const;
    await cluster.patch(pods, { namespace: 'default', name }, patch, { subresource: 'status' });
  }

  it('expose gives a Deployment a Service and a route, and takes both back', async () => {
    await using example = new ExampleProcess('expose/main.ts', kubeconfig);
    await apply(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, labels: { expose: "8080" } }
      spec:
        selector: { matchLabels: { app: web } }
        template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "web:1" }] } }
    `);
    const web = { namespace: 'default', name: 'web' };
    await waitFor(cluster, deployments, web, conditionIs('Exposed'));
    expect(await cluster.get(services, web)).toMatchObject({ spec: { ports: [{ targetPort: 8080 }] } });
    await example.says('route default/web -> web.default.svc:80\n');
    await cluster.delete(deployments, web);
    await example.says('no route to default/web\n');
    await waitFor(cluster, services, web, deleted);
    expect(await example.interrupt()).toBe(0);
  });

  it('website installs its CRD, and gives a Website a Deployment, a Service and a status until it is deleted', async () => {
    await using example = new ExampleProcess('website/main.ts', kubeconfig);
    const crds = {
      group: 'apiextensions.k8s.io',
      plural: 'customresourcedefinitions',
      kind: 'CustomResourceDefinition',
    };
    const definitions = resource({ version: 'v1', namespaced: false, ...crds });
    await waitFor(cluster, definitions, website.crd.metadata, conditionIs('Established'));
    const shop = { namespace: 'default', name: 'shop' };
    const spec = { host: 'shop.example.com', image: 'shop:1', replicas: 2 };
    await cluster.create(website.resource, website.object({ metadata: shop, spec }));
    await example.says('shop.example.com -> shop.default.svc\n');
    // As the Deployment controller would.
    const body = { status: { replicas: 2, readyReplicas: 2 } };
    await cluster.patch(builtInDeployments, shop, { type: 'merge', body }, { subresource: 'status' });
    const ready = await waitFor(cluster, website.resource, shop, conditionIs('Ready'));
    expect(ready).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Website',
      metadata: {
        ...shop,
        uid: expect.any(String),
        resourceVersion: expect.any(String),
        creationTimestamp: expect.any(String),
        generation: 1,
        finalizers: ['example.com/dns'],
        managedFields: expect.any(Array),
      },
      spec,
      status: {
        replicas: 2,
        selector: 'website=shop',
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'AllReplicasReady',
            message: '2 of 2 replicas are ready',
            lastTransitionTime: expect.any(String),
            observedGeneration: 1,
          },
        ],
      },
    });
    expect(fieldManagers(ready)).toEqual(['Update', 'website-operator Update', 'website-operator Update status']);
    const owned = await cluster.get(deployments, shop);
    expect(owned.metadata.ownerReferences).toMatchObject([{ kind: 'Website', name: 'shop', controller: true }]);
    expect(fieldManagers(owned)).toEqual(['website-operator Apply', 'Update status']);
    await cluster.patch(website.resource, shop, { type: 'merge', body: { spec: { replicas: 3 } } });
    await waitFor(cluster, deployments, shop, fieldIs('{.spec.replicas}', 3));
    await waitFor(cluster, website.resource, shop, conditionIs('Ready', 'False'));
    await cluster.delete(website.resource, shop);
    await example.says('no shop.example.com\n');
    await waitFor(cluster, deployments, shop, deleted);
    await waitFor(cluster, services, shop, deleted);
    expect(await example.interrupt()).toBe(0);
  });

  it('config-map-per-namespace.ts keeps a copy in every chosen namespace', async () => {
    const copy = async (namespace: string): Promise<unknown> =>
      (await cluster.list(configMaps, { namespace, fieldSelector: 'metadata.name=company' })).items[0]?.data;
    await apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: company }, data: { colour: green } }');
    await apply('{ apiVersion: v1, kind: Namespace, metadata: { name: one, labels: { company: "yes" } } }');
    await apply('{ apiVersion: v1, kind: Namespace, metadata: { name: two } }');
    await using example = new ExampleProcess('config-map-per-namespace.ts', kubeconfig);
    await vi.waitFor(async () => expect(await copy('one')).toEqual({ colour: 'green' }), WAIT);
    await apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: company }, data: { colour: blue } }');
    await vi.waitFor(async () => expect(await copy('one')).toEqual({ colour: 'blue' }), WAIT);
    await cluster.patch(
      configMaps,
      { namespace: 'one', name: 'company' },
      { type: 'merge', body: { data: { colour: 'red' } } },
    );
    await vi.waitFor(async () => expect(await copy('one')).toEqual({ colour: 'blue' }), WAIT);
    const label = (company: string | null): Promise<unknown> =>
      cluster.patch(namespaces, { name: 'one' }, { type: 'merge', body: { metadata: { labels: { company } } } });
    await label(null);
    await vi.waitFor(async () => expect(await copy('one')).toBeUndefined(), WAIT);
    expect(await copy('two')).toBeUndefined();
    expect(await example.interrupt()).toBe(0);
  });

  it('policy-checker.ts reports pods that break a rule as Events, also those that were there before', async () => {
    await putPod('good', 'web:1');
    await putPod('bad', 'web');
    await using example = new ExampleProcess('policy-checker.ts', kubeconfig);
    await example.says('default/good: ok\n');
    await example.says('default/bad: container main: the image web has no fixed version\n');
    await vi.waitFor(async () => {
      const { items } = await cluster.list(events, { namespace: 'default', fieldSelector: 'reason=PolicyViolation' });
      expect(items).toMatchObject([
        { reason: 'PolicyViolation', regarding: { name: 'bad' }, note: expect.stringContaining('no fixed version') },
      ]);
    }, WAIT);
    await cluster.patch(
      pods,
      { namespace: 'default', name: 'bad' },
      {
        type: 'json',
        body: [{ op: 'replace', path: '/spec/containers/0/image', value: 'example.org:5000/web@sha256:0' }],
      },
    );
    await example.says('default/bad: ok\n');
    expect(await example.interrupt()).toBe(0);
  });

  it('dashboard-feed.ts sends a page all pods and then every change', async () => {
    await putPod('one', 'web:1');
    await using example = new ExampleProcess('dashboard-feed.ts', kubeconfig);
    await example.says('port: ');
    const [, port] = /port: (\d+)/u.exec(example.output) ?? [];
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('EventSource');
    const feed = await fetch(`http://127.0.0.1:${port}/feed`);
    expect(feed.headers.get('content-type')).toBe('text/event-stream');
    const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.unreachable();
    let text = '';
    const says = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += (await reader.read()).value ?? expect.unreachable(text);
    };
    await says('event: pod\ndata: {"key":"default/one","node":"n1","phase":"Running"}\n\n');
    await putPod('one', 'web:1', 'Failed');
    await says('"phase":"Failed"');
    await cluster.delete(pods, { namespace: 'default', name: 'one' }, { gracePeriodSeconds: 0 });
    await says('event: gone\ndata: {"key":"default/one"}\n\n');
    expect(await example.interrupt()).toBe(0);
  });

  it('leader-pair.ts works in one process, and in the other when that ends', async () => {
    await apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }');
    await using one = new ExampleProcess('leader-pair.ts', kubeconfig, 'one');
    await one.says('one reconciles default/a\n');
    await using two = new ExampleProcess('leader-pair.ts', kubeconfig, 'two');
    await two.says('two waits for the lease\n');
    expect(await one.interrupt()).toBe(0);
    await two.says('two reconciles default/a\n');
    expect(one.output).toMatch(/one has stopped\n$/u);
    expect(await two.interrupt()).toBe(0);
  });
}

/** Who owns fields of the object, and how; without the name of this process, which depends on the program that runs the tests. */
function fieldManagers(object: ApiObject | undefined): readonly string[] {
  return (object?.metadata.managedFields ?? []).map(({ manager, operation, subresource }) =>
    [manager === 'website-operator' ? manager : '', operation, subresource].join(' ').trim(),
  );
}

describe('on our server, the examples of controllers', () => describeExamples(startOwn));

describe('on a real kube-apiserver, the examples of controllers', { ...needs('kube-apiserver'), timeout: 60_000 }, () =>
  describeExamples(startReal),
);
