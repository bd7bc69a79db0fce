import { resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import {
  type KubeApiserverProcess,
  type KubeProgram,
  needs,
  startKubeApiserver,
  startKubeControllerManager,
} from '@listwatch/conformance/parts';
import { sharedInformers, silentLogger } from '@listwatch/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { garbageCollector } from '../src/garbage/garbage-collector.ts';
import { configMaps, eventually, GarbageServer, namespaces, refer, secrets } from './garbage-fixture.ts';
import { ABSENT, SCENARIOS, Stage } from './garbage-scenarios.ts';

const events = resource({ version: 'v1', plural: 'events', kind: 'Event', namespaced: true });

/** The same stories, one after the other, on whatever `cluster` gives. */
function tellScenarios(cluster: () => Cluster, prefix: string): void {
  it.each(SCENARIOS.map((scenario, at) => [scenario.name, scenario, at] as const))('%s', async (_, scenario, at) => {
    const namespace = `${prefix}-${at}`;
    await cluster().create(namespaces, { metadata: { name: namespace } });
    const stage = new Stage(cluster(), namespace);
    await scenario.play(stage);
    await eventually(async () => expect(await stage.left()).toEqual(scenario.left));
    // Collected after all of it: nothing that is left was only waiting for its turn.
    await stage.add(secrets, 'last', [{ ...ABSENT, uid: 'another-uid' }]);
    await eventually(async () => expect(await stage.left()).toEqual(scenario.left));
  });
}

/** An owner in another namespace: its dependent goes, and an Event says why. */
function tellMisplaced(cluster: () => Cluster, prefix: string): void {
  it('an owner in another namespace', async () => {
    const [far, near] = [`${prefix}-far`, `${prefix}-near`];
    for (const name of [far, near]) await cluster().create(namespaces, { metadata: { name } });
    const [there, here] = [new Stage(cluster(), far), new Stage(cluster(), near)];
    const owner = await there.add(configMaps, 'owner');
    // The collector has seen the owner when it has dealt with this.
    await there.add(secrets, 'kept', [refer(configMaps, owner), ABSENT]);
    await eventually(async () => expect((await there.left())['secrets/kept']).toEqual(['owner']));
    await here.add(secrets, 'misplaced', [refer(configMaps, owner)]);
    await eventually(async () => expect(await here.left()).toEqual({}));
    const uid = owner.metadata.uid ?? '';
    const message = `ownerRef [v1/ConfigMap, namespace: ${near}, name: owner, uid: ${uid}] does not exist in namespace "${near}"`;
    await eventually(async () => {
      const { items } = await cluster().list(events, { namespace: near });
      expect(items).toMatchObject([{ type: 'Warning', reason: 'OwnerRefInvalidNamespace', message, count: 1 }]);
    });
  });
}

describe('our server and our collector', () => {
  let env: GarbageServer;

  beforeAll(async () => {
    env = await GarbageServer.start();
    env.collect();
  });

  afterAll(() => env[Symbol.asyncDispose]());

  tellScenarios(() => env.cluster, 'own');
  tellMisplaced(() => env.cluster, 'own');
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

  describe('and our collector', { timeout: 120_000 }, () => {
    const abort = new AbortController();
    let ended: Promise<void>;

    beforeAll(() => {
      const informers = sharedInformers(cluster);
      ended = garbageCollector().run({ cluster, informers, logger: silentLogger, signal: abort.signal });
    });

    afterAll(async () => {
      abort.abort();
      await ended;
    });

    tellScenarios(() => cluster, 'ours');
    tellMisplaced(() => cluster, 'ours');
  });

  describe('and the collector of kube-controller-manager', {
    ...needs('kube-controller-manager'),
    timeout: 120_000,
  }, () => {
    let manager: KubeProgram;

    beforeAll(() => {
      manager = startKubeControllerManager(server, ['garbage-collector-controller']);
    });

    afterAll(() => manager.stop());

    tellScenarios(() => cluster, 'theirs');
    tellMisplaced(() => cluster, 'theirs');
  });
});
