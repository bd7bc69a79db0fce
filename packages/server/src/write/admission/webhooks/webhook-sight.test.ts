/** What webhooks are shown of requests that are not the usual ones, and which of them they are shown. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Asked, Json } from '../../../start/in-process-server.fixture.ts';
import { HookedServer, patchOf } from './hook-server.fixture.ts';

let hooked: HookedServer;
let ns: string;
/** Removed after each test: some of them are about all namespaces. */
let configured: string[] = [];

beforeAll(async () => {
  hooked = await HookedServer.start();
});

beforeEach(async () => {
  for (const path of configured) await hooked.server.ok('DELETE', path);
  configured = [];
  ns = await hooked.namespace();
});

afterAll(() => hooked[Symbol.asyncDispose]());

const MERGE = { type: 'application/merge-patch+json' };
const APPLY = { type: 'application/apply-patch+yaml' };
const at = (path: string, group = '/api/v1'): string => `${group}/namespaces/${ns}/${path}`;

function rule(apiGroup: string, resource: string, more: object = {}): object {
  const rules = [{ apiGroups: [apiGroup], apiVersions: ['*'], operations: ['*'], resources: [resource], ...more }];
  return { rules };
}

/** Objects without a namespace, too. */
const EVERYWHERE = { namespaceSelector: {} };

async function configure(type: 'Mutating' | 'Validating', ...webhooks: readonly object[]): Promise<void> {
  configured.push(await hooked.configure(type, ...webhooks));
}

function seen(): readonly Json[] {
  return hooked.hook.calls.map(({ request }) => request);
}

function told({ status, body }: Asked): readonly [number, string] {
  return [status, body.message];
}

