import { isForbidden, isStatus } from '@listwatch/api';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { discover } from './discover.ts';

/** A transport over a function; what it was asked for is kept. */
function transportOver(answer: (request: TransportRequest) => Promise<TransportResponse>): Transport & {
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    name: 'test',
    asked,
    send(request) {
      asked.push(request.path);
      return answer(request);
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function documents(all: Readonly<Record<string, unknown>>): ReturnType<typeof transportOver> {
  return transportOver(async ({ path }) => {
    const found = all[path];
    const text = typeof found === 'string' ? found : JSON.stringify(found ?? { kind: 'Status', status: 'Failure' });
    const body = (async function* () {
      yield new TextEncoder().encode(text);
    })();
    return { status: codeOf(found), headers: { 'content-type': 'application/json' }, body };
  });
}

function codeOf(found: unknown): number {
  if (found === undefined) return 503;
  return isStatus(found) ? (found.code ?? 500) : 200;
}

const aggregated = (items: readonly unknown[]) => ({ kind: 'APIGroupDiscoveryList', items });

const entry = (resource: string) => ({
  resource,
  responseKind: { kind: 'Widget' },
  scope: 'Namespaced',
  verbs: ['get'],
});

const item = (name: string, freshness: string) => ({
  metadata: { name },
  versions: [{ version: 'v1', freshness, resources: [entry('widgets')] }],
});

const OLD = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': {
    kind: 'APIResourceList',
    resources: [
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'Pod',
        verbs: ['list', 'watch'],
        shortNames: ['po'],
      },
      { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
      { name: 'pods/eviction', namespaced: true, group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
    ],
  },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      { name: 'apps', versions: [{ version: 'v1beta1' }, { version: 'v1' }], preferredVersion: { version: 'v1' } },
      { name: 'metrics.k8s.io', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } },
    ],
  },
  '/apis/apps/v1': {
    resources: [{ name: 'deployments', namespaced: true, kind: 'Deployment', verbs: ['list', 'watch'] }],
  },
  '/apis/apps/v1beta1': {
    resources: [{ name: 'deployments', namespaced: true, kind: 'Deployment', verbs: ['list', 'watch'] }],
  },
};

describe('discovery', () => {
  it('of our own server takes two requests and finds core and other groups', async () => {
    await using engine = createMemoryEngine();
    await using server = createApiServer({ engine });
    await server.start();
    const user = { name: 'admin', groups: ['system:masters'] };
    const transport = transportOver((request) => server.handle(request, { user }));
    const { resources, failures } = await discover({ transport });
    expect(transport.asked).toEqual(['/api', '/apis']);
    const found = (name: string) => resources.find(({ plural }) => plural === name);
    expect(found('configmaps')).toMatchObject({
      group: '',
      version: 'v1',
      kind: 'ConfigMap',
      singular: 'configmap',
      shortNames: ['cm'],
      namespaced: true,
      isPreferred: true,
    });
    expect(found('namespaces')).toMatchObject({ namespaced: false });
    expect(found('pods')).toMatchObject({ categories: ['all'] });
    expect(found('pods')?.subresources).toContainEqual(expect.objectContaining({ name: 'status', kind: 'Pod' }));
    expect(found('leases')).toMatchObject({ group: 'coordination.k8s.io' });
    expect(failures).toEqual([]);
  });

  it('of an old server asks for each version, prefers what the server prefers, and reports a group that is down', async () => {
    const { resources, failures } = await discover({ transport: documents(OLD) });
    expect(
      resources.map(({ group, version, plural, isPreferred }) => `${group}/${version}/${plural} ${isPreferred}`),
    ).toEqual(['/v1/pods true', 'apps/v1/deployments true', 'apps/v1beta1/deployments false']);
    expect(resources[0]?.subresources).toEqual([
      { name: 'status', group: '', version: 'v1', kind: 'Pod', verbs: ['get'] },
      { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
    ]);
    expect(failures).toMatchObject([{ group: 'metrics.k8s.io', version: 'v1', error: { status: { code: 503 } } }]);
  });

  it('of an aggregated document reports a group whose server is down', async () => {
    const { resources, failures } = await discover({
      transport: documents({
        '/api': aggregated([]),
        '/apis': aggregated([item('a.example.com', 'Current'), item('b.example.com', 'Stale')]),
      }),
    });
    expect(resources.map(({ group }) => group)).toEqual(['a.example.com', 'b.example.com']);
    expect(failures).toMatchObject([{ group: 'b.example.com', version: 'v1', error: { status: { code: 503 } } }]);
  });

  it('fails with the reason when nothing can be discovered', async () => {
    await expect(discover({ transport: documents({}) })).rejects.toMatchObject({ status: { code: 503 } });
    const { '/api': core } = OLD;
    const none = { '/api': core, '/apis': { kind: 'APIGroupList', groups: [] } };
    await expect(discover({ transport: documents(none) })).rejects.toMatchObject({ status: { code: 503 } });
  });

  it('goes on without one of the two roots when the server does not have it or does not show it', async () => {
    for (const code of [403, 404]) {
      const transport = documents({ '/api': aggregated([]), '/apis': { kind: 'Status', apiVersion: 'v1', code } });
      expect(await discover({ transport })).toEqual({ resources: [], failures: [] });
    }
    const transport = documents({
      '/api': { kind: 'Status', apiVersion: 'v1', code: 403 },
      '/apis': { kind: 'Status', apiVersion: 'v1', code: 403 },
    });
    await expect(discover({ transport })).rejects.toSatisfy(isForbidden);
  });

  it('of something that is no API says what it got', async () => {
    const page = '<html>Log in</html>';
    await expect(discover({ transport: documents({ '/api': page, '/apis': page }) })).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringMatching(/^GET \/api: the answer is not JSON: /u),
    });
  });

  it('is stopped by its signal', async () => {
    const stop = new AbortController();
    const transport = transportOver(async ({ path, signal }) => {
      if (path === '/apis/apps/v1') stop.abort(new Error('enough'));
      signal?.throwIfAborted();
      return documents(OLD).send({ method: 'GET', path, headers: {} });
    });
    await expect(discover({ transport }, { signal: stop.signal })).rejects.toThrow('enough');
  });
});

