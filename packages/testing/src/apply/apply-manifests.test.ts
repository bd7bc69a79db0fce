import type { ApiObject } from '@listwatch/api';
import { type ManifestSource, readManifests } from '@listwatch/client/internal';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApplyParts, applyManifests, kindsOf } from './apply-manifests.ts';
import type { Send } from './server-requests.ts';

let server: ApiServer;
let asked: string[];
let parts: ApplyParts;
/** Runs before each request, and may change the world. */
let before: (method: string) => Promise<void>;

beforeEach(async () => {
  server = createApiServer({ engine: createMemoryEngine() });
  await server.start();
  asked = [];
  before = async () => {};
  const send: Send = async (request) => {
    await before(request.method);
    asked.push(`${request.method} ${request.path}`);
    return server.handle(request, { user: { name: 'test', groups: ['system:masters'] } });
  };
  parts = { send, kinds: kindsOf(send), namespace: 'default' };
});
afterEach(async () => {
  await server.close();
});

const apply = async (source: ManifestSource): Promise<readonly ApiObject[]> =>
  applyManifests(parts, await readManifests(source));
/** An object of a kind that is nowhere. */
const wrong = (apiVersion: string, kind: string) => apply({ apiVersion, kind, metadata: { name: 'x' } });
const configMap = (name: string, data: Record<string, string>, namespace?: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: namespace === undefined ? { name } : { name, namespace },
  data,
});

describe('apply', () => {
  it('creates what is not there and replaces what is', async () => {
    const [created] = await apply(configMap('a', { k: '1', gone: 'x' }));
    const [replaced] = await apply(configMap('a', { k: '2' }));
    expect(created).toMatchObject({ data: { k: '1', gone: 'x' }, metadata: { namespace: 'default' } });
    expect(replaced).toMatchObject({ data: { k: '2' }, metadata: { uid: created?.metadata.uid } });
    expect(replaced).not.toHaveProperty('data.gone');
  });

  it('keeps the order, so that a namespace comes before what lives in it', async () => {
    const yaml = `
apiVersion: v1
kind: Namespace
metadata: { name: team }
---
${JSON.stringify(configMap('a', {}, 'team'))}
`;
    expect(
      (await apply(yaml)).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`),
    ).toEqual(['Namespace  team', 'ConfigMap team a']);
  });

  it('writes the status too, when it is given', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
      status: { phase: 'Running' },
    };
    expect(await apply(pod)).toMatchObject([{ status: { phase: 'Running' } }]);
    expect(await apply({ ...pod, status: { phase: 'Failed' } })).toMatchObject([{ status: { phase: 'Failed' } }]);
  });

  it('knows kinds of other groups, and of the cluster', async () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'd' } },
        template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', namespace: 'ignored' } };
    expect(await apply([deployment, node])).toMatchObject([{ kind: 'Deployment' }, { kind: 'Node' }]);
  });

  it('replaces a service, whose address stays', async () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
    const [first] = await apply(service);
    const [second] = await apply({ ...service, spec: { ports: [{ port: 81 }] } });
    expect(second).toMatchObject({ spec: { ports: [{ port: 81 }] } });
    expect(second).toHaveProperty(
      'spec.clusterIP',
      Reflect.get(Object(Reflect.get(Object(first), 'spec')), 'clusterIP'),
    );
  });

  it('lets the server name an object', async () => {
    const [made] = await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x-' } });
    expect(made?.metadata.name).toMatch(/^x-\w+/u);
  });

  it('tries again when somebody else was faster', async () => {
    await apply(configMap('a', { k: '1' }));
    let rounds = 0;
    before = async (method) => {
      rounds += 1;
      if (method !== 'PUT' || rounds > 2) return;
      before = async () => {};
      await apply(configMap('a', { k: 'other' }));
    };
    expect(await apply(configMap('a', { k: '2' }))).toMatchObject([{ data: { k: '2' } }]);
    expect(asked.filter((line) => line.startsWith('PUT'))).toHaveLength(3);
  });

  it('a version in the manifest is a condition', async () => {
    const [first] = await apply(configMap('a', { k: '1' }));
    await apply(configMap('a', { k: '2' }));
    const stale = configMap('a', { k: '3' });
    const resourceVersion = first?.metadata.resourceVersion;
    await expect(apply({ ...stale, metadata: { ...stale.metadata, resourceVersion } })).rejects.toMatchObject({
      reason: 'Conflict',
    });
  });

  it('says which kinds there are when there is no such kind, and finds kinds without asking again', async () => {
    await expect(wrong('v1', 'Podd')).rejects.toThrow(/^the server has no kind "Podd" in v1; it has .*ConfigMap.*Pod/u);
    await expect(wrong('example.com/v1', 'Thing')).rejects.toThrow(
      'the server has no kind "Thing" in example.com/v1; it does not serve example.com/v1',
    );
    asked = [];
    await apply([configMap('a', {}), configMap('b', {})]);
    expect(asked.filter((line) => line === 'GET /api')).toEqual([]);
  });

  it('throws the refusal of the server', async () => {
    await expect(apply(configMap('Not_A_Name', {}))).rejects.toMatchObject({ code: 'STATUS', reason: 'Invalid' });
    await expect(apply(configMap('a', {}, 'nowhere'))).rejects.toMatchObject({ reason: 'NotFound' });
  });
});