describe('a webhook is told', () => {
  it('of an apply what it does: a creation, or an update, with the manager', async () => {
    await configure('Validating', hooked.hookOf(ns, 'v'));
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
    for (const value of ['v', 'w']) {
      const applied = { ...body, data: { k: value } };
      await hooked.server.ok('PATCH', `${at('configmaps/a')}?fieldManager=me&force=true`, applied, APPLY);
    }
    const options = { apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' };
    expect(seen().map((request) => [request.operation, request.oldObject?.data ?? null, request.options])).toEqual([
      ['CREATE', null, { kind: 'CreateOptions', ...options }],
      ['UPDATE', { k: 'v' }, { kind: 'UpdateOptions', ...options }],
    ]);
  });

  it('of a PUT that creates that it is a creation', async () => {
    const leases = at('leases/l', '/apis/coordination.k8s.io/v1');
    await configure('Validating', hooked.hookOf(ns, 'v', rule('coordination.k8s.io', 'leases')));
    await hooked.server.ok('PUT', leases, { metadata: { name: 'l' }, spec: {} });
    const [request] = seen();
    expect([request.operation, request.name, request.oldObject, request.options.kind]).toEqual([
      'CREATE',
      'l',
      null,
      'CreateOptions',
    ]);
  });

  it('of a Namespace its own name as the namespace, and of other objects without one none', async () => {
    const rules = [{ apiGroups: ['*'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] }];
    const objectSelector = { matchLabels: { only: ns } };
    await configure('Validating', hooked.hookOf(ns, 'v', { rules, objectSelector, ...EVERYWHERE }));
    const metadata = { name: `${ns}-own`, labels: { only: ns } };
    await hooked.server.ok('POST', '/api/v1/namespaces', { metadata });
    await hooked.server.ok('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata });
    expect(
      seen().map((request) => [request.kind.kind, Object.hasOwn(request, 'namespace'), request.namespace]),
    ).toEqual([
      ['Namespace', true, `${ns}-own`],
      ['ClusterRole', false, undefined],
    ]);
  });

  it('of a binding a Binding', async () => {
    await configure('Validating', hooked.hookOf(ns, 'v', rule('', 'pods/binding')));
    const containers = [{ name: 'c', image: 'i' }];
    await hooked.server.ok('POST', at('pods'), { metadata: { name: 'p' }, spec: { containers } });
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
    await hooked.server.ok('POST', at('pods/p/binding'), { metadata: { name: 'p' }, target });
    const [request, ...others] = seen();
    expect([request.operation, request.kind.kind, request.object.target.name, others]).toEqual([
      'CREATE',
      'Binding',
      'n',
      [],
    ]);
  });

  it('of a change of nothing', async () => {
    await hooked.create(ns, 'a');
    await configure('Mutating', hooked.hookOf(ns, 'm'));
    await configure('Validating', hooked.hookOf(ns, 'v'));
    const { metadata } = await hooked.server.ok('GET', at('configmaps/a'));
    const { metadata: after } = await hooked.server.ok('PUT', at('configmaps/a'), { metadata, data: { k: 'v' } });
    expect([hooked.hook.paths, after.resourceVersion]).toEqual([['m', 'v'], metadata.resourceVersion]);
  });
});

describe('a selector', () => {
  it('of objects never takes the options of a connection, which have no labels', async () => {
    const without = { objectSelector: { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] } };
    const exec = rule('', 'pods/exec');
    await configure(
      'Validating',
      hooked.hookOf(ns, 'any', exec),
      hooked.hookOf(ns, 'without', { ...exec, ...without }),
    );
    const containers = [{ name: 'c', image: 'i' }];
    await hooked.server.ok('POST', at('pods'), { metadata: { name: 'p' }, spec: { containers } });
    await hooked.server.ask('POST', at('pods/p/exec?command=ls&stdout=true'));
    expect(hooked.hook.paths).toEqual(['any']);
  });

  it('of objects looks at the Scale that is written, which has no labels, not at the Deployment', async () => {
    const labels = { mine: 'yes' };
    const deployments = at('deployments', '/apis/apps/v1');
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    await hooked.server.ok('POST', deployments, { metadata: { name: 'd', labels }, spec });
    const scales = rule('apps', 'deployments/scale');
    const other = { matchExpressions: [{ key: 'mine', operator: 'DoesNotExist' }] };
    await configure('Mutating', hooked.hookOf(ns, 'mine', { ...scales, objectSelector: { matchLabels: labels } }));
    await configure('Validating', hooked.hookOf(ns, 'other', { ...scales, objectSelector: other }));
    await hooked.server.ok('PATCH', `${deployments}/d/scale`, { spec: { replicas: 2 } }, MERGE);
    expect(hooked.hook.paths).toEqual(['other']);
  });

  it('of objects sees what is deleted', async () => {
    const objectSelector = { matchLabels: { mine: 'yes' } };
    await hooked.create(ns, 'a', { metadata: { name: 'a', labels: { mine: 'yes' } } });
    await hooked.create(ns, 'b');
    await configure('Validating', hooked.hookOf(ns, 'v', { objectSelector }));
    for (const name of ['a', 'b']) await hooked.server.ok('DELETE', at(`configmaps/${name}`));
    expect(seen().map(({ name }) => name)).toEqual(['a']);
  });

  it('of namespaces takes a Namespace by its new labels, at its deletion by the stored ones, and whatever has none', async () => {
    const watched = { namespaceSelector: { matchLabels: { watched: ns } } };
    const own = { ...rule('*', '*', { scope: 'Cluster' }), ...watched };
    await configure('Validating', hooked.hookOf(ns, 'v', own));
    const path = `/api/v1/namespaces/${ns}`;
    await hooked.server.ok('PATCH', path, { metadata: { annotations: { a: 'b' } } }, MERGE);
    expect(hooked.hook.paths).toEqual([]);
    await hooked.server.ok('PATCH', path, { metadata: { labels: { watched: ns } } }, MERGE);
    await hooked.server.ok('GET', '/api/v1/namespaces');
    await hooked.server.ok('DELETE', path);
    await hooked.server.ok('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: ns } });
    expect(seen().map((request) => [request.operation, request.kind.kind])).toEqual([
      ['UPDATE', 'Namespace'],
      ['DELETE', 'Namespace'],
      ['CREATE', 'ClusterRole'],
    ]);
  });
});

describe('match conditions', () => {
  const failing = ['object.data.nope == "x"', 'namespaceObject.metadata.name == "x"'];

  it('that fail are all told, and see no namespace', async () => {
    const matchConditions = failing.map((expression, index) => ({ name: `c${index}`, expression }));
    await configure('Validating', hooked.hookOf(ns, 'v', { matchConditions }));
    const [first, second] = failing;
    const told1 = `expression '${first}' resulted in error: no such key: nope`;
    const told2 = `expression '${second}' resulted in error: no such key: metadata`;
    expect(told(await hooked.create(ns, 'a'))).toEqual([403, `configmaps "a" is forbidden: [${told1}, ${told2}]`]);
  });
});

describe('a mutating webhook', () => {
  it('that makes an object invalid has it refused before validating ones see it', async () => {
    hooked.hook.answers['m'] = patchOf({ op: 'add', path: '/data/bad key', value: 'x' });
    await configure('Mutating', hooked.hookOf(ns, 'm'));
    await configure('Validating', hooked.hookOf(ns, 'v'));
    const [status, message] = told(await hooked.create(ns, 'a'));
    expect([status, message, hooked.hook.paths]).toEqual([422, expect.stringContaining('"bad key"'), ['m']]);
  });

  it.each([['W10='], [Buffer.from('null').toString('base64')]])('with the patch %s changes nothing', async (patch) => {
    hooked.hook.answers['m'] = { allowed: true, patch, patchType: 'JSONPatch' };
    const again = { reinvocationPolicy: 'IfNeeded' };
    await configure('Mutating', hooked.hookOf(ns, 'first', again), hooked.hookOf(ns, 'm'));
    expect((await hooked.create(ns, 'a')).body.data).toEqual({ k: 'v' });
    expect(hooked.hook.paths).toEqual(['first', 'm']);
  });

  it('cannot patch what is deleted, but may answer without operations', async () => {
    await hooked.create(ns, 'a');
    hooked.hook.answers['m'] = patchOf({ op: 'add', path: '/data/x', value: 'y' });
    await configure('Mutating', hooked.hookOf(ns, 'm', { failurePolicy: 'Ignore' }));
    const why = 'attempted to modify the object, which is not supported for this operation';
    expect(told(await hooked.server.ask('DELETE', at('configmaps/a')))).toEqual([
      500,
      `Internal error occurred: admission webhook "m.hook.example.com" ${why}`,
    ]);
    hooked.hook.answers['m'] = patchOf();
    expect((await hooked.server.ask('DELETE', at('configmaps/a'))).status).toBe(200);
  });

  it('that repeats an owner is warned of, and the owner is stored once', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u-1' };
    hooked.hook.answers['m'] = patchOf({ op: 'add', path: '/metadata/ownerReferences', value: [owner, owner] });
    await configure('Mutating', hooked.hookOf(ns, 'm'));
    const { status, headers, body } = await hooked.create(ns, 'a');
    expect([status, body.metadata.ownerReferences]).toEqual([201, [owner]]);
    expect(headers['warning']).toContain(
      '.metadata.ownerReferences contains duplicate entries after mutating admission happens',
    );
    expect(headers['warning']).toContain('duplicate UID(s) observed: u-1');
  });
});