describe('a hostile server', () => {
  it('with 1 000 groups is asked for some of them at a time', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `g${index}.example.com`);
    const resources = { resources: [{ name: 'widgets', namespaced: true, kind: 'Widget', verbs: ['list'] }] };
    const all = {
      '/api': { versions: [] },
      '/apis': { groups: names.map((name) => ({ name, versions: [{ version: 'v1' }, { version: 'v1' }] })) },
      ...Object.fromEntries(names.map((name) => [`/apis/${name}/v1`, resources])),
    };
    let open = 0;
    let most = 0;
    const transport = transportOver(async (request) => {
      open += 1;
      most = Math.max(most, open);
      const answer = await documents(all).send(request);
      open -= 1;
      return answer;
    });
    const found = await discover({ transport });
    expect(found.resources.map(({ group }) => group)).toEqual(names);
    expect(transport.asked).toHaveLength(1002);
    expect(most).toBeLessThanOrEqual(10);
  });

  it.each([
    [{ kind: 'APIGroupDiscoveryList', items: 'none' }],
    [{ kind: 'APIGroupDiscoveryList', items: [null, 7, { versions: [{ resources: [{}] }] }, { metadata: [] }] }],
    [{ groups: [null, { name: 7 }, { name: 'a', versions: [{ version: null }] }], versions: [null, 3] }],
    [{ groups: { length: 3 }, versions: {} }],
  ])('with a malformed document serves nothing: %j', async (document) => {
    const transport = documents({ '/api': document, '/apis': document });
    expect(await discover({ transport })).toEqual({ resources: [], failures: [] });
    expect(transport.asked).toEqual(['/api', '/apis']);
  });

  it('cannot lead requests to other paths by its names', async () => {
    const bad = ['..', '../secrets', 'a/b', '', 'a b', '.', 'a\n'];
    const items = [
      { metadata: { name: '..' }, versions: [{ version: 'v1', resources: [entry('widgets')] }] },
      { metadata: { name: 'a' }, versions: [{ version: '../v1', resources: [entry('widgets')] }] },
      { metadata: { name: 'b' }, versions: [{ version: 'v1', resources: [...bad, 'good'].map(entry) }] },
    ];
    const { resources } = await discover({
      transport: documents({ '/api': { versions: ['..'] }, '/apis': aggregated(items) }),
    });
    expect(resources.map(({ group, plural }) => `${group} ${plural}`)).toEqual(['b good']);
  });
});
