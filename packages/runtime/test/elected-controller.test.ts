import { type ApiObject, isNotFound, resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer } from '@listwatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Controller, controller, leaderElection, ownerReference } from '../src/index.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface Secret extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const secrets = resource<Secret>({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
const LABELS = { app: 'copied' };
const SELECTION = { labelSelector: 'app=copied' };

interface ServerUnderTest extends AsyncDisposable {
  readonly cluster: Cluster;
}

/** Keeps a Secret with the text of each labelled ConfigMap. */
function copier(cluster: Cluster, stale: string[]): Controller {
  const written = new Map<string, string>();
  return controller(cluster, {
    name: 'copier',
    for: configMaps,
    selection: SELECTION,
    owns: [{ resource: secrets, selection: SELECTION }],
    concurrency: 4,
    reconcile: async ({ object, key }, context) => {
      if (object === undefined) return;
      const copy = context.store(secrets).get(String(key));
      const text = Buffer.from(object.data?.['text'] ?? '').toString('base64');
      // Its own writes are in the cache before it runs again.
      const expected = written.get(String(key));
      if (expected !== undefined && copy !== undefined && copy.data?.['text'] !== expected) stale.push(String(key));
      if (copy?.data?.['text'] === text) return;
      const { name, namespace } = key;
      if (copy === undefined) {
        const ownerReferences = [ownerReference(configMaps, object)];
        const metadata = { name, namespace: namespace ?? '', labels: LABELS, ownerReferences };
        await context.cluster.create(secrets, { metadata, data: { text } });
      } else {
        await context.cluster.patch(secrets, key, { type: 'merge', body: { data: { text } } });
      }
      written.set(String(key), text);
    },
  });
}

/** The same controller on both servers, over sockets and in real time. */
function describeServer(title: string, start: () => Promise<ServerUnderTest>): void {
  describe(title, () => {
    let server: ServerUnderTest;
    let stop: AbortController;
    let running: Promise<void> | undefined;

    beforeAll(async () => {
      server = await start();
    });

    afterEach(async () => {
      stop.abort();
      await running;
    });

    afterAll(() => server[Symbol.asyncDispose]());

    it('an elected controller makes what it owns, follows changes, and makes it again', async () => {
      const { cluster } = server;
      const stale: string[] = [];
      const made = copier(cluster, stale);
      stop = new AbortController();
      const lease = { namespace: 'default', name: 'copier' };
      running = leaderElection(cluster, { lease }).run((signal) => made.run({ signal }), { signal: stop.signal });
      const names = Array.from({ length: 20 }, (_, index) => `copied-${index}`);
      const textOf = async (name: string): Promise<string | undefined> => {
        const secret = await cluster.get(secrets, { name, namespace: 'default' }).catch((error: unknown) => {
          if (isNotFound(error)) return undefined;
          throw error;
        });
        return secret && Buffer.from(secret.data?.['text'] ?? '', 'base64').toString();
      };
      const allAre = (text: string): Promise<unknown> =>
        eventually(`${text} in every Secret`, async () =>
          (await Promise.all(names.map(textOf))).every((found) => found === text),
        );
      for (const name of names) {
        const metadata = { name, namespace: 'default', labels: LABELS };
        await cluster.create(configMaps, { metadata, data: { text: 'one' } });
      }
      await allAre('one');
      const [first = ''] = names;
      const secret = await cluster.get(secrets, { name: first, namespace: 'default' });
      expect(secret.metadata.ownerReferences).toMatchObject([{ kind: 'ConfigMap', name: first, controller: true }]);
      for (const name of names) {
        const body = { data: { text: 'two' } };
        await cluster.patch(configMaps, { name, namespace: 'default' }, { type: 'merge', body });
      }
      await allAre('two');
      for (const name of names) await cluster.delete(secrets, { name, namespace: 'default' });
      await allAre('two');
      expect(stale).toEqual([]);
      expect(made.metrics.staleStarts).toBe(0);
      expect(made.metrics.reconciles.error).toBe(0);
    }, 90_000);
  });
}

describeServer('a controller on our own server', async () => {
  const env = await startTestServer();
  return { cluster: env.cluster, [Symbol.asyncDispose]: () => env.close() };
});

describe('a controller on a real server', needs('kube-apiserver'), () => {
  describeServer('kube-apiserver', async () => {
    const server = await startKubeApiserver();
    const cluster = await connect({ kubeconfig: server.kubeconfig });
    return {
      cluster,
      [Symbol.asyncDispose]: async () => {
        await cluster.close();
        await server.stop();
      },
    };
  });
});
