import { type ApiObject, resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer } from '@listwatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Condition,
  conditionIs,
  controller,
  deleted,
  setCondition,
  waitFor,
  withFinalizer,
} from '../src/index.ts';

interface Deployment extends ApiObject {
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
}

const deployments = resource<Deployment>({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
});
const services = resource({ version: 'v1', plural: 'services', kind: 'Service', namespaced: true });
const FINALIZER = 'example.com/cleanup';

const isChanged = (service: ApiObject | undefined): boolean =>
  service?.metadata.annotations?.['example.com/mine'] === undefined;
const isClean = (object: Deployment | undefined): boolean =>
  object?.metadata.finalizers?.join() === 'example.com/other';

const serviceOf = ({ metadata }: Deployment, port: number, annotations: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: metadata.name, annotations },
  spec: { selector: { app: metadata.name }, ports: [{ port }] },
});

/** The same behaviour on both servers. */
function describeServer(title: string, start: () => Promise<{ readonly cluster: Cluster } & AsyncDisposable>): void {
  describe(title, () => {
    let server: { readonly cluster: Cluster } & AsyncDisposable;
    let cluster: Cluster;
    let stop: AbortController;
    let running: Promise<void>[] = [];

    beforeAll(async () => {
      server = await start();
      ({ cluster } = server);
    });

    afterEach(async () => {
      stop.abort();
      await Promise.all(running);
      running = [];
    });

    afterAll(() => server[Symbol.asyncDispose]());

    function control(name: string, options: Omit<Parameters<typeof controller<Deployment>>[1], 'for'>): void {
      stop = new AbortController();
      const selection = { namespace: 'default', labelSelector: `app=${name}` };
      const made = controller<Deployment>(cluster, { for: deployments, name: 'example', selection, ...options });
      running.push(made.run({ signal: stop.signal }));
    }

    function create(name: string): Promise<Deployment> {
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      return cluster.create(deployments, {
        metadata: { name, namespace: 'default', labels },
        spec: { selector: { matchLabels: labels }, template },
      });
    }

    it('applies an owned Service, removes fields that it no longer asks for, and leaves those of others', async () => {
      const owner = await create('applied');
      const target = { namespace: 'default', name: 'applied' };
      let wanted = { port: 80, annotations: { 'example.com/mine': '1' } as Readonly<Record<string, string>> };
      let runs = 0;
      control('applied', {
        owns: [services],
        reconcile: async ({ object }, ctx) => {
          if (object === undefined) return;
          await ctx.applyManifest(serviceOf(object, wanted.port, wanted.annotations));
          runs++;
        },
      });
      await eventually('a quiet controller', () => runs >= 2);
      await cluster.patch(services, target, {
        type: 'merge',
        body: { metadata: { annotations: { 'example.com/theirs': '2' } } },
      });
      const made = await cluster.get(services, target);
      expect(made.metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid, controller: true }]);
      wanted = { port: 81, annotations: {} };
      await cluster.patch(deployments, target, { type: 'merge', body: { spec: { replicas: 2 } } });
      const changed = await waitFor(cluster, services, target, isChanged);
      expect(changed).toMatchObject({ spec: { ports: [{ port: 81 }] } });
      expect(changed?.metadata.annotations).toMatchObject({ 'example.com/theirs': '2' });
      // A repeated apply of the same writes nothing.
      const before = runs;
      await cluster.patch(deployments, target, { type: 'merge', body: { spec: { replicas: 3 } } });
      await eventually('one more run', () => runs > before);
      expect((await cluster.get(services, target)).metadata.resourceVersion).toBe(changed?.metadata.resourceVersion);
    });

    it('sets conditions that waitFor sees, for the generation that they are about', async () => {
      await create('ready');
      const target = { namespace: 'default', name: 'ready' };
      let writes = 0;
      let conflicts = 0;
      control('ready', {
        reconcile: async ({ object }, ctx) => {
          if (object === undefined) return;
          const { generation } = object.metadata;
          if (writes === 0 && conflicts === 0) {
            conflicts++;
            // Another controller writes its condition at the same time: ours must not erase it.
            const conditions = [
              { type: 'Theirs', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: '' },
            ] as const;
            await cluster.patch(
              deployments,
              target,
              { type: 'merge', body: { status: { conditions } } },
              { subresource: 'status' },
            );
          }
          const condition = { type: 'Ready', status: 'True', reason: 'Up', observedGeneration: generation } as const;
          const conditions = setCondition(object.status?.conditions, condition, cluster.clock);
          await ctx.patchStatus({ conditions, observedGeneration: generation });
          writes++;
        },
      });
      const ready = await waitFor(cluster, deployments, target, conditionIs('Ready'));
      expect(ready?.status?.conditions?.map(({ type }) => type).toSorted()).toEqual(['Ready', 'Theirs']);
      await cluster.patch(deployments, target, { type: 'merge', body: { spec: { replicas: 4 } } });
      const again = await waitFor(cluster, deployments, target, conditionIs('Ready'));
      expect(again?.status?.observedGeneration).toBe(again?.metadata.generation);
    });

    it('cleans up before the object goes, and keeps the finalizers of others', async () => {
      const log: string[] = [];
      const target = { namespace: 'default', name: 'cleaned' };
      control('cleaned', {
        reconcile: withFinalizer(FINALIZER, {
          apply: ({ object }) => void log.push(`apply ${object.metadata.finalizers?.includes(FINALIZER)}`),
          cleanup: () => void log.push('cleanup'),
        }),
      });
      const made = await create('cleaned');
      await eventually('the apply', () => log.length > 0);
      await cluster.patch(deployments, target, {
        type: 'json',
        body: [{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/other' }],
      });
      await cluster.delete(deployments, target);
      await waitFor(cluster, deployments, target, isClean);
      expect(new Set(log)).toEqual(new Set(['apply true', 'cleanup']));
      expect(log.filter((line) => line === 'cleanup')).toHaveLength(1);
      await cluster.patch(deployments, target, { type: 'merge', body: { metadata: { finalizers: null } } });
      expect(await waitFor(cluster, deployments, made, deleted)).toBeUndefined();
    });
  });
}

describeServer('controllers on our own server', async () => {
  const env = await startTestServer();
  return { cluster: env.cluster, [Symbol.asyncDispose]: () => env.close() };
});

describe('controllers on a real server', needs('kube-apiserver'), () => {
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
