import { isForbidden, isNotFound, type Resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { discover } from '@listwatch/client';
import { type LoopbackServer, startLoopbackControllers } from '@listwatch/controllers';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { startTestServer, type TestEnvironment, type TestServerOptions } from '@listwatch/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configMaps, type Namespace, namespaces, pods } from '../src/core-resources.ts';

const environments: TestEnvironment[] = [];
afterEach(async () => {
  for (const env of environments.splice(0)) await env.close();
});

async function start(options: TestServerOptions = {}): Promise<TestEnvironment> {
  const env = await startTestServer({ controllers: ['namespace-controller'], ...options });
  environments.push(env);
  return env;
}

async function createNamespace({ cluster }: TestEnvironment, name: string): Promise<Namespace> {
  return cluster.create(namespaces, { metadata: { name } });
}

const gone = (env: TestEnvironment, name: string) =>
  vi.waitFor(() => expect(env.cluster.get(namespaces, { name })).rejects.toSatisfy(isNotFound), 20_000);

const conditionsOf = (namespace: Namespace) =>
  (namespace.status?.conditions ?? []).map(({ type, status, reason, message }) => [type, status, reason, message]);

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open?.() };
}

/** An engine that holds back the commits of one key. */
function lateCommits(ending: string) {
  const engine = createMemoryEngine();
  const reached = gate();
  const released = gate();
  const held: StorageEngine = new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'commit') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: Parameters<StorageEngine['commit']>) => {
        if (args[0].key.endsWith(ending)) {
          reached.open();
          await released.opened;
        }
        return target.commit(...args);
      };
    },
  });
  return { engine: held, reached: reached.opened, release: released.open };
}

