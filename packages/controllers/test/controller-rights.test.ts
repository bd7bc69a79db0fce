import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { startLoopbackControllers } from '@listwatch/controllers';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { expect, it, vi } from 'vitest';
import { type GrantedRole, recorded, type UsedRight, unusedRights } from './controller-rights.fixture.ts';

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
const clusterRoles: Resource<GrantedRole> = resource({
  ...rbac,
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
});
const roles: Resource<GrantedRole> = resource({ ...rbac, plural: 'roles', kind: 'Role', namespaced: true });

const gone = async (env: TestEnvironment, of: Resource, key: { name: string; namespace?: string }): Promise<void> => {
  await settled(async () => expect(env.cluster.get(of, key)).rejects.toMatchObject({ httpCode: 404 }));
};

/** Gives every controller something to do, and waits until it is done. */
async function work(env: TestEnvironment): Promise<void> {
  const { cluster } = env;
  await env.apply(`
{ apiVersion: v1, kind: Namespace, metadata: { name: n } }
---
{ apiVersion: v1, kind: ResourceQuota, metadata: { name: q, namespace: n }, spec: { hard: { configmaps: "9" } } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: owner, namespace: n } }
---
{ apiVersion: v1, kind: PersistentVolume, metadata: { name: v }, spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /x } } }
---
{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: c, namespace: n }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }
---
{ apiVersion: v1, kind: Secret, metadata: { name: bootstrap-token-abcdef, namespace: kube-system }, type: bootstrap.kubernetes.io/token, stringData: { token-id: abcdef, token-secret: 0123456789abcdef, expiration: "2020-01-01T00:00:00Z" } }
---
{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: part, labels: { rbac.authorization.k8s.io/aggregate-to-view: "true" } }, rules: [{ verbs: [get], apiGroups: [x], resources: [y] }] }
`);
  const { metadata } = await cluster.get(configMaps, { namespace: 'n', name: 'owner' });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid ?? '' };
  const dependent = (name: string, more: object = {}): ApiObject => ({
    metadata: { name, namespace: 'n', ownerReferences: [{ ...reference, ...more }] },
  });
  await cluster.create(configMaps, dependent('first', { blockOwnerDeletion: true }));
  await cluster.delete(configMaps, { namespace: 'n', name: 'owner' }, { propagationPolicy: 'Foreground' });
  await gone(env, configMaps, { namespace: 'n', name: 'first' });
  await gone(env, configMaps, { namespace: 'n', name: 'owner' });
  await gone(env, secrets, { namespace: 'kube-system', name: 'bootstrap-token-abcdef' });
  await cluster.delete(claims, { namespace: 'n', name: 'c' });
  await gone(env, claims, { namespace: 'n', name: 'c' });
  await cluster.delete(volumes, { name: 'v' });
  await gone(env, volumes, { name: 'v' });
  await settled(async () =>
    expect(await cluster.get(quotas, { namespace: 'n', name: 'q' })).toHaveProperty('status.used'),
  );
  await settled(async () =>
    expect(await cluster.get(configMaps, { namespace: 'n', name: 'kube-root-ca.crt' })).toBeDefined(),
  );
  await settled(async () =>
    expect((await cluster.get(clusterRoles, { name: 'admin' })).rules).toContainEqual(
      expect.objectContaining({ resources: ['y'] }),
    ),
  );
  await cluster.delete(namespaces, { name: 'n' });
  await gone(env, namespaces, { name: 'n' });
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

/** The roles of the user of a controller. */
async function rolesOf({ cluster }: TestEnvironment, user: string): Promise<readonly GrantedRole[]> {
  const account = user.split(':').at(-1) ?? '';
  const name = `system:controller:${account}`;
  if (account === 'token-cleaner') return [await cluster.get(roles, { namespace: 'kube-system', name })];
  if (user.startsWith('system:serviceaccount:')) return [await cluster.get(clusterRoles, { name })];
  if (account !== 'apiserver') return [];
  const own = { name: 'listwatch:apiserver' };
  return [
    await cluster.get(clusterRoles, own),
    await cluster.get(roles, { ...own, namespace: 'default' }),
    await cluster.get(roles, { ...own, namespace: 'kube-system' }),
  ];
}

it('a right that a role lacks shows as a refused request', async () => {
  const requests: UsedRight[] = [];
  await using env = await startTestServer({ controllers: [] });
  const role = { name: 'system:controller:service-account-controller' };
  await env.cluster.patch(clusterRoles, role, { type: 'merge', body: { rules: [] } });
  const options = { controllers: ['serviceaccount-controller'], clock: env.clock };
  await using running = startLoopbackControllers(recorded(env, requests), options);
  expect(running.names).toEqual(['serviceaccount-controller']);
  await settled(async () => expect(requests.map(({ status }) => status)).toContain(403));
  expect(requests.find(({ status }) => status === 403)?.right).toBe('create serviceaccounts');
});

