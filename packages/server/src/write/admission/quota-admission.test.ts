import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Asked, InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

type Amounts = Readonly<Record<string, string>>;

/** One namespace with quotas, seen through a server. */
class QuotaNamespace {
  static #made = 0;
  readonly #server: InProcessServer;
  readonly path: string;

  constructor(server: InProcessServer, name = `n${++QuotaNamespace.#made}`) {
    this.#server = server;
    this.path = `/api/v1/namespaces/${name}`;
  }

  static async make(server: InProcessServer): Promise<QuotaNamespace> {
    const made = new QuotaNamespace(server);
    await server.ok('POST', '/api/v1/namespaces', { metadata: { name: made.path.split('/').at(-1) } });
    return made;
  }

  /** A quota that has been counted, as the quota controller does it; its limits are in force. */
  async quota(name: string, hard: Amounts, spec: object = {}, used?: Amounts): Promise<void> {
    await this.#server.ok('POST', `${this.path}/resourcequotas`, { metadata: { name }, spec: { hard, ...spec } });
    const nothing = Object.fromEntries(Object.keys(hard).map((key) => [key, '0']));
    const status = { status: { hard, used: used ?? nothing } };
    await this.#server.ok('PATCH', `${this.path}/resourcequotas/${name}/status`, status, { type: MERGE });
    // A list waits until the cache has it, and with it the admission.
    await this.#server.ok('GET', `${this.path}/resourcequotas`);
  }