describe('a deleted namespace', () => {
  it('goes with all of its content', async () => {
    const env = await start();
    await createNamespace(env, 'a');
    await createNamespace(env, 'b');
    for (const namespace of ['a', 'b']) await env.cluster.create(configMaps, { metadata: { namespace, name: 'x' } });
    await env.cluster.delete(namespaces, { name: 'a' });
    await gone(env, 'a');
    const { items } = await env.cluster.list(configMaps);
    expect(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(['b/x']);
  });

  it('that was deleted before the controllers started goes when they start', async () => {
    const env = await start({ controllers: [] });
    await createNamespace(env, 'a');
    await env.cluster.create(configMaps, { metadata: { namespace: 'a', name: 'x' } });
    await env.cluster.delete(namespaces, { name: 'a' });
    const next = await start({ engine: env.engine });
    await gone(next, 'a');
  });

  it('takes no new objects while it is terminating', async () => {
    const env = await start({ controllers: [] });
    await createNamespace(env, 'a');
    await env.cluster.delete(namespaces, { name: 'a' });
    const late = env.cluster.create(configMaps, { metadata: { namespace: 'a', name: 'late' } });
    await expect(late).rejects.toSatisfy(isForbidden);
    await expect(late).rejects.toThrow('unable to create new content in namespace a because it is being terminated');
  });

  it('takes no object whose commit comes after its content was deleted', async () => {
    const late = lateCommits('/configmaps/a/late');
    const env = await start({ engine: late.engine });
    await createNamespace(env, 'a');
    const created = env.cluster.create(configMaps, { metadata: { namespace: 'a', name: 'late' } });
    created.catch(() => undefined);
    await late.reached;
    await env.cluster.delete(namespaces, { name: 'a' });
    await gone(env, 'a');
    late.release();
    await expect(created).rejects.toSatisfy(isNotFound);
    await createNamespace(env, 'a');
    expect((await env.cluster.list(configMaps, { namespace: 'a' })).items).toEqual([]);
  });

  it('waits for finalizers of its content and says which', async () => {
    const env = await start();
    await createNamespace(env, 'a');
    for (const name of ['x', 'y']) {
      await env.cluster.create(configMaps, { metadata: { namespace: 'a', name, finalizers: ['example.com/f'] } });
    }
    await env.cluster.delete(namespaces, { name: 'a' });
    const waiting = await vi.waitFor(async () => {
      const namespace = await env.cluster.get(namespaces, { name: 'a' });
      expect(namespace.status?.conditions).toHaveLength(5);
      return namespace;
    }, 20_000);
    expect(waiting.status?.phase).toBe('Terminating');
    expect(conditionsOf(waiting)).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      [
        'NamespaceContentRemaining',
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: configmaps. has 2 resource instances',
      ],
      [
        'NamespaceFinalizersRemaining',
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.com/f in 2 resource instances',
      ],
    ]);
    for (const name of ['x', 'y']) {
      const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
      await env.cluster.patch(configMaps, { namespace: 'a', name }, patch);
    }
    await gone(env, 'a');
  });

  it('keeps finalizers of others in its spec, and goes when they are gone', async () => {
    const env = await start();
    const made = await env.cluster.create(namespaces, {
      metadata: { name: 'a' },
      spec: { finalizers: ['example.com/own'] },
    });
    expect(made.spec?.finalizers).toEqual(['example.com/own', 'kubernetes']);
    await env.cluster.delete(namespaces, { name: 'a' });
    const left = await vi.waitFor(async () => {
      const namespace = await env.cluster.get(namespaces, { name: 'a' });
      expect(namespace.spec?.finalizers).toEqual(['example.com/own']);
      return namespace;
    }, 20_000);
    await env.cluster.update(namespaces, { ...left, spec: { finalizers: [] } }, { subresource: 'finalize' });
    await gone(env, 'a');
  });

  it('can be created again under its name at once, and the new one stays', async () => {
    const env = await start();
    await createNamespace(env, 'a');
    await env.cluster.create(configMaps, { metadata: { namespace: 'a', name: 'x' } });
    await env.cluster.delete(namespaces, { name: 'a' });
    await gone(env, 'a');
    const again = await createNamespace(env, 'a');
    await env.cluster.create(configMaps, { metadata: { namespace: 'a', name: 'x' } });
    await createNamespace(env, 'other');
    await env.cluster.delete(namespaces, { name: 'other' });
    await gone(env, 'other');
    expect((await env.cluster.get(namespaces, { name: 'a' })).metadata.uid).toBe(again.metadata.uid);
    expect((await env.cluster.list(configMaps, { namespace: 'a' })).items).toHaveLength(1);
  });

  it('waits for the grace period of its pods before it deletes what they use', async () => {
    const clock = new FakeClock();
    const env = await start({ clock });
    await createNamespace(env, 'a');
    await env.cluster.create(configMaps, { metadata: { namespace: 'a', name: 'x' } });
    const spec = { nodeName: 'n', terminationGracePeriodSeconds: 40, containers: [{ name: 'c', image: 'i' }] };
    await env.cluster.create(pods, { metadata: { namespace: 'a', name: 'p' }, spec });
    await env.cluster.delete(namespaces, { name: 'a' });
    await vi.waitFor(async () => {
      expect(conditionsOf(await env.cluster.get(namespaces, { name: 'a' }))).toContainEqual([
        'NamespaceContentRemaining',
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: pods. has 1 resource instances',
      ]);
    }, 20_000);
    await clock.advance(30_000);
    expect((await env.cluster.list(configMaps, { namespace: 'a' })).items).toHaveLength(1);
    // What the kubelet does when the containers have ended.
    await env.cluster.delete(pods, { namespace: 'a', name: 'p' }, { gracePeriodSeconds: 0 });
    await clock.advance(25_000);
    await gone(env, 'a');
  });

  it('of 1 000 objects in all kinds that the server has is gone in seconds, with a few requests for each kind', async () => {
    const env = await start({ controllers: [] });
    const sent: string[] = [];
    const handle: LoopbackServer['handle'] = (request, options) => {
      sent.push(`${request.method} ${request.path}`);
      return env.server.handle(request, options);
    };
    await using controllers = startLoopbackControllers(
      { handle },
      { controllers: ['namespace-controller', 'persistentvolumeclaim-protection-controller'], namespaceGraceMs: 0 },
    );
    await controllers.ready;
    await createNamespace(env, 'a');
    const { resources } = await discover(env.cluster);
    const kinds = resources.filter(({ namespaced, verbs }) => namespaced && verbs.includes('deletecollection'));
    expect(kinds.length).toBeGreaterThan(20);
    const each = Math.ceil(1000 / kinds.length);
    await Promise.all(kinds.flatMap((kind) => Array.from({ length: each }, (_, index) => fill(env, kind, index))));
    await env.cluster.delete(namespaces, { name: 'a' });
    await gone(env, 'a');
    for (const kind of kinds) expect((await env.cluster.list(kind, { namespace: 'a' })).items).toEqual([]);
    // Collections only: one delete for each page of a kind, not one for each object.
    const deletes = sent.filter((line) => line.startsWith('DELETE'));
    expect(deletes.filter((line) => !line.includes('?limit='))).toEqual([]);
    // How many rounds it takes until all claims are released depends on the machine; far fewer requests than objects do not.
    expect(deletes.length).toBeLessThanOrEqual(500);
  }, 60_000);
});

