import { type ApiObject, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Controller, type ControllerOptions, controller, type ReconcileContext } from '../src/index.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const services = resource({ version: 'v1', plural: 'services', kind: 'Service', namespaced: true });
const nodes = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const web = { namespace: 'default', name: 'web' };

let env: TestEnvironment<FakeClock>;
let stop: AbortController;
let running: Promise<void>[];

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock() });
  stop = new AbortController();
  running = [];
});

afterEach(async () => {
  stop.abort();
  await Promise.allSettled(running);
  await env.close();
});

function start(
  options: Pick<ControllerOptions<ConfigMap>, 'reconcile'> & Partial<ControllerOptions<ConfigMap>>,
): Controller {
  const started = controller<ConfigMap>(env.cluster, { name: 'web', for: configMaps, stopGraceMs: 0, ...options });
  running.push(started.run({ signal: stop.signal }));
  return started;
}

const createOwner = (data: Readonly<Record<string, string>> = {}): Promise<ConfigMap> =>
  env.cluster.create(configMaps, { metadata: { ...web }, data });

const serviceFor = (owner: ConfigMap) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: owner.metadata.name, labels: { port: owner.data?.['port'] ?? '80' } },
  spec: { ports: [{ port: Number(owner.data?.['port'] ?? 80) }], selector: { app: owner.metadata.name } },
});

const isWatch = ({ path }: { readonly path: string }): boolean => path.includes('/services') && path.includes('watch=');

/** The requests that write services from now on. */
function recordWrites(): string[] {
  const writes: string[] = [];
  const seen = new WeakSet<object>();
  env.faults.delay(0, {
    match: (request) => {
      const { method, path } = request;
      if (method === 'GET' || !path.includes('/services') || seen.has(request)) return false;
      seen.add(request);
      writes.push(`${method} ${path}`);
      return false;
    },
  });
  return writes;
}

/** Runs one reconcile of `default/web` and gives what it throws. */
async function failureOf(
  act: (context: ReconcileContext<ConfigMap>, object: ConfigMap | undefined) => unknown,
): Promise<unknown> {
  let failure: unknown;
  start({
    reconcile: async ({ key, object }, context) => {
      if (key.name !== 'web') return;
      try {
        await act(context, object);
      } catch (error) {
        failure = error;
      }
    },
  });
  await eventually('the failure', () => failure !== undefined);
  return failure;
}

describe('applyManifest', () => {
  it('creates what is not there, owned by the object and in its namespace, and changes only what differs', async () => {
    const owner = await createOwner();
    const answers: ApiObject[] = [];
    start({
      owns: [services],
      reconcile: async ({ object }, ctx) => {
        if (object?.metadata.name === 'web') answers.push(await ctx.applyManifest(serviceFor(object)));
      },
    });
    await eventually('the service', () => answers.length >= 2);
    const made = await env.cluster.get(services, web);
    expect(made.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'web',
        uid: owner.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    const writes = recordWrites();
    await env.cluster.patch(configMaps, web, { type: 'merge', body: { data: { port: '81' } } });
    await eventually('the change', async () => {
      const { metadata } = await env.cluster.get(services, web);
      return metadata.labels?.['port'] === '81';
    });
    expect(await env.cluster.get(services, web)).toMatchObject({ spec: { ports: [{ port: 81 }] } });
    expect(writes.filter((write) => !write.startsWith('PATCH'))).toEqual([]);
  });

  it('writes nothing when the object has all of it already', async () => {
    await createOwner();
    let runs = 0;
    start({
      owns: [services],
      reconcile: async ({ object }, { applyManifest }) => {
        if (object?.metadata.name !== 'web') return;
        await applyManifest(serviceFor(object));
        runs++;
      },
    });
    await eventually('the service', () => runs >= 2);
    const { metadata: before } = await env.cluster.get(services, web);
    await env.cluster.patch(configMaps, web, { type: 'merge', body: { data: { other: 'x' } } });
    await eventually('one more run', () => runs >= 3);
    expect((await env.cluster.get(services, web)).metadata.resourceVersion).toBe(before.resourceVersion);
  });

  it('finds the resource of a kind that the controller does not follow', async () => {
    await createOwner();
    let made: ApiObject | undefined;
    start({
      reconcile: async ({ object }, { applyManifest }) => {
        if (object?.metadata.name === 'web') made = await applyManifest(serviceFor(object));
      },
    });
    await eventually('the service', () => made !== undefined);
    expect(made?.metadata).toMatchObject({ namespace: 'default', name: 'web' });
  });

  it('is seen by the next reconcile', async () => {
    const ports: unknown[] = [];
    let isSynced = false;
    start({
      owns: [services],
      reconcile: async ({ object }, { applyManifest, store }) => {
        isSynced = true;
        if (object?.metadata.name !== 'web') return undefined;
        ports.push(store(services).get('default/web')?.metadata.labels?.['port']);
        await applyManifest(serviceFor(object));
        return ports.length === 1 ? { requeueAfterMs: 1 } : undefined;
      },
    });
    await env.cluster.create(configMaps, { metadata: { name: 'first', namespace: 'default' } });
    await eventually('the caches', () => isSynced);
    const watch = env.faults.stall({ match: isWatch });
    await createOwner();
    await eventually('the first run', () => ports.length === 1);
    await env.clock.advance(100);
    expect(ports).toEqual([undefined]);
    watch.restore();
    await eventually('the next run', () => ports.length >= 2);
    expect(ports[1]).toBe('80');
  });

  it('keeps the owners that others have added', async () => {
    const owner = await createOwner();
    const other = { apiVersion: 'v1', kind: 'Pod', name: 'other', uid: 'u' };
    await env.cluster.create(services, { ...serviceFor(owner), metadata: { ...web, ownerReferences: [other] } });
    let made: ApiObject | undefined;
    start({
      owns: [services],
      reconcile: async ({ object }, { applyManifest }) => {
        if (object?.metadata.name === 'web') made = await applyManifest(serviceFor(object));
      },
    });
    await eventually('the service', () => made !== undefined);
    expect(made?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['u', owner.metadata.uid]);
  });

  it('works without an owner, across namespaces and after the object has gone', async () => {
    await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    await createOwner();
    let made: ApiObject | undefined;
    start({
      reconcile: async ({ key }, { applyManifest }) => {
        if (key.name !== 'web') return;
        const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
        await applyManifest(node, { owner: false });
        const metadata = { name: 'x', namespace: 'other' };
        made = await applyManifest({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, { owner: false });
      },
    });
    await eventually('the objects', () => made !== undefined);
    expect(made?.metadata.ownerReferences).toBeUndefined();
    await env.cluster.delete(nodes, { name: 'n' });
    await env.cluster.delete(configMaps, web);
    await eventually('the node', async () => (await env.cluster.list(nodes)).items.length === 1);
  });
});

describe('apply by a resource', () => {
  it('adds the kind, the namespace and the owner', async () => {
    await createOwner();
    let made: ApiObject | undefined;
    start({
      reconcile: async ({ object }, { apply }) => {
        if (object?.metadata.name === 'web')
          made = await apply(configMaps, { metadata: { name: 'copy' }, data: { a: 'b' } });
      },
    });
    await eventually('the copy', () => made !== undefined);
    expect(made).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'copy', namespace: 'default', ownerReferences: [{ kind: 'ConfigMap', name: 'web' }] },
      data: { a: 'b' },
    });
  });

  it('refuses an object that says it is of another kind, and an object without a resource', async () => {
    await createOwner();
    const metadata = { name: 'x' };
    const other = await failureOf((ctx) => ctx.apply(configMaps, { apiVersion: 'v1', kind: 'Secret', metadata }));
    expect(String(other)).toContain('x is to be applied as v1 ConfigMap and says that it is v1 Secret');
    const none = await failureOf((ctx) =>
      ctx.apply(Object({ apiVersion: 'v1', kind: 'Secret', metadata }), { metadata }),
    );
    expect(String(none)).toContain('apply takes the resource first, as in apply(services, object)');
  });
});

