import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${GROUP}/v1`;
const REVIEWS = '/apis/authorization.k8s.io/v1';
const BOB = { name: 'bob', groups: ['devs'] };

let server: InProcessServer;
beforeAll(async () => {
  server = await InProcessServer.start();
  await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
});
afterAll(() => server[Symbol.asyncDispose]());

async function message(method: string, path: string, body?: unknown, type?: string): Promise<unknown> {
  const asked = await server.ask(method, path, body, { user: BOB, ...(type === undefined ? {} : { type }) });
  return asked.status < 300 ? asked.status : [asked.status, asked.body.message];
}

/** A ClusterRole that bob has in namespace a, or everywhere. */
async function grant(name: string, rules: readonly object[], namespace?: string): Promise<void> {
  const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name };
  const subjects = [{ kind: 'User', apiGroup: GROUP, name: 'bob' }];
  await server.ok('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules });
  const place = namespace === undefined ? 'clusterrolebindings' : `namespaces/${namespace}/rolebindings`;
  await server.ok('POST', `${RBAC}/${place}`, { metadata: { name }, roleRef, subjects });
}

describe('a user without the right', () => {
  it.each([
    [
      'GET',
      '/api/v1/namespaces/a',
      'namespaces "a" is forbidden: User "bob" cannot get resource "namespaces" in API group "" in the namespace "a"',
    ],
    [
      'GET',
      '/api/v1/namespaces',
      'namespaces is forbidden: User "bob" cannot list resource "namespaces" in API group "" at the cluster scope',
    ],
    [
      'GET',
      '/apis/none.example.com/v1/widgets',
      'widgets.none.example.com is forbidden: User "bob" cannot list resource "widgets" in API group "none.example.com" at the cluster scope',
    ],
    [
      'GET',
      '/api/v1/namespaces/none/nothings/x',
      'nothings "x" is forbidden: User "bob" cannot get resource "nothings" in API group "" in the namespace "none"',
    ],
    [
      'GET',
      '/api/v1/pods?labelSelector=!!&limit=x',
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" at the cluster scope',
    ],
  ])('to %s %s is refused before anything else is looked at', async (method, path, text) => {
    expect(await message(method, path)).toEqual([403, text]);
  });

  it('is refused before its body is read', async () => {
    const text = 'pods is forbidden: User "bob" cannot create resource "pods" in API group "" in the namespace "a"';
    expect(await message('POST', '/api/v1/namespaces/a/pods', '{', 'application/json')).toEqual([403, text]);
  });
});

describe('a right', () => {
  it('in a namespace covers its Namespace object, and no list of them', async () => {
    await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'mine' } });
    await grant('namespaces', [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['namespaces'] }], 'mine');
    expect(await message('GET', '/api/v1/namespaces/mine')).toBe(200);
    expect(await message('GET', '/api/v1/namespaces/a')).toEqual([403, expect.stringContaining('is forbidden')]);
    expect(await message('GET', '/api/v1/namespaces')).toEqual([403, expect.stringContaining('is forbidden')]);
  });

  it('holds for every version of a group', async () => {
    await grant('autoscalers', [
      { verbs: ['list'], apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] },
    ]);
    for (const version of ['v1', 'v2']) {
      expect(await message('GET', `/apis/autoscaling/${version}/namespaces/a/horizontalpodautoscalers`)).toBe(200);
    }
  });

  it('to update does not create: a PUT of a new object needs both', async () => {
    await grant('leases', [{ verbs: ['update'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] }]);
    const path = '/apis/coordination.k8s.io/v1/namespaces/a/leases/new';
    expect(await message('PUT', path, { metadata: { name: 'new' } })).toEqual([
      403,
      'leases.coordination.k8s.io "new" is forbidden: User "bob" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "a"',
    ]);
  });
});

describe('a binding', () => {
  const path = `${RBAC}/clusterrolebindings/secret-readers`;

  it('keeps its role, also when the group is left out, and a strategic patch replaces its subjects', async () => {
    await grant('secret-readers', [{ verbs: ['get', 'get'], apiGroups: [''], resources: ['secrets'] }]);
    const user = (name: string): object => ({ kind: 'User', apiGroup: GROUP, name });
    const roleRef = { kind: 'ClusterRole', name: 'secret-readers' };
    const put = { metadata: { name: 'secret-readers' }, roleRef, subjects: [user('bob'), user('eve')] };
    expect((await server.ok('PUT', path, put)).roleRef).toEqual({ apiGroup: GROUP, ...roleRef });
    const type = 'application/strategic-merge-patch+json';
    const patched = await server.ok('PATCH', path, { subjects: [user('ann')] }, { type });
    expect(patched.subjects).toEqual([user('ann')]);
  });

  it('of a stronger role cannot be changed by others, not even to give less; a verb that is named twice is told twice', async () => {
    await grant('binders', [{ verbs: ['update', 'patch'], apiGroups: [GROUP], resources: ['clusterrolebindings'] }]);
    const body = { subjects: null };
    const asked = await server.ask('PATCH', path, body, { user: BOB, type: 'application/merge-patch+json' });
    expect(asked.status).toBe(403);
    expect(asked.body.message).toContain('is attempting to grant RBAC permissions not currently held:');
    expect(asked.body.message).toContain('{APIGroups:[""], Resources:["secrets"], Verbs:["get" "get"]}');
  });
});

async function mayReadVersion(groups: readonly string[]): Promise<unknown> {
  const spec = { user: 'nobody', groups, nonResourceAttributes: { path: '/version', verb: 'get' } };
  return (await server.ok('POST', `${REVIEWS}/subjectaccessreviews`, { spec })).status.allowed;
}

describe('a review', () => {
  it('adds no group to those that it names', async () => {
    expect([await mayReadVersion([]), await mayReadVersion(['system:authenticated'])]).toEqual([false, true]);
  });

  it('says which part of a selector it could not use', async () => {
    const requirements = [
      { key: 'spec.nodeName', operator: 'In', values: ['n'] },
      { key: 'x', operator: 'Exists' },
    ];
    const resourceAttributes = { verb: 'list', resource: 'pods', fieldSelector: { requirements } };
    const { status } = await server.ok('POST', `${REVIEWS}/selfsubjectaccessreviews`, { spec: { resourceAttributes } });
    expect(status).toEqual({
      allowed: true,
      evaluationError: 'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    });
  });

  it('of rules says which role is missing, and is complete', async () => {
    const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name: 'missing' };
    const subjects = [{ kind: 'User', apiGroup: GROUP, name: 'lost' }];
    await server.ok('POST', `${RBAC}/clusterrolebindings`, { metadata: { name: 'lost' }, roleRef, subjects });
    const user = { name: 'lost', groups: [] };
    const { status } = await server.ok(
      'POST',
      `${REVIEWS}/selfsubjectrulesreviews`,
      { spec: { namespace: 'a' } },
      { user },
    );
    expect(status).toMatchObject({
      incomplete: false,
      evaluationError: 'clusterrole.rbac.authorization.k8s.io "missing" not found',
    });
  });
});