const CONTAINERS = { containers: [{ name: 'c', image: 'i' }] };
const TEMPLATE = { metadata: { labels: { a: 'b' } }, spec: CONTAINERS };
const SUBJECT = { namespace: 'a', name: 'x', kind: 'Pod' };
const EVENT = {
  eventTime: '2026-01-01T00:00:00.000000Z',
  action: 'a',
  reason: 'r',
  type: 'Normal',
  reportingInstance: 'i',
};

const WORKLOAD = { spec: { selector: { matchLabels: { a: 'b' } }, template: TEMPLATE } };
const JOB = { spec: { template: { spec: { ...CONTAINERS, restartPolicy: 'Never' } } } };

/** Bodies of the kinds that need more than a name, by group and kind. */
const BODIES: Readonly<Record<string, object>> = {
  '/Pod': { spec: CONTAINERS },
  '/PodTemplate': { template: TEMPLATE },
  '/Service': { spec: { ports: [{ port: 80 }] } },
  '/Event': { ...EVENT, involvedObject: SUBJECT, reportingComponent: 'example.com/c' },
  'events.k8s.io/Event': { ...EVENT, regarding: SUBJECT, reportingController: 'example.com/c' },
  '/PersistentVolumeClaim': {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  '/ReplicationController': { spec: { selector: { a: 'b' }, template: TEMPLATE } },
  'apps/ControllerRevision': { data: {}, revision: 1 },
  'apps/DaemonSet': WORKLOAD,
  'apps/Deployment': WORKLOAD,
  'apps/ReplicaSet': WORKLOAD,
  'apps/StatefulSet': WORKLOAD,
  'autoscaling/HorizontalPodAutoscaler': {
    spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
  },
  'batch/CronJob': { spec: { schedule: '* * * * *', jobTemplate: JOB } },
  'batch/Job': JOB,
  'discovery.k8s.io/EndpointSlice': { addressType: 'IPv4', endpoints: [] },
  'networking.k8s.io/Ingress': { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
  'policy/PodDisruptionBudget': { spec: { minAvailable: 1 } },
  'rbac.authorization.k8s.io/RoleBinding': {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
  },
  'resource.k8s.io/ResourceClaim': { spec: {} },
  'resource.k8s.io/ResourceClaimTemplate': { spec: { spec: {} } },
  'storage.k8s.io/CSIStorageCapacity': { storageClassName: 'a' },
};

async function fill({ cluster }: TestEnvironment, kind: Resource, index: number): Promise<void> {
  const name = `${kind.group}${kind.plural}-${kind.version}-${index}`;
  await cluster.create(kind, { metadata: { namespace: 'a', name }, ...BODIES[`${kind.group}/${kind.kind}`] });
}
