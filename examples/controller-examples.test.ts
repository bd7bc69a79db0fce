import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiObject, resource } from '@listwatch/api';
import { conditionIs, deleted, waitFor } from '@listwatch/runtime';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExampleProcess } from './example-process.test-d.ts';
import { deployments, services } from './expose/expose.ts';

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

let folder = '';
let env: TestEnvironment;
let kubeconfig = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-example-'));
  env = await startTestServer({ listen: true });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, env.kubeconfig);
  vi.stubEnv('PORT', '0');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await env.close();
  rmSync(folder, { recursive: true });
});

function pod(name: string, image: string, phase = 'Running'): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { nodeName: 'n1', containers: [{ name: 'main', image }] },
    status: { phase },
  };
}

describe('the examples of controllers', () => {
  it('expose gives a Deployment a Service and a route, and takes both back', async () => {
    await using example = new ExampleProcess('expose/main.ts', kubeconfig);
    await env.apply(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, labels: { expose: "8080" } }
      spec:
        selector: { matchLabels: { app: web } }
        template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "web:1" }] } }
    `);
    const web = { namespace: 'default', name: 'web' };
    await waitFor(env.cluster, deployments, web, conditionIs('Exposed'));
    expect(await env.cluster.get(services, web)).toMatchObject({ spec: { ports: [{ targetPort: 8080 }] } });
    await example.says('route default/web -> web.default.svc:80\n');
    await env.cluster.delete(deployments, web);
    await example.says('no route to default/web\n');
    await waitFor(env.cluster, services, web, deleted);
    expect(await example.interrupt()).toBe(0);
  });

  it('config-map-per-namespace.ts keeps a copy in every chosen namespace', async () => {
    const copy = async (namespace: string): Promise<unknown> =>
      (await env.cluster.list(configMaps, { namespace, fieldSelector: 'metadata.name=company' })).items[0]?.data;
    await env.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: company }, data: { colour: green } }');
    await env.apply('{ apiVersion: v1, kind: Namespace, metadata: { name: one, labels: { company: "yes" } } }');
    await env.apply('{ apiVersion: v1, kind: Namespace, metadata: { name: two } }');
    await using example = new ExampleProcess('config-map-per-namespace.ts', kubeconfig);
    await vi.waitFor(async () => expect(await copy('one')).toEqual({ colour: 'green' }), WAIT);
    await env.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: company }, data: { colour: blue } }');
    await vi.waitFor(async () => expect(await copy('one')).toEqual({ colour: 'blue' }), WAIT);
    await env.cluster.patch(
      configMaps,
      { namespace: 'one', name: 'company' },
      { type: 'merge', body: { data: { colour: 'red' } } },
    );
    await vi.waitFor(async () => expect(await copy('one')).toEqual({ colour: 'blue' }), WAIT);
    const label = (company: string | null): Promise<unknown> =>
      env.cluster.patch(namespaces, { name: 'one' }, { type: 'merge', body: { metadata: { labels: { company } } } });
    await label(null);
    await vi.waitFor(async () => expect(await copy('one')).toBeUndefined(), WAIT);
    expect(await copy('two')).toBeUndefined();
    expect(await example.interrupt()).toBe(0);
  });

  it('policy-checker.ts reports pods that break a rule as Events, also those that were there before', async () => {
    await env.apply([pod('good', 'web:1'), pod('bad', 'web')]);
    await using example = new ExampleProcess('policy-checker.ts', kubeconfig);
    await example.says('default/good: ok\n');
    await example.says('default/bad: container main: the image web has no fixed version\n');
    await vi.waitFor(async () => {
      const { items } = await env.cluster.list(events, { namespace: 'default' });
      expect(items).toMatchObject([
        { reason: 'PolicyViolation', regarding: { name: 'bad' }, note: expect.stringContaining('no fixed version') },
      ]);
    }, WAIT);
    await env.cluster.patch(
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
    await env.apply(pod('one', 'web:1'));
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
    await env.apply(pod('one', 'web:1', 'Failed'));
    await says('"phase":"Failed"');
    await env.cluster.delete(pods, { namespace: 'default', name: 'one' }, { gracePeriodSeconds: 0 });
    await says('event: gone\ndata: {"key":"default/one"}\n\n');
    expect(await example.interrupt()).toBe(0);
  });

  it('leader-pair.ts works in one process, and in the other when that ends', async () => {
    await env.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }');
    await using one = new ExampleProcess('leader-pair.ts', kubeconfig, 'one');
    await one.says('one reconciles default/a\n');
    await using two = new ExampleProcess('leader-pair.ts', kubeconfig, 'two');
    await two.says('two waits for the lease\n');
    expect(await one.interrupt()).toBe(0);
    await two.says('two reconciles default/a\n');
    expect(one.output).toMatch(/one has stopped\n$/u);
    expect(await two.interrupt()).toBe(0);
  });
});
