import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiObject, resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer } from '@listwatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventRecorder, kubeEvents, leases, objectReference, silentLogger } from '../src/index.ts';
import { type Manager, manager } from '../src/manager/index.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });
const coreEvents = resource({ version: 'v1', plural: 'events', kind: 'Event', namespaced: true });
const LEASE = { namespace: 'default', name: 'pair' };
const ELECTION = { lease: LEASE, leaseDurationMs: 3000, renewDeadlineMs: 2000, retryMs: 200 };

interface ServerUnderTest extends AsyncDisposable {
  readonly connect: () => Promise<Cluster>;
}

/** The same behaviour on both servers, over sockets and in real time. */
function describeServer(title: string, start: () => Promise<ServerUnderTest>): void {
  describe(title, () => {
    let server: ServerUnderTest;
    let cluster: Cluster;
    let stop: AbortController;
    let running: Promise<void>[];
    let clusters: Cluster[];

    beforeAll(async () => {
      server = await start();
      cluster = await server.connect();
      stop = new AbortController();
      running = [];
      clusters = [];
    });

    afterEach(async () => {
      stop.abort();
      await Promise.allSettled(running);
      for (const one of clusters) await one.close();
      stop = new AbortController();
      running = [];
      clusters = [];
    });

    afterAll(async () => {
      await cluster.close();
      await server[Symbol.asyncDispose]();
    });

    it('takes the events of a recorder, their series, and texts of any length', async () => {
      const made = await cluster.create(configMaps, { metadata: { name: 'about', namespace: 'default' } });
      const recorder = eventRecorder(cluster, { controller: 'example.org/web', instance: 'x'.repeat(500) });
      const about = recorder.about(objectReference(configMaps, made));
      about.warning('TooLong'.repeat(50), '€'.repeat(5000), { action: 'ä'.repeat(300) });
      about.normal('Repeated', 'one', { related: objectReference(configMaps, made) });
      await eventually('two', () => recorder.metrics.written === 2);
      about.normal('Repeated', 'two', { related: objectReference(configMaps, made) });
      await eventually('the series', () => recorder.metrics.written === 3);
      about.normal('Repeated', 'three', { related: objectReference(configMaps, made) });
      const space = await cluster.get(namespaces, { name: 'default' });
      recorder.about(objectReference(namespaces, space)).normal('OfTheCluster', 'x');
      await recorder.close();
      expect(recorder.metrics).toMatchObject({ written: 5, refused: 0, failed: 0, dropped: 0 });
      const { items } = await cluster.list(kubeEvents, { namespace: 'default' });
      const own = items.filter(({ reportingController }) => reportingController === 'example.org/web');
      expect(own.map(({ reason = '', series }) => [reason.slice(0, 12), series?.count])).toEqual(
        expect.arrayContaining([
          ['TooLongTooLo', undefined],
          ['Repeated', 3],
          ['OfTheCluster', undefined],
        ]),
      );
      expect(own).toHaveLength(3);
      const fieldSelector = `involvedObject.uid=${made.metadata.uid},reason=Repeated`;
      const { items: core } = await cluster.list(coreEvents, { namespace: 'default', fieldSelector });
      expect(core).toMatchObject([{ message: 'one', series: { count: 3 } }]);
    });

    it('an event that it has forgotten is created anew', async () => {
      const recorder = eventRecorder(cluster, { controller: 'forgotten' });
      const about = recorder.about({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'f' });
      about.normal('Once', 'x');
      await eventually('one', () => recorder.metrics.written === 1);
      const { items } = await cluster.list(kubeEvents, { namespace: 'default' });
      const name = items.find(({ reportingController }) => reportingController === 'forgotten')?.metadata.name ?? '';
      await cluster.delete(kubeEvents, { namespace: 'default', name });
      about.normal('Once', 'x');
      await recorder.close();
      expect(await cluster.get(kubeEvents, { namespace: 'default', name })).toMatchObject({ series: { count: 2 } });
    });

    it('of two managers one reconciles; the other follows when it stops, and a stolen lease ends it', async () => {
      const seen: string[] = [];
      const replica = async (identity: string): Promise<Replica> => {
        const own = await server.connect();
        clusters.push(own);
        const made = manager(own, {
          health: false,
          logger: silentLogger,
          leaderElection: { ...ELECTION, identity },
        });
        made.add({
          name: 'maps',
          for: configMaps,
          selection: { labelSelector: 'pair=yes' },
          reconcile: ({ key, object }, { recorder }) => {
            seen.push(`${identity} ${key.name} ${object?.data?.['v'] ?? '-'}`);
            recorder.normal('Seen', 'x');
          },
        });
        const ownStop = new AbortController();
        stop.signal.addEventListener('abort', () => ownStop.abort());
        const ended = made.run({ signal: ownStop.signal });
        running.push(ended);
        ended.catch(() => undefined);
        return { made, stop: ownStop, ended };
      };
      await cluster.create(configMaps, { metadata: { name: 'm', namespace: 'default', labels: { pair: 'yes' } } });
      const a = await replica('a');
      await eventually('a to reconcile', () => seen.includes('a m -'));
      const b = await replica('b');
      await eventually('the cache of b', () => b.made.informers.states()[0]?.hasSynced === true);
      await put('1');
      await eventually('a again', () => seen.includes('a m 1'));
      expect(seen.filter((line) => line.startsWith('b'))).toEqual([]);
      a.stop.abort();
      await a.ended;
      await eventually('b', () => seen.includes('b m 1'));
      await put('2');
      await eventually('b again', () => seen.includes('b m 2'));
      expect(seen).not.toContain('a m 2');
      await steal();
      await expect(b.ended).rejects.toMatchObject({ code: 'LEADERSHIP_LOST' });
    });

    async function put(v: string): Promise<void> {
      await cluster.patch(configMaps, { namespace: 'default', name: 'm' }, { type: 'merge', body: { data: { v } } });
    }

    async function steal(): Promise<void> {
      const body = { spec: { holderIdentity: 'thief' } };
      await cluster.patch(leases, LEASE, { type: 'merge', body });
    }
  });
}

interface Replica {
  readonly made: Manager;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

describeServer('managers on our own server', async () => {
  const env = await startTestServer({ listen: true });
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-manager-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, env.kubeconfig);
  return {
    connect: () => connect({ kubeconfig }),
    [Symbol.asyncDispose]: async () => {
      await env.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('managers on a real server', needs('kube-apiserver'), () => {
  describeServer('kube-apiserver', async () => {
    const server = await startKubeApiserver();
    return {
      connect: () => connect({ kubeconfig: server.kubeconfig }),
      [Symbol.asyncDispose]: () => server.stop(),
    };
  });
});
