import { hasCause, isTooManyRequests, systemClock } from '@listwatch/api';
import { expect, test } from 'vitest';
import { ScriptedTransport } from '../../test/scripted-transport.ts';
import { createCluster } from '../create-cluster.ts';
import { assemble } from '../transport/layers/assemble.ts';
import { type EvictOptions, evict } from './evict.ts';

async function sent(options?: EvictOptions): Promise<{ readonly path: string; readonly body: unknown }> {
  const transport = new ScriptedTransport({
    status: 201,
    body: '{"kind":"Status","apiVersion":"v1","status":"Success"}',
  });
  await evict(createCluster(transport, { server: 'test', namespace: 'own' }), { name: 'web-1' }, options);
  const [request] = transport.requests;
  return { path: `${request?.method} ${request?.path}`, body: JSON.parse(new TextDecoder().decode(request?.body)) };
}

test('an eviction is posted to its Pod', async () => {
  expect(await sent()).toEqual({
    path: 'POST /api/v1/namespaces/own/pods/web-1/eviction',
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web-1', namespace: 'own' } },
  });
  const { path, body } = await sent({ gracePeriodSeconds: 5, preconditions: { uid: 'u' }, dryRun: true });
  expect(path).toBe('POST /api/v1/namespaces/own/pods/web-1/eviction?dryRun=All');
  expect(body).toMatchObject({
    deleteOptions: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 5, preconditions: { uid: 'u' } },
  });
});

test('a disruption budget refuses with 429 and the time to wait', async () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [{ reason: 'DisruptionBudget', message: 'The budget needs 2 healthy pods and has 2' }] },
  };
  const headers = { 'content-type': 'application/json', 'retry-after': '10' };
  const transport = new ScriptedTransport({ status: 429, headers, body: JSON.stringify(status) });
  // With all layers: the caller, and not a layer, decides how long to wait.
  const cluster = createCluster(assemble(transport, { clock: systemClock }), { server: 'test' });
  const refused: unknown = await evict(cluster, { name: 'a' }).catch((error: unknown) => error);
  expect(isTooManyRequests(refused) && hasCause(refused, 'DisruptionBudget')).toBe(true);
  expect(refused).toMatchObject({ retryAfterMs: 10_000 });
});

test('what cannot be asked for is refused without a request', async () => {
  const transport = new ScriptedTransport();
  const cluster = createCluster(transport, { server: 'test' });
  await expect(evict(cluster, { name: '../b' })).rejects.toThrow(TypeError);
  const options: object = { grace: 5 };
  await expect(evict(cluster, { name: 'a' }, options)).rejects.toThrow('unknown option "grace" of evict');
  expect(transport.requests).toEqual([]);
});