it('a right that no request used is listed', () => {
  const rules = [{ verbs: ['get', 'delete'], apiGroups: ['', 'apps'], resources: ['pods', 'pods/log'] }];
  const used = ['get pods', 'delete pods.apps/log'].map((right) => ({
    user: 'u',
    isMaster: false,
    right,
    status: 200,
  }));
  expect(unusedRights([{ metadata: { name: 'r' }, rules }], used)).toEqual([
    'delete pods',
    'get pods/log',
    'delete pods/log',
    'get pods.apps',
    'delete pods.apps',
    'get pods.apps/log',
  ]);
});

it('no controller is refused, none is a master, and what their roles grant besides is what Kubernetes needs and we do not', async () => {
  const requests: UsedRight[] = [];
  await using env = await startTestServer({ controllers: [] });
  const advertise = { ip: '10.0.0.7', port: 7443 };
  const options = { caBundle: 'pem', namespaceGraceMs: 0, clock: env.clock, advertise, leaderElection: true };
  const running = startLoopbackControllers(recorded(env, requests), options);
  try {
    await running.ready;
    await work(env);
    await disturb(env);
  } finally {
    await running.close();
  }
  expect(requests.filter(({ status }) => status === 403)).toEqual([]);
  expect(requests.filter(({ isMaster }) => isMaster)).toEqual([]);
  const unused: Record<string, readonly string[]> = {};
  for (const user of new Set(requests.map((request) => request.user))) {
    const granted = await rolesOf(env, user);
    const own = requests.filter((request) => request.user === user);
    if (granted.length > 0) unused[user.split(':').at(-1) ?? ''] = unusedRights(granted, own);
  }
  expect(unused).toMatchInlineSnapshot(`
    {
      "apiserver": [],
      "clusterrole-aggregation-controller": [
        "escalate clusterroles.rbac.authorization.k8s.io",
        "get clusterroles.rbac.authorization.k8s.io",
        "list clusterroles.rbac.authorization.k8s.io",
        "update clusterroles.rbac.authorization.k8s.io",
        "watch clusterroles.rbac.authorization.k8s.io",
      ],
      "generic-garbage-collector": [
        "delete *.*",
        "get *.*",
        "list *.*",
        "patch *.*",
        "update *.*",
        "watch *.*",
        "create events",
        "patch events",
        "update events",
        "create events.events.k8s.io",
        "patch events.events.k8s.io",
        "update events.events.k8s.io",
      ],
      "namespace-controller": [
        "delete namespaces",
        "list namespaces",
        "watch namespaces",
        "delete *.*",
        "deletecollection *.*",
        "get *.*",
        "list *.*",
        "watch *.*",
      ],
      "pv-protection-controller": [
        "get persistentvolumes",
        "list persistentvolumes",
        "watch persistentvolumes",
        "create events",
        "patch events",
        "update events",
        "create events.events.k8s.io",
        "patch events.events.k8s.io",
        "update events.events.k8s.io",
      ],
      "pvc-protection-controller": [
        "get persistentvolumeclaims",
        "list persistentvolumeclaims",
        "watch persistentvolumeclaims",
        "update persistentvolumeclaims/status",
        "get pods",
        "watch pods",
        "create events",
        "patch events",
        "update events",
        "create events.events.k8s.io",
        "patch events.events.k8s.io",
        "update events.events.k8s.io",
      ],
      "resourcequota-controller": [
        "list *.*",
        "watch *.*",
        "create events",
        "patch events",
        "update events",
        "create events.events.k8s.io",
        "patch events.events.k8s.io",
        "update events.events.k8s.io",
      ],
      "root-ca-cert-publisher": [
        "update configmaps",
        "create events",
        "patch events",
        "update events",
        "create events.events.k8s.io",
        "patch events.events.k8s.io",
        "update events.events.k8s.io",
      ],
      "service-account-controller": [
        "create events",
        "patch events",
        "update events",
        "create events.events.k8s.io",
        "patch events.events.k8s.io",
        "update events.events.k8s.io",
      ],
      "token-cleaner": [
        "get secrets",
        "list secrets",
        "watch secrets",
        "create events",
        "patch events",
        "update events",
        "create events.events.k8s.io",
        "patch events.events.k8s.io",
        "update events.events.k8s.io",
      ],
    }
  `);
});
