import { createMemoryEngine } from '@listwatch/storage';
import { expect, it, vi } from 'vitest';
import { InProcessServer, type Json } from '../start/in-process-server.fixture.ts';

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const MERGE = { type: 'application/merge-patch+json' };
const WAIT = { timeout: 20_000, interval: 20 };
const LABEL = 'kube-aggregator.kubernetes.io/automanaged';

const groups = async (api: InProcessServer): Promise<readonly string[]> =>
  (await api.ok('GET', '/apis')).groups.map(({ name }: Json) => name);

it('a start brings back what was deleted and corrects what was changed, but nothing that a user made his own', async () => {
  const engine = createMemoryEngine();
  {
    await using before = await InProcessServer.start({ engine });
    await before.ok('DELETE', `${SERVICES}/v1.policy`);
    await before.ok('PATCH', `${SERVICES}/v1.batch`, { spec: { groupPriorityMinimum: 3 } }, MERGE);
    const own = { metadata: { labels: { [LABEL]: null } }, spec: { groupPriorityMinimum: 19_000 } };
    await before.ok('PATCH', `${SERVICES}/v1.apps`, own, MERGE);
    await vi.waitFor(async () => {
      const shown = await groups(before);
      expect([shown.includes('policy'), shown[1], shown.at(-1)]).toEqual([false, 'apps', 'batch']);
    }, WAIT);
  }
  await using after = await InProcessServer.start({ engine });
  const priority = async (name: string): Promise<number> =>
    (await after.ok('GET', `${SERVICES}/${name}`)).spec.groupPriorityMinimum;
  expect(await Promise.all(['v1.policy', 'v1.batch', 'v1.apps'].map(priority))).toEqual([17_100, 17_400, 19_000]);
  const shown = await groups(after);
  expect([shown.includes('policy'), shown[1]]).toEqual([true, 'apps']);
});

it('one with a Service takes a built-in version over, until it is local again', async () => {
  await using api = await InProcessServer.start({ aggregation: {} });
  const path = '/apis/policy/v1/poddisruptionbudgets';
  expect((await api.ask('GET', path)).status).toBe(200);
  const service = { namespace: 'default', name: 'theirs', port: 443 };
  await api.ok('PATCH', `${SERVICES}/v1.policy`, { spec: { service } }, MERGE);
  await vi.waitFor(async () => {
    const { status } = await api.ok('GET', `${SERVICES}/v1.policy`);
    expect(status.conditions).toMatchObject([{ status: 'False', reason: 'ServiceNotFound' }]);
  }, WAIT);
  const { status, body } = await api.ask('GET', path);
  expect([status, body]).toEqual([503, 'service unavailable\n']);
  expect((await api.ask('GET', '/apis/apps/v1/deployments')).status).toBe(200);
  await api.ok('PATCH', `${SERVICES}/v1.policy`, { spec: { service: null } }, MERGE);
  await vi.waitFor(async () => {
    const { status: shown } = await api.ok('GET', `${SERVICES}/v1.policy`);
    expect(shown.conditions).toMatchObject([{ status: 'True', reason: 'Local' }]);
  }, WAIT);
  expect((await api.ask('GET', path)).status).toBe(200);
});
