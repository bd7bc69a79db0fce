import { channel } from 'node:diagnostics_channel';
import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { startLoopbackControllers } from '@listwatch/controllers';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { describe, expect, it, vi } from 'vitest';
import { noteRights } from '../../../scripts/controller-rights.mjs';
import { RefusedRequests } from './controller-rights.fixture.ts';
import { lackingRights, unusedRights } from './granted-rights.fixture.ts';
import { UNUSED_RIGHTS } from './unused-rights.fixture.ts';

interface ClusterRole extends ApiObject {
  readonly rules: readonly object[];
}

const settled = (check: () => Promise<unknown>): Promise<unknown> => vi.waitFor(check, 20_000);

const core = (plural: string, kind: string, namespaced = true): Resource =>
  resource({ version: 'v1', plural, kind, namespaced });
const namespaces = core('namespaces', 'Namespace', false);
const configMaps = core('configmaps', 'ConfigMap');
const secrets = core('secrets', 'Secret');
const quotas = core('resourcequotas', 'ResourceQuota');
const claims = core('persistentvolumeclaims', 'PersistentVolumeClaim');
const volumes = core('persistentvolumes', 'PersistentVolume', false);
const services = core('services', 'Service');
const endpoints = core('endpoints', 'Endpoints');
const slices = resource({
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
});
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const clusterRoles: Resource<ClusterRole> = resource({
  ...rbac,
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
});

const gone = async (env: TestEnvironment, of: Resource, key: { name: string; namespace?: string }): Promise<void> => {
  await settled(async () => expect(env.cluster.get(of, key)).rejects.toMatchObject({ httpCode: 404 }));
};

/** Gives every controller something to do, and waits until it is done. */
async function work(env: TestEnvironment): Promise<void> {
  const { cluster } = env;
  await env.apply(`
{ apiVersion: v1, kind: Namespace, metadata: { name: work } }
---
{ apiVersion: v1, kind: ResourceQuota, metadata: { name: q, namespace: work }, spec: { hard: { configmaps: "9" } } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: owner, namespace: work } }
---
{ apiVersion: v1, kind: PersistentVolume, metadata: { name: v }, spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /x } } }
---
{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: c, namespace: work }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }
---
{ apiVersion: v1, kind: Secret, metadata: { name: bootstrap-token-abcdef, namespace: kube-system }, type: bootstrap.kubernetes.io/token, stringData: { token-id: abcdef, token-secret: 0123456789abcdef, expiration: "2020-01-01T00:00:00Z" } }
---
{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: part, labels: { rbac.authorization.k8s.io/aggregate-to-view: "true" } }, rules: [{ verbs: [get], apiGroups: [x], resources: [parts] }] }
`);
  const { metadata } = await cluster.get(configMaps, { namespace: 'work', name: 'owner' });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid ?? '' };
  const dependent = (name: string, more: object = {}): ApiObject => ({
    metadata: { name, namespace: 'work', ownerReferences: [{ ...reference, ...more }] },
  });
  await cluster.create(configMaps, dependent('first', { blockOwnerDeletion: true }));
  await cluster.delete(configMaps, { namespace: 'work', name: 'owner' }, { propagationPolicy: 'Foreground' });
  await gone(env, configMaps, { namespace: 'work', name: 'first' });
  await gone(env, configMaps, { namespace: 'work', name: 'owner' });
  await gone(env, secrets, { namespace: 'kube-system', name: 'bootstrap-token-abcdef' });
  await cluster.delete(claims, { namespace: 'work', name: 'c' });
  await gone(env, claims, { namespace: 'work', name: 'c' });
  await cluster.delete(volumes, { name: 'v' });
  await gone(env, volumes, { name: 'v' });
  await settled(async () =>
    expect(await cluster.get(quotas, { namespace: 'work', name: 'q' })).toHaveProperty('status.used'),
  );
  await settled(async () =>
    expect(await cluster.get(configMaps, { namespace: 'work', name: 'kube-root-ca.crt' })).toBeDefined(),
  );
  await settled(async () =>
    expect((await cluster.get(clusterRoles, { name: 'admin' })).rules).toContainEqual(
      expect.objectContaining({ resources: ['parts'] }),
    ),
  );
  const published = { namespace: 'work', name: 'kube-root-ca.crt' };
  await cluster.patch(configMaps, published, { type: 'merge', body: { data: { 'ca.crt': 'other' } } });
  await settled(async () => expect(await cluster.get(configMaps, published)).toHaveProperty(['data', 'ca.crt'], 'pem'));
  await cluster.delete(namespaces, { name: 'work' });
  await gone(env, namespaces, { name: 'work' });
}

