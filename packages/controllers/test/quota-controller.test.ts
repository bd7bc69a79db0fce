import { resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { type Cluster, connect } from '@listwatch/client';
import {
  type KubeApiserverProcess,
  type KubeProgram,
  needs,
  startKubeApiserver,
  startKubeControllerManager,
} from '@listwatch/conformance/parts';
import { sharedInformers, silentLogger } from '@listwatch/runtime';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { quotaController } from '../src/quota/quota-controller.ts';
import { QUOTA_STORIES, QuotaStage, quotas } from './quota-stories.ts';

const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });
const NAME = 'resourcequota-controller';

/** The same stories on whatever `cluster` gives, all at once: each has a namespace of its own. */
function tellStories(cluster: () => Cluster, prefix: string): void {
  it.concurrent.each(Object.entries(QUOTA_STORIES).map(([title, play], at) => [title, play, at] as const))(
    '%s',
    { timeout: 120_000 },
    async (_, play, at) => {
      const namespace = `${prefix}-${at}`;
      await cluster().create(namespaces, { metadata: { name: namespace } });
      await play(new QuotaStage(cluster(), namespace));
    },
  );
}

describe('our server and our quota controller', () => {
  let env: TestEnvironment;
  beforeAll(async () => {
    env = await startTestServer({ controllers: [NAME] });
  });
  afterAll(() => env.close());

  tellStories(() => env.cluster, 'own');

  it('a quota that is full refuses, and takes again when something went', async () => {
    const stage = new QuotaStage(env.cluster, 'full');
    await env.cluster.create(namespaces, { metadata: { name: 'full' } });
    await stage.quota({ hard: { configmaps: '1' } });
    await stage.settles({ configmaps: '1' }, { configmaps: '0' });
    await stage.add('ConfigMap', 'a');
    await expect(stage.add('ConfigMap', 'b')).rejects.toThrow(
      'configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    );
    await stage.remove('ConfigMap', 'a');
    await vi.waitFor(() => stage.add('ConfigMap', 'b'), { timeout: 20_000, interval: 100 });
  });

  it('a crowd that creates and deletes never exceeds a quota, and the count is right in the end', async () => {
    const stage = new QuotaStage(env.cluster, 'crowd');
    await env.cluster.create(namespaces, { metadata: { name: 'crowd' } });
    await stage.quota({ hard: { 'count/configmaps': '20' } });
    await stage.settles({ 'count/configmaps': '20' }, { 'count/configmaps': '0' });
    const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
    let most = 0;
    const worker = async (which: number): Promise<void> => {
      for (let round = 0; round < 15; round += 1) {
        const made = await stage.add('ConfigMap', `c-${which}-${round}`).catch(() => undefined);
        const { items } = await env.cluster.list(configMaps, { namespace: 'crowd' });
        most = Math.max(most, items.length);
        if (made !== undefined && round % 3 !== 0) await stage.remove('ConfigMap', `c-${which}-${round}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, which) => worker(which)));
    expect(most).toBeLessThanOrEqual(20);
    const { items } = await env.cluster.list(configMaps, { namespace: 'crowd' });
    await stage.settles({ 'count/configmaps': '20' }, { 'count/configmaps': String(items.length) });
  }, 60_000);
});

it('a quota that is deleted while it waits to be counted again is no failure', async () => {
  await using env = await startTestServer({ clock: new FakeClock() });
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: unknown, message: string) => void warnings.push(message) };
  const stop = new AbortController();
  const informers = sharedInformers(env.cluster);
  const running = quotaController().run({ cluster: env.cluster, informers, logger, signal: stop.signal });
  const stage = new QuotaStage(env.cluster, 'default');
  // A kind that nobody serves yet: it is looked for again after a while.
  await stage.quota({ hard: { 'count/widgets.example.com': '1', configmaps: '1' } });
  await vi.waitFor(async () => {
    await env.clock.advance(100);
    const quota = await env.cluster.get(quotas, { name: 'q', namespace: 'default' });
    expect(quota['status']).toMatchObject({ used: { configmaps: '0' } });
  }, 20_000);
  await env.cluster.delete(quotas, { name: 'q', namespace: 'default' });
  await env.clock.advance(60_000);
  stop.abort();
  await running.catch(() => undefined);
  await informers.close();
  expect(warnings).toEqual([]);
});

describe('by a clock that stands still', () => {
  let env: TestEnvironment<FakeClock>;
  beforeAll(async () => {
    env = await startTestServer({
      clock: new FakeClock({ now: Date.parse('2026-01-01T00:00:00Z') }),
      controllers: [NAME],
    });
  });
  afterAll(() => env.close());

  it('usage that was charged a moment ago is not given back: its object may be about to be written', async () => {
    await env.cluster.create(namespaces, { metadata: { name: 'charged' } });
    const stage = new QuotaStage(env.cluster, 'charged');
    const usedOf = async (name: string): Promise<unknown> =>
      (await env.cluster.get(quotas, { name, namespace: 'charged' }))['status'];
    await stage.add('ConfigMap', 'a');
    for (const name of ['q', 'r']) {
      await env.cluster.create(quotas, {
        metadata: { name, namespace: 'charged' },
        spec: { hard: { configmaps: '9' } },
      });
      await vi.waitFor(async () => expect(await usedOf(name)).toMatchObject({ used: { configmaps: '1' } }), 20_000);
    }
    await env.clock.advance(5000);
    const body = { status: { used: { configmaps: '2' } } };
    await env.cluster.patch(
      quotas,
      { name: 'q', namespace: 'charged' },
      { type: 'merge', body },
      { subresource: 'status' },
    );
    await stage.remove('ConfigMap', 'a');
    // The quotas are counted one after the other, `q` first.
    await vi.waitFor(async () => expect(await usedOf('r')).toMatchObject({ used: { configmaps: '0' } }), 20_000);
    expect(await usedOf('q')).toMatchObject({ used: { configmaps: '2' } });
    await vi.waitFor(
      async () => {
        await env.clock.advance(1000);
        expect(await usedOf('q')).toMatchObject({ used: { configmaps: '0' } });
      },
      { timeout: 20_000, interval: 50 },
    );
  });

  it('a status that somebody has spoilt is set right after five minutes', async () => {
    const stage = new QuotaStage(env.cluster, 'default');
    await stage.quota({ hard: { configmaps: '3' } });
    await stage.settles({ configmaps: '3' }, { configmaps: '0' });
    const key = { name: 'q', namespace: 'default' };
    const body = { status: { used: { configmaps: '2' } } };
    await env.cluster.patch(quotas, key, { type: 'merge', body }, { subresource: 'status' });
    await vi.waitFor(
      async () => {
        await env.clock.advance(60_000);
        expect((await env.cluster.get(quotas, key))['status']).toMatchObject({ used: { configmaps: '0' } });
      },
      { timeout: 30_000, interval: 50 },
    );
  });
});

describe('a real kube-apiserver', needs('kube-apiserver'), () => {
  let server: KubeApiserverProcess;
  let cluster: Cluster;
  beforeAll(async () => {
    server = await startKubeApiserver();
    cluster = await connect({ kubeconfig: server.kubeconfig });
  }, 180_000);
  afterAll(async () => {
    await cluster.close();
    await server.stop();
  });

  describe('and our quota controller', () => {
    const abort = new AbortController();
    let ended: Promise<void>;
    beforeAll(() => {
      const informers = sharedInformers(cluster);
      ended = quotaController().run({ cluster, informers, logger: silentLogger, signal: abort.signal });
    });
    afterAll(async () => {
      abort.abort();
      await ended;
    });
    tellStories(() => cluster, 'ours');
  });

  describe('and the quota controller of kube-controller-manager', needs('kube-controller-manager'), () => {
    let manager: KubeProgram;
    beforeAll(() => {
      manager = startKubeControllerManager(server, [NAME]);
    });
    afterAll(() => manager.stop());
    tellStories(() => cluster, 'theirs');
  });
});
