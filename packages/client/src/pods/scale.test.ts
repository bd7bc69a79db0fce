import { resource } from '@listwatch/api';
import { expect, test } from 'vitest';
import { ScriptedTransport } from '../../test/scripted-transport.ts';
import type { Cluster } from '../cluster.ts';
import { createCluster } from '../create-cluster.ts';
import { getScale, type Scale, setScale } from './scale.ts';

const deployments = resource({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
});
const target = { name: 'web' };
const scale: Scale = { metadata: target, spec: { replicas: 3 }, status: { replicas: 2, selector: 'app=web' } };

async function sent(call: (cluster: Cluster) => Promise<Scale>) {
  const transport = new ScriptedTransport({ body: JSON.stringify(scale) });
  expect(await call(createCluster(transport, { server: 'test' }))).toEqual(scale);
  const [request] = transport.requests;
  const body: unknown = request?.body === undefined ? undefined : JSON.parse(new TextDecoder().decode(request.body));
  return { line: `${request?.method} ${request?.path}`, type: request?.headers['content-type'], body };
}

const path = '/apis/apps/v1/namespaces/default/deployments/web/scale';

test('the scale of anything is read and set by its subresource', async () => {
  expect(await sent((c) => getScale(c, deployments, target))).toMatchObject({ line: `GET ${path}` });
  expect(await sent((c) => setScale(c, deployments, target, 0))).toEqual({
    line: `PATCH ${path}`,
    type: 'application/merge-patch+json',
    body: { spec: { replicas: 0 } },
  });
  const options = { resourceVersion: '7', fieldManager: 'me', dryRun: true };
  expect(await sent((c) => setScale(c, deployments, target, 5, options))).toMatchObject({
    line: `PATCH ${path}?dryRun=All&fieldManager=me`,
    body: { metadata: { resourceVersion: '7' }, spec: { replicas: 5 } },
  });
});

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  '%d replicas are refused without a request',
  async (count) => {
    const transport = new ScriptedTransport();
    const cluster = createCluster(transport, { server: 'test' });
    await expect(setScale(cluster, deployments, target, count)).rejects.toThrow(RangeError);
    expect(transport.requests).toEqual([]);
  },
);