  async used(name = 'q'): Promise<Json> {
    return (await this.#server.ok('GET', `${this.path}/resourcequotas/${name}`)).status.used;
  }

  ask(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Asked> {
    return this.#server.ask(method, path.startsWith('/') ? path : `${this.path}/${path}`, body, { type });
  }

  pod(name: string, spec: object = {}, query = ''): Promise<Asked> {
    return this.ask('POST', `pods${query}`, {
      metadata: { name },
      spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
    });
  }

  named(plural: string, name: string): Promise<Asked> {
    return this.ask('POST', plural, { metadata: { name } });
  }

  service(name: string, spec: object = {}): Promise<Asked> {
    return this.ask('POST', 'services', { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  }

  claim(name: string, storage: string, spec: object = {}): Promise<Asked> {
    const resources = { requests: { storage } };
    return this.ask('POST', 'persistentvolumeclaims', {
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources, ...spec },
    });
  }
}

function needing(requests: Amounts, limits: Amounts = {}): object {
  return { containers: [{ name: 'a', image: 'a', resources: { requests, limits } }] };
}

/** The text of a 403. */
function refusal({ status, body }: Asked): string {
  expect(status, JSON.stringify(body)).toBe(403);
  return body.message.replace(/^.* is forbidden: /, '');
}

function taken({ status, body }: Asked): Json {
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

describe('a ResourceQuota', () => {
  let server: InProcessServer;

  beforeAll(async () => {
    server = await InProcessServer.start();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('limits nothing before its limits are in its status', async () => {
    const space = await QuotaNamespace.make(server);
    await server.ok('POST', `${space.path}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '0' } } });
    await server.ok('GET', `${space.path}/resourcequotas`);
    taken(await space.pod('a'));
  });

  it('counts Pods as they are created, and refuses the one too many', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { pods: '2', 'count/pods': '9' });
    taken(await space.pod('a'));
    expect(await space.used()).toStrictEqual({ 'count/pods': '1', pods: '1' });
    taken(await space.pod('b'));
    const refused = await space.pod('c');
    expect(refused.body).toMatchObject({ reason: 'Forbidden', details: { name: 'c', kind: 'pods' } });
    expect(refusal(refused)).toBe('exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2');
    expect(await space.used()).toStrictEqual({ 'count/pods': '2', pods: '2' });
  });

  it('checks a dry run and counts nothing', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { pods: '1' });
    taken(await space.pod('a', {}, '?dryRun=All'));
    expect(await space.used()).toStrictEqual({ pods: '0' });
    taken(await space.pod('a'));
    expect(refusal(await space.pod('b', {}, '?dryRun=All'))).toMatch(/^exceeded quota: q/);
  });

  it('refuses what it limits while nobody has counted the usage', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { pods: '2', 'requests.cpu': '1' }, {}, { pods: '0' });
    expect(refusal(await space.pod('a', needing({ cpu: '1' })))).toBe(
      'status unknown for quota: q, resources: pods,requests.cpu',
    );
    taken(await space.named('configmaps', 'a'));
  });

  it('wants every container to say how much it needs of what is limited', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { cpu: '2', 'limits.memory': '2Gi', 'requests.ephemeral-storage': '1Gi' });
    const containers = [
      { name: 'b', image: 'a', resources: { limits: { memory: '1Gi' } } },
      { name: 'a', image: 'a' },
    ];
    const initContainers = [{ name: 'i', image: 'a' }];
    expect(refusal(await space.pod('a', { containers, initContainers }))).toBe(
      'failed quota: q: must specify cpu for: a,b,i; limits.memory for: a,i',
    );
    taken(await space.pod('a', needing({ cpu: '100m' }, { memory: '1Gi' })));
    // What the whole Pod needs is enough.
    taken(await space.pod('b', { resources: { requests: { cpu: '1' } } }));
    expect(await space.used()).toStrictEqual({
      cpu: '1100m',
      'limits.memory': '1Gi',
      'requests.ephemeral-storage': '0',
    });
  });

  it('adds amounts exactly, in the units of what was used before, and names all that is exceeded', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2', memory: '3Gi' });
    taken(await space.pod('a', needing({ cpu: '600m', memory: '512Mi' }, { cpu: '1' })));
    expect(refusal(await space.pod('b', needing({ cpu: '0.6', memory: '600Mi' }, { cpu: '1' })))).toBe(
      'exceeded quota: q, requested: requests.cpu=600m,requests.memory=600Mi, used: requests.cpu=600m,requests.memory=512Mi, limited: requests.cpu=1,requests.memory=1Gi',
    );
    taken(await space.pod('b', needing({ cpu: '0.4', memory: '512Mi' }, { cpu: '1000m' })));
    expect(await space.used()).toStrictEqual({
      'limits.cpu': '2',
      memory: '1Gi',
      'requests.cpu': '1',
      'requests.memory': '1Gi',
    });
  });

  it('counts extended resources, huge pages and local storage', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', {
      'requests.example.com/gpu': '2',
      'requests.hugepages-2Mi': '4Mi',
      'limits.ephemeral-storage': '1Gi',
    });
    const gpu = { 'example.com/gpu': '2' };
    const all = { ...gpu, 'hugepages-2Mi': '2Mi' };
    taken(await space.pod('a', needing({ ...all, cpu: '1' }, { ...all, 'ephemeral-storage': '512Mi' })));
    expect(await space.used()).toStrictEqual({
      'limits.ephemeral-storage': '512Mi',
      'requests.example.com/gpu': '2',
      'requests.hugepages-2Mi': '2Mi',
    });
    expect(refusal(await space.pod('b', needing(gpu, gpu)))).toMatch('requested: requests.example.com/gpu=2');
  });

  it.each([
    ['Terminating', { activeDeadlineSeconds: 9 }, {}],
    ['NotTerminating', {}, { activeDeadlineSeconds: 9 }],
    ['BestEffort', {}, needing({ cpu: '1' })],
    ['NotBestEffort', needing({ cpu: '1' }), {}],
    ['PriorityClass', { priorityClassName: 'system-node-critical' }, {}],
    [
      'CrossNamespacePodAffinity',
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'a', labelSelector: {}, namespaces: ['x'] },
            ],
          },
        },
      },
      {
        affinity: {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: {} }] },
        },
      },
    ],
  ])('with the scope %s counts the Pods in it', async (scope, inside, outside) => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { pods: '1' }, { scopes: [scope] });
    for (const name of ['a', 'b']) taken(await space.pod(name, outside));
    taken(await space.pod('c', inside));
    expect(refusal(await space.pod('d', inside))).toMatch(/^exceeded quota: q/);
    expect(await space.used()).toStrictEqual({ pods: '1' });
  });

  it.each([
    ['In', ['system-node-critical'], [1]],
    ['NotIn', ['system-node-critical'], [0, 2]],
    ['DoesNotExist', undefined, [0]],
    ['Exists', undefined, [1, 2]],
  ])('selects by priority class with %s', async (operator, values, counted) => {
    const space = await QuotaNamespace.make(server);
    const matchExpressions = [{ scopeName: 'PriorityClass', operator, values }];
    await space.quota('q', { pods: '9' }, { scopeSelector: { matchExpressions } });
    const classes = [undefined, 'system-node-critical', 'system-cluster-critical'];
    for (const [index, priorityClassName] of classes.entries())
      taken(await space.pod(`p${index}`, { priorityClassName }));
    expect(await space.used()).toStrictEqual({ pods: String(counted.length) });
  });

  it('counts a Pod that an update brings into its scope, and no other update', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { pods: '1' }, { scopes: ['Terminating'] });
    for (const name of ['a', 'b']) taken(await space.pod(name));
    const deadline = { spec: { activeDeadlineSeconds: 5 } };
    taken(await space.ask('PATCH', 'pods/a', deadline, MERGE));
    taken(await space.ask('PATCH', 'pods/a', { metadata: { labels: { a: 'b' } } }, MERGE));
    expect(await space.used()).toStrictEqual({ pods: '1' });
    expect(refusal(await space.ask('PATCH', 'pods/b', deadline, MERGE))).toMatch(/^exceeded quota: q/);
  });

  it('charges a resize for what it adds, and gives nothing back: the quota controller does', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { 'requests.cpu': '1' });
    taken(await space.pod('a', needing({ cpu: '500m' }, { cpu: '2' })));
    const resize = (cpu: string): Promise<Asked> =>
      space.ask(
        'PATCH',
        'pods/a/resize',
        { spec: { containers: [{ name: 'a', resources: { requests: { cpu } } }] } },
        STRATEGIC,
      );
    taken(await resize('800m'));
    expect(await space.used()).toStrictEqual({ 'requests.cpu': '800m' });
    expect(refusal(await resize('1100m'))).toBe(
      'exceeded quota: q, requested: requests.cpu=300m, used: requests.cpu=800m, limited: requests.cpu=1',
    );
    taken(await resize('100m'));
    expect(await space.used()).toStrictEqual({ 'requests.cpu': '800m' });
  });

  it('counts objects of any kind under both of its names, but not Events', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', {
      configmaps: '3',
      'count/configmaps': '1',
      secrets: '0',
      'count/leases.coordination.k8s.io': '1',
      'count/events': '0',
      resourcequotas: '1',
    });
    taken(await space.named('configmaps', 'a'));
    expect(refusal(await space.named('configmaps', 'b'))).toBe(
      'exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
    );
    taken(await space.ask('PUT', 'configmaps/a', { metadata: { name: 'a' }, data: { x: 'y' } }));
    refusal(await space.named('secrets', 'a'));
    const leases = space.path.replace('/api/v1', '/apis/coordination.k8s.io/v1');
    // A PUT that creates is charged as a creation.
    taken(await space.ask('PUT', `${leases}/leases/a`, { metadata: { name: 'a' } }));
    refusal(await space.ask('PUT', `${leases}/leases/b`, { metadata: { name: 'b' } }));
    const namespace = space.path.split('/').at(-1);
    taken(await space.ask('POST', 'events', { metadata: { name: 'e' }, involvedObject: { namespace } }));
    taken(await space.named('resourcequotas', 'r'));
    refusal(await space.named('resourcequotas', 's'));
    expect(await space.used()).toStrictEqual({
      configmaps: '1',
      'count/configmaps': '1',
      'count/events': '0',
      'count/leases.coordination.k8s.io': '1',
      resourcequotas: '1',
      secrets: '0',
    });
  });

  it('stays charged for an object that could not be created, as in kube-apiserver', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { configmaps: '5' });
    taken(await space.named('configmaps', 'a'));
    expect((await space.named('configmaps', 'a')).status).toBe(409);
    expect(await space.used()).toStrictEqual({ configmaps: '2' });
    expect((await space.named('configmaps', 'A')).status).toBe(422);
    expect(await space.used()).toStrictEqual({ configmaps: '2' });
  });

  it('counts node ports and load balancers, also when the type of a Service changes', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { services: '4', 'services.nodeports': '2', 'services.loadbalancers': '1' });
    taken(await space.service('a'));
    taken(await space.service('b', { type: 'NodePort' }));
    const ports = [
      { port: 80, name: 'a' },
      { port: 81, name: 'b' },
    ];
    expect(refusal(await space.service('c', { type: 'LoadBalancer', ports }))).toMatch(
      'requested: services.nodeports=2',
    );
    taken(await space.service('c', { type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false }));
    const change = (type: string): Promise<Asked> => space.ask('PATCH', 'services/a', { spec: { type } }, MERGE);
    expect(refusal(await change('LoadBalancer'))).toMatch('requested: services.loadbalancers=1');
    taken(await change('NodePort'));
    expect(await space.used()).toStrictEqual({
      services: '3',
      'services.loadbalancers': '1',
      'services.nodeports': '2',
    });
  });

  it('counts storage by class, in whole bytes, and what the status of a claim says', async () => {
    const space = await QuotaNamespace.make(server);
    const gold = 'gold.storageclass.storage.k8s.io/requests.storage';
    await space.quota('q', { persistentvolumeclaims: '3', 'requests.storage': '5Gi', [gold]: '2Gi' });
    taken(await space.claim('a', '1500m'));
    expect(await space.used()).toMatchObject({ 'requests.storage': '2' });
    expect(refusal(await space.claim('b', '3Gi', { storageClassName: 'gold' }))).toBe(
      `exceeded quota: q, requested: ${gold}=3Gi, used: ${gold}=0, limited: ${gold}=2Gi`,
    );
    taken(await space.claim('b', '1Gi', { storageClassName: 'gold' }));
    const status = { status: { allocatedResources: { storage: '4Gi' } } };
    taken(await space.ask('PATCH', 'persistentvolumeclaims/b/status', status, MERGE));
    expect((await space.used())[gold]).toBe('4Gi');
  });

  it('counts claims by their VolumeAttributesClass', async () => {
    const space = await QuotaNamespace.make(server);
    const matchExpressions = [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] }];
    await space.quota('q', { persistentvolumeclaims: '1' }, { scopeSelector: { matchExpressions } });
    taken(await space.claim('a', '1Gi'));
    taken(await space.claim('b', '1Gi', { volumeAttributesClassName: 'gold' }));
    refusal(await space.claim('c', '1Gi', { volumeAttributesClassName: 'gold' }));
  });

  it('counts devices by their class, the worst case where there is a choice', async () => {
    const space = await QuotaNamespace.make(server);
    const path = `${space.path.replace('/api/v1', '/apis/resource.k8s.io/v1')}/resourceclaims`;
    await server.ok('POST', '/apis/resource.k8s.io/v1/deviceclasses', {
      metadata: { name: 'gpu' },
      spec: { extendedResourceName: 'example.com/gpu' },
    });
    await server.ok('GET', '/apis/resource.k8s.io/v1/deviceclasses');
    const devices = 'gpu.deviceclass.resource.k8s.io/devices';
    const extended = 'requests.example.com/gpu';
    await space.quota('q', { [devices]: '5', 'count/resourceclaims.resource.k8s.io': '9', [extended]: '9' });
    const claim = (name: string, request: object): Promise<Asked> =>
      space.ask('POST', path, { metadata: { name }, spec: { devices: { requests: [{ name: 'r', ...request }] } } });
    taken(await claim('a', { exactly: { deviceClassName: 'gpu', count: 2 } }));
    expect(refusal(await claim('b', { exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }))).toMatch(
      `${devices}=32`,
    );
    const firstAvailable = [3, 1].map((count, index) => ({ name: `x${index}`, deviceClassName: 'gpu', count }));
    taken(await claim('b', { firstAvailable }));
    expect(await space.used()).toStrictEqual({
      'count/resourceclaims.resource.k8s.io': '2',
      [devices]: '5',
      [extended]: '5',
    });
  });

  it('is one of several that all must allow a write', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('p', { pods: '5' });
    await space.quota('q', { pods: '1' });
    taken(await space.pod('a'));
    expect(refusal(await space.pod('b'))).toMatch(/^exceeded quota: q/);
    expect([await space.used('p'), await space.used('q')]).toStrictEqual([{ pods: '1' }, { pods: '1' }]);
  });

  it('is not exceeded by any number of writes at once', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { configmaps: '30', 'count/configmaps': '1k' });
    const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => space.named('configmaps', `c${index}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(50);
    expect(await space.used()).toStrictEqual({ configmaps: '30', 'count/configmaps': '30' });
  });

  it('releases the address of a Service that it refuses', async () => {
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { services: '0' });
    const clusterIP = '10.96.0.77';
    refusal(await space.service('a', { clusterIP }));
    const free = await QuotaNamespace.make(server);
    taken(await free.service('a', { clusterIP }));
  });
});

/** Commits of quotas wait here for the test. */
function heldEngine(): { readonly engine: StorageEngine; readonly before: { run: (key: string) => Promise<void> } } {
  const engine = createMemoryEngine({ clock: new FakeClock() });
  const before = { run: async (_key: string): Promise<void> => undefined };
  const commit = engine.commit.bind(engine);
  vi.spyOn(engine, 'commit').mockImplementation(async (change, options) => {
    if (change.key.includes('/resourcequotas/')) await before.run(change.key);
    return commit(change, options);
  });
  return { engine, before };
}

describe('a ResourceQuota on a shared store', () => {
  it('is not exceeded by several servers', async () => {
    const { engine } = heldEngine();
    const servers = await Promise.all([1, 2, 3].map(() => InProcessServer.start({ engine })));
    const [first] = servers;
    if (first === undefined) throw new Error('no server');
    const space = await QuotaNamespace.make(first);
    await space.quota('q', { configmaps: '20' });
    const name = space.path.split('/').at(-1);
    const views = servers.map((server) => new QuotaNamespace(server, name));
    for (const server of servers) await server.ok('GET', `${space.path}/resourcequotas`);
    const writes = views.flatMap((view, at) =>
      Array.from({ length: 15 }, (_, index) => view.named('configmaps', `c${at}-${index}`)),
    );
    const answers = await Promise.all(writes);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await space.used()).toStrictEqual({ configmaps: '20' });
    for (const server of servers) await server[Symbol.asyncDispose]();
  });

  it('is raised once for all writes that came while it was being written', async () => {
    const { engine, before } = heldEngine();
    await using server = await InProcessServer.start({ engine });
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { configmaps: '90' });
    let commits = 0;
    before.run = async () => {
      commits += 1;
    };
    await Promise.all(Array.from({ length: 80 }, (_, index) => space.named('configmaps', `c${index}`)));
    expect(commits).toBeLessThan(10);
    expect(await space.used()).toStrictEqual({ configmaps: '80' });
  });

  it('is judged again as another writer has left it; one that is deleted meanwhile limits nothing', async () => {
    const { engine, before } = heldEngine();
    await using server = await InProcessServer.start({ engine });
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { configmaps: '5' });
    const key = `${space.path}/resourcequotas/q`;
    let other: (() => Promise<unknown>) | undefined = () =>
      server.ok('PATCH', `${key}/status`, { status: { used: { configmaps: '5' } } }, { type: MERGE });
    before.run = async () => {
      const work = other;
      other = undefined;
      await work?.();
    };
    expect(refusal(await space.named('configmaps', 'a'))).toMatch('used: configmaps=5');
    await server.ok('PATCH', `${key}/status`, { status: { used: { configmaps: '0' } } }, { type: MERGE });
    await server.ok('GET', `${space.path}/resourcequotas`);
    other = () => server.ok('DELETE', key);
    taken(await space.named('configmaps', 'a'));
  });

  it('answers 409 when others change it again and again, and the next write is charged again', async () => {
    const { engine, before } = heldEngine();
    await using server = await InProcessServer.start({ engine });
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { configmaps: '5' });
    const key = `${space.path}/resourcequotas/q`;
    let turn = 0;
    let isInside = false;
    before.run = async () => {
      if (isInside) return;
      isInside = true;
      turn += 1;
      await server.ok('PATCH', key, { metadata: { labels: { turn: `${turn}` } } }, { type: MERGE });
      isInside = false;
    };
    const refused = await space.named('configmaps', 'a');
    expect([refused.status, refused.body.details.kind]).toStrictEqual([409, 'resourcequotas']);
    before.run = async () => undefined;
    taken(await space.named('configmaps', 'a'));
    expect(await space.used()).toStrictEqual({ configmaps: '1' });
  });

  it('fails those that wait with the error of the store, and serves the next', async () => {
    const { engine, before } = heldEngine();
    await using server = await InProcessServer.start({ engine });
    const space = await QuotaNamespace.make(server);
    await space.quota('q', { configmaps: '5' });
    before.run = async () => {
      throw new Error('no disk');
    };
    const failed = await Promise.all(['a', 'b', 'c'].map((name) => space.named('configmaps', name)));
    expect(failed.map(({ status }) => status)).toStrictEqual([500, 500, 500]);
    before.run = async () => undefined;
    taken(await space.named('configmaps', 'a'));
    expect(await space.used()).toStrictEqual({ configmaps: '1' });
  });
});