describe('applyManifest refuses', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };

  it.each<[string, Parameters<ReconcileContext['applyManifest']>, string]>([
    ['a kind that is not named', [{ metadata: { name: 'x' } }], 'an object to apply needs apiVersion and kind: "x"'],
    [
      'an object of the cluster with an owner in a namespace',
      [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }],
      'ConfigMap default/web cannot own Node n, an object of the cluster: Kubernetes would delete it; pass owner: false',
    ],
    [
      'an owner in another namespace',
      [{ ...object, metadata: { name: 'x', namespace: 'other' } }],
      'ConfigMap default/web cannot own ConfigMap other/x, an object of the namespace other',
    ],
    ['an option that it does not have', [object, Object({ owners: true })], 'unknown option "owners" of apply'],
    [
      'a kind that is not served',
      [{ apiVersion: 'example.com/v1', kind: 'Nope', metadata: { name: 'x' } }],
      'the server has no kind "Nope" in example.com/v1',
    ],
  ])('%s', async (_, args, message) => {
    await createOwner();
    expect(String(await failureOf((ctx) => ctx.applyManifest(...args)))).toContain(message);
  });

  it('an object that another one manages', async () => {
    await createOwner();
    const other = await env.cluster.create(configMaps, { metadata: { name: 'other', namespace: 'default' } });
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'other',
      uid: other.metadata.uid ?? '',
      controller: true,
    };
    const metadata = { name: 'x', namespace: 'default', ownerReferences: [reference] };
    await env.cluster.create(configMaps, { metadata });
    expect(String(await failureOf((ctx) => ctx.applyManifest(object)))).toContain(
      `ConfigMap default/web cannot own ConfigMap default/x: ConfigMap other (uid ${other.metadata.uid}) does already`,
    );
  });

  it('an object that another one manages, also of a kind that the controller does not follow', async () => {
    const owner = await createOwner();
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'other', uid: 'u', controller: true }];
    await env.cluster.create(services, { ...serviceFor(owner), metadata: { ...web, ownerReferences } });
    expect(String(await failureOf((ctx) => ctx.applyManifest(serviceFor(owner))))).toContain(
      'ConfigMap default/web cannot own Service default/web: Pod other (uid u) does already',
    );
  });

  it('an object whose own text names another manager, before anything is sent', async () => {
    await createOwner();
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'Pod', name: 'owner', uid: 'p' },
      { apiVersion: 'v1', kind: 'Pod', name: 'manager', uid: 'u', controller: true },
    ];
    const dependent = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'fresh', namespace: 'default', ownerReferences },
    };
    expect(String(await failureOf((ctx) => ctx.applyManifest(dependent)))).toContain(
      'ConfigMap default/web cannot own ConfigMap default/fresh: Pod manager (uid u) does already',
    );
  });

  it('an owner that is gone', async () => {
    await createOwner();
    const failure = failureOf((ctx, owner) =>
      owner === undefined ? ctx.applyManifest({ ...object, metadata: { name: 'x', namespace: 'default' } }) : undefined,
    );
    await eventually('the informer', () => env.faults.watches > 0);
    await env.cluster.delete(configMaps, web);
    expect(String(await failure)).toContain('ConfigMap default/x cannot be owned by an object that is gone');
  });
});
