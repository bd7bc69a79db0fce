import { type Clock, isInvalid, isNotFound, resource } from '@listwatch/api';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { configMaps } from '../../test/config-maps.ts';
import { ObservedServer } from '../../test/observed-server.ts';
import { createCluster } from '../create-cluster.ts';
import { isNoMatch } from '../discovery/no-match-error.ts';
import { restMapper } from '../discovery/rest-mapper.ts';
import { createLoopbackTransport } from '../transport/carriers/loopback-transport.ts';
import { type ApplyError, isApplyError } from './apply-error.ts';
import { type AppliedDocument, applyYaml } from './apply-yaml.ts';

const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });
const lines = (documents: readonly AppliedDocument[]) =>
  documents.map(
    ({ index, kind, name, namespace = '-', outcome }) => `${index} ${kind} ${namespace}/${name} ${outcome}`,
  );
const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
});

async function failureOf(work: Promise<unknown>): Promise<ApplyError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isApplyError(error) ? error : expect.unreachable(`it did not fail to apply: ${String(error)}`);
}

describe('documents', () => {
  let server: ObservedServer;

  beforeEach(async () => {
    server = await ObservedServer.start();
  });

  afterEach(() => server[Symbol.asyncDispose]());

  it('are applied in the order in which they need each other, and told what was done', async () => {
    const yaml = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: team }
data: { a: "1" }
---
apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: ServiceAccount, metadata: { name: robot, namespace: team } }
- { apiVersion: v1, kind: Namespace, metadata: { name: team, labels: { a: b } } }
---
# nothing
---
apiVersion: v1
kind: ConfigMap
metadata: { name: here }
`;
    const created = [
      '2 Namespace -/team created',
      '1 ServiceAccount team/robot created',
      '0 ConfigMap team/settings created',
      '3 ConfigMap own/here created',
    ];
    const namespace = 'own';
    await server.others.create(namespaces, { metadata: { name: namespace } });
    const seen: AppliedDocument[] = [];
    const result = await applyYaml(server.cluster, yaml, { namespace, onApplied: (each) => seen.push(each) });
    expect(lines(result)).toEqual(created);
    expect(seen).toEqual(result);
    expect(result[2]?.object).toMatchObject({ data: { a: '1' } });

    const changed = yaml.replace('a: "1"', 'b: "2"');
    expect(lines(await applyYaml(server.cluster, changed, { namespace }))).toEqual(
      created.map((line) => line.replace('created', line.includes('settings') ? 'configured' : 'unchanged')),
    );
    const { data } = await server.others.get(configMaps, { name: 'settings', namespace: 'team' });
    expect(data).toEqual({ b: '2' });
  });

  it('may be objects, and share a mapper', async () => {
    const mapper = restMapper(server.cluster);
    await applyYaml(server.cluster, configMap('a'), { mapper });
    server.requests.length = 0;
    await applyYaml(server.cluster, [configMap('b'), configMap('c')], { mapper });
    expect(server.requests.filter(({ path }) => path === '/api' || path === '/apis')).toEqual([]);
  });

  it('of a cluster-wide kind lose their namespace', async () => {
    const [done] = await applyYaml(server.cluster, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a', namespace: 'b' },
    });
    expect(done).toMatchObject({ kind: 'Namespace', namespace: undefined, outcome: 'created' });
  });

  it('of an unknown kind are refused before anything is written', async () => {
    const misspelt = { ...configMap('b'), kind: 'ConfigMpa' };
    const error = await failureOf(applyYaml(server.cluster, [configMap('a'), misspelt]));
    expect(error).toMatchObject({ document: { index: 1, kind: 'ConfigMpa', name: 'b' }, applied: [] });
    expect(isNoMatch(error.cause)).toBe(true);
    expect(server.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('that the server refuses say which one and what was done before', async () => {
    const error = await failureOf(applyYaml(server.cluster, [configMap('a'), configMap('Not_A_Name'), configMap('c')]));
    expect(error.message).toMatch(/^object 2, ConfigMap Not_A_Name: .* \(1 of 3 were applied before\)$/su);
    expect(error.document).toEqual({ index: 1, apiVersion: 'v1', kind: 'ConfigMap', name: 'Not_A_Name' });
    expect(lines(error.applied)).toEqual(['0 ConfigMap default/a created']);
    expect(isInvalid(error.cause)).toBe(true);
    await expect(server.others.get(configMaps, { name: 'c' })).rejects.toSatisfy(isNotFound);
  });

  it.each([
    [{ metadata: { name: '../../secrets/x' } }, 'name "../../secrets/x"'],
    [{ metadata: { name: 'a', namespace: '../kube-system' } }, 'namespace "../kube-system"'],
  ])('with names that are paths are refused: %j', async (parts, message) => {
    const error = await failureOf(applyYaml(server.cluster, { ...configMap('a'), ...parts }));
    expect(error.message).toContain(message);
    expect(server.requests.every(({ path }) => path === '/api' || path === '/apis')).toBe(true);
  });

  it.each([
    ['a: [', TypeError],
    ['kind: Pod', TypeError],
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'a-' } }, TypeError],
  ])('that cannot be read are refused without a request: %j', async (source, type) => {
    await expect(applyYaml(server.cluster, source)).rejects.toThrow(type);
    expect(server.requests).toEqual([]);
  });

  it('are left alone by a dry run', async () => {
    expect(lines(await applyYaml(server.cluster, configMap('a'), { dryRun: true }))).toEqual([
      '0 ConfigMap default/a created',
    ]);
    await expect(server.others.get(configMaps, { name: 'a' })).rejects.toSatisfy(isNotFound);
  });

  it('stop at the signal, with its reason', async () => {
    const stop = new AbortController();
    const onApplied = (): void => stop.abort(new Error('enough'));
    const work = applyYaml(server.cluster, [configMap('a'), configMap('b')], { signal: stop.signal, onApplied });
    await expect(work).rejects.toThrow('enough');
    await expect(server.others.get(configMaps, { name: 'b' })).rejects.toSatisfy(isNotFound);
  });
});

/** Nothing is waited for: its time leaps to the next task. */
class LeapingClock implements Clock {
  #now = 0;

  now(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): () => void {
    let isCancelled = false;
    queueMicrotask(() => {
      if (isCancelled) return;
      this.#now += ms;
      task();
    });
    return () => {
      isCancelled = true;
    };
  }
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', names: { kind: 'Widget', plural: 'widgets' }, versions: [{ name: 'v1' }] },
};
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
const entry = (plural: string, kind: string) => ({ resource: plural, responseKind: { kind }, scope: 'Cluster' });
const group = (name: string, item: object) => ({
  metadata: { name },
  versions: [{ version: 'v1', resources: [item] }],
});

/** A server that serves the new kind some rounds of discovery after it was defined, and refuses some applies. */
function clusterWith(rounds: number, refusals: readonly object[] = []) {
  const clock = new LeapingClock();
  const left = [...refusals];
  const asked: string[] = [];
  let discoveries = 0;
  const transport = createLoopbackTransport({
    handle: async ({ method, path }) => {
      asked.push(`${method} ${path.split('?')[0]}`);
      const groups = [group('apiextensions.k8s.io', entry('customresourcedefinitions', 'CustomResourceDefinition'))];
      if (path === '/apis') discoveries += 1;
      if (discoveries > rounds) groups.push(group('example.com', entry('widgets', 'Widget')));
      if (path === '/api') return answer(200, { kind: 'APIGroupDiscoveryList', items: [] });
      if (path === '/apis') return answer(200, { kind: 'APIGroupDiscoveryList', items: groups });
      if (method === 'GET') return answer(404, { kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFound' });
      const refused = path.includes('widgets/') ? left.shift() : undefined;
      if (refused !== undefined) return answer(404, refused);
      return answer(201, { metadata: { name: 'x', resourceVersion: '1' } });
    },
  });
  return { cluster: createCluster(transport, { server: 'test', clock }), asked, clock };
}

const notServed = { kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFound' };

describe('a custom type', () => {
  it('is waited for until the server serves it', async () => {
    const { cluster, clock } = clusterWith(4);
    const started = clock.now();
    expect(lines(await applyYaml(cluster, [widget, definition]))).toEqual([
      '1 CustomResourceDefinition -/widgets.example.com created',
      '0 Widget -/w created',
    ]);
    expect(clock.now() - started).toBeGreaterThan(0);
  });

  it('is tried again while the server that answers does not have it yet', async () => {
    const { cluster } = clusterWith(1, [notServed, notServed]);
    expect(await applyYaml(cluster, [definition, widget])).toHaveLength(2);
  });

  it('is not waited for longer than told', async () => {
    const { cluster, clock } = clusterWith(Number.POSITIVE_INFINITY);
    const started = clock.now();
    const error = await failureOf(applyYaml(cluster, [definition, widget], { kindTimeoutMs: 5000 }));
    expect(error).toMatchObject({ document: { kind: 'Widget' }, applied: [{ kind: 'CustomResourceDefinition' }] });
    expect(isNoMatch(error.cause)).toBe(true);
    expect(clock.now() - started).toBeLessThanOrEqual(5000);
  });

  it('in a namespace that is not there is not waited for', async () => {
    const missing = { ...notServed, details: { kind: 'namespaces', name: 'n' } };
    const { cluster, clock } = clusterWith(0, [missing]);
    const started = clock.now();
    const error = await failureOf(applyYaml(cluster, [definition, widget]));
    expect(isNotFound(error.cause)).toBe(true);
    expect(clock.now()).toBe(started);
  });

  it('that no document defines is refused at once', async () => {
    const { cluster, asked } = clusterWith(Number.POSITIVE_INFINITY);
    const other = { ...definition, spec: { ...definition.spec, versions: [{ name: 'v2' }] } };
    await failureOf(applyYaml(cluster, [other, widget]));
    expect(asked.every((line) => line.startsWith('GET'))).toBe(true);
  });
});

function answer(status: number, body: object) {
  const bytes = (async function* () {
    yield new TextEncoder().encode(JSON.stringify(body));
  })();
  return { status, headers: { 'content-type': 'application/json' }, body: bytes };
}

test('documents may be ten thousand', async () => {
  const { cluster } = clusterWith(0);
  const yaml = Array.from({ length: 10_000 }, (_, index) =>
    JSON.stringify({ ...widget, metadata: { name: `w${index}` } }),
  );
  const result = await applyYaml(cluster, yaml.join('\n---\n'));
  expect(result.map(({ index }) => index)).toEqual(yaml.map((_, index) => index));
});