/** Changes what the controller of the Service `kubernetes` keeps as it is. */
async function disturb({ cluster }: TestEnvironment): Promise<void> {
  const key = { namespace: 'default', name: 'kubernetes' };
  await settled(async () => expect(await cluster.get(slices, key)).toHaveProperty('endpoints'));
  await cluster.delete(services, key);
  await settled(async () => expect(await cluster.get(services, key)).toBeDefined());
  await cluster.patch(endpoints, key, { type: 'merge', body: { subsets: [] } });
  await settled(async () => expect(await cluster.get(endpoints, key)).toHaveProperty('subsets'));
  await cluster.patch(slices, key, { type: 'merge', body: { endpoints: [] } });
  await settled(async () => expect(await cluster.get(slices, key)).toHaveProperty('endpoints.0'));
  const labels = { 'kubernetes.io/service-name': 'kubernetes' };
  const foreign = { metadata: { name: 'foreign', namespace: 'default', labels }, addressType: 'IPv4', endpoints: [] };
  await cluster.create(slices, foreign);
  await settled(async () => {
    const { items } = await cluster.list(slices, { namespace: 'default' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
  });
}

it('a right that a role lacks shows as a refused request', async () => {
  using refused = new RefusedRequests();
  await using env = await startTestServer({ controllers: [] });
  const role = { name: 'system:controller:service-account-controller' };
  await env.cluster.patch(clusterRoles, role, { type: 'merge', body: { rules: [] } });
  const options = { controllers: ['serviceaccount-controller'], clock: env.clock };
  await using running = startLoopbackControllers(env.server, options);
  expect(running.names).toEqual(['serviceaccount-controller']);
  await settled(async () => expect([...refused.all].join()).toMatch(/POST .*serviceaccounts/u));
});

describe('the walk of all suites', () => {
  const user = {
    name: 'system:serviceaccount:kube-system:root-ca-cert-publisher',
    groups: ['system:serviceaccounts', 'system:authenticated'],
  };
  const right = { user, verb: 'create', group: '', resource: 'configmaps', namespace: 'other', name: '' };
  const lacking = (...rights: readonly object[]): readonly string[] =>
    lackingRights(rights.map((one) => JSON.stringify({ ...right, ...one })));

  it('accepts what a role or a group of the user gives', () => {
    expect(lacking({}, { verb: 'update' }, { verb: 'get', path: '/api/v1' })).toEqual([]);
    const manager = { name: 'system:kube-controller-manager', groups: [] };
    const lease = { user: manager, group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system' };
    expect(lacking({ ...lease, verb: 'update', name: 'kube-controller-manager' })).toEqual([]);
  });

  it('names what no role gives: another verb, group, resource, path, namespace or name', () => {
    const wrong = [
      { verb: 'patch' },
      { group: 'apps' },
      { resource: 'secrets' },
      { resource: 'configmaps/status' },
      { verb: 'get', path: '/metrics' },
      { user: { name: 'system:apiserver', groups: [] }, resource: 'endpoints' },
      { user: { name: 'system:kube-controller-manager', groups: [] }, verb: 'delete', name: 'x' },
    ];
    expect(lacking(...wrong)).toHaveLength(wrong.length);
    expect(lacking({ verb: 'patch' })).toEqual([`${user.name}: patch configmaps in other`]);
  });

  it('names a master, who needs no right', () => {
    expect(lacking({ user: { name: 'm', groups: ['system:masters'] } })).toEqual(['m is a master']);
  });

  it('reads verb, resource, namespace and name from a request, and the create of a PUT that made the object', async () => {
    const rights = new Set<string>();
    const stop = noteRights(rights);
    const manager = { name: 'system:kube-controller-manager', groups: [] };
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
    const message = { user: manager, method: 'PUT', path: `${path}?x=y` };
    channel('listwatch:controllers:request').publish(message);
    channel('listwatch:controllers:response').publish({ ...message, status: 201 });
    stop();
    channel('listwatch:controllers:request').publish({ ...message, method: 'GET' });
    const common = { user: manager, group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system' };
    expect([...rights].map((one): unknown => JSON.parse(one))).toEqual([
      { ...common, verb: 'update', name: 'kube-controller-manager' },
      { ...common, verb: 'create', name: '' },
    ]);
  });
});

it('no controller is refused, and every right that none uses has a reason', async () => {
  using refused = new RefusedRequests();
  const rights = new Set<string>();
  const stop = noteRights(rights);
  // A role with many rules is a large object: without this the test would wait for a worker to load the sources.
  await using env = await startTestServer({ controllers: [], server: { largeWriteBytes: Infinity } });
  const advertise = { ip: '10.0.0.7', port: 7443 };
  const options = { caBundle: 'pem', namespaceGraceMs: 0, clock: env.clock, advertise, leaderElection: true };
  const running = startLoopbackControllers(env.server, options);
  try {
    await running.ready;
    await work(env);
    await disturb(env);
  } finally {
    await running.close();
    stop();
  }
  expect([...refused.all]).toEqual([]);
  const unused = Object.entries(unusedRights([...rights])).flatMap(([user, own]) =>
    own.map((one) => `${user}: ${one}`),
  );
  const explained = UNUSED_RIGHTS.flatMap(({ users, rights: of }) =>
    users.flatMap((user) => of.map((one) => `${user}: ${one}`)),
  );
  expect(unused.filter((one) => !explained.includes(one))).toEqual([]);
  // Not whether each was really unused: some are used when a request has to be repeated.
  const all = Object.entries(unusedRights(withoutRights([...rights]))).flatMap(([user, own]) =>
    own.map((one) => `${user}: ${one}`),
  );
  expect(explained.filter((one) => !all.includes(one))).toEqual([]);
});

/** The same users, who have used nothing. */
function withoutRights(lines: readonly string[]): readonly string[] {
  return lines.map((line) => JSON.stringify({ ...JSON.parse(line), verb: 'nothing', path: undefined }));
}
