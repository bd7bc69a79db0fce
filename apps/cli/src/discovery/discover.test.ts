import type { Transport, TransportRequest, TransportResponse } from '@listwatch/client';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { discover } from './discover.ts';
import { findResource } from './find-resource.ts';

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
    return { status: found === undefined ? 503 : 200, headers: { 'content-type': 'application/json' }, body };
  });
}

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
    const all = await discover({ transport });
    expect(transport.asked).toEqual(['/api', '/apis']);
    expect(findResource('cm', all)).toMatchObject({
      served: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
    });
    expect(findResource('ns', all)).toMatchObject({ served: { plural: 'namespaces', namespaced: false } });
    expect(findResource('leases', all)).toMatchObject({ served: { group: 'coordination.k8s.io' } });
  });

  it('of an old server asks for each version, prefers what the server prefers, and leaves subresources out', async () => {
    const all = await discover({ transport: documents(OLD) });
    expect(all.map(({ group, version, plural }) => `${group}/${version}/${plural}`)).toEqual([
      '/v1/pods',
      'apps/v1/deployments',
      'apps/v1beta1/deployments',
    ]);
  });

  it('with no answer for any version of the groups fails with the reason', async () => {
    const { '/api/v1': _, ...rest } = OLD;
    await expect(discover({ transport: documents(rest) })).rejects.toMatchObject({
      code: 'STATUS',
      status: { code: 503 },
    });
  });

  it('of something that is no API says what it got', async () => {
    const page = '<html>Log in</html>';
    await expect(discover({ transport: documents({ '/api': page, '/apis': page }) })).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: 'GET /api was answered with "<html>Log in</html>", which is no API',
    });
  });
});
