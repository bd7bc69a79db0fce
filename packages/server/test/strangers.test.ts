import { SERVED_KINDS } from '@listwatch/rules/internal';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { UserInfo } from '../src/contract/api-request.ts';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';

const RBAC = 'rbac.authorization.k8s.io';
const STRANGERS: readonly (readonly [who: string, user: UserInfo | undefined])[] = [
  ['anonymous', undefined],
  ['an authenticated nobody', { name: 'nobody', groups: [] }],
  ['a user with one right in one namespace', { name: 'one', groups: [] }],
];
/** Namespaces of the full server, of both, and of none. */
const NAMESPACES = ['team', 'own', 'ghost'];
/** Of Pods and Services: what goes on to a kubelet or a workload. */
const STREAMS = [
  'nodes/kept/proxy/metrics',
  'nodes/kept:10250/proxy/metrics',
  ...NAMESPACES.flatMap((namespace) => [
    ...['attach', 'exec?command=x&stdout=true', 'log?follow=true', 'portforward?ports=80', 'proxy/x'].map(
      (part) => `namespaces/${namespace}/pods/kept/${part}`,
    ),
    `namespaces/${namespace}/services/https:kept:80/proxy/x`,
    `namespaces/own/pods/kept/proxy/../../../../${namespace}/secrets/kept`,
    `proxy/namespaces/${namespace}/pods/kept/x`,
  ]),
].map((path) => `/api/v1/${path}`);
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** `kept` is in the full server only. */
const NAMES = ['kept', 'gone'];
/** What every authenticated user may read of the kinds, also of custom ones: Kubernetes' role system:discovery. */
const DISCOVERY = /^\/(?:api(?:\/v1)?|apis(?:\/[^/]+){0,2}|openapi\/v2|openapi\/v3(?:\/.*)?)$/u;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function paths(): readonly string[] {
  const custom = { group: 'secret.example', version: 'v1', plural: 'plans', namespaced: true, subresources: {} };
  const missing = { ...custom, group: 'none.example' };
  const all = new Set<string>();
  for (const { group, version, plural, namespaced, subresources } of [...SERVED_KINDS, custom, missing]) {
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const scopes = namespaced ? NAMESPACES.map((namespace) => `/namespaces/${namespace}`) : [''];
    all.add(`${root}/${plural}`);
    for (const scope of scopes) {
      all.add(`${root}${scope}/${plural}`);
      all.add(`${root}${scope}/${plural}?watch=true&fieldSelector=metadata.name%3Dkept`);
      all.add(`${root}/watch${scope}/${plural}`);
      for (const name of NAMES) {
        all.add(`${root}${scope}/${plural}/${name}`);
        for (const part of [...Object.keys(subresources), 'nothing'])
          all.add(`${root}${scope}/${plural}/${name}/${part}`);
      }
    }
  }
  const debug = [
    'cache',
    'overview',
    'history',
    'history?watch=true',
    'audit?resource=secrets&namespace=team&name=kept',
    'webhooks',
    'pprof/heap',
    ...['', '/', '/dump_priority_levels', '/dump_queues', '/dump_requests?includeRequestDetails=1'].map(
      (dump) => `api_priority_and_fairness${dump}`,
    ),
  ];
  const own = ['/', '/console', '/console/', '/metrics', '/version', '/logs/', '/openid/v1/jwks', '/nothing', '/debug'];
  const health = ['healthz', 'livez', 'readyz'].flatMap((one) => [`/${one}`, `/${one}?verbose`, `/${one}/storage`]);
  const well = ['/.well-known/openid-configuration', '/api/v1/namespaces/team/pods/kept/proxy/x', '/apis/%2e%2e/x'];
  for (const path of [...own, ...health, ...well, ...debug.map((page) => `/debug/${page}`)]) all.add(path);
  for (const path of ['/api', '/apis', '/apis/secret.example', '/apis/secret.example/v1', '/openapi/v2', '/openapi/v3'])
    all.add(path);
  for (const name of ['api/v1', 'apis/secret.example/v1', 'apis/none.example/v1', 'apis/apps/v1?hash=x', 'version'])
    all.add(`/openapi/v3/${name}`);
  for (const path of STREAMS) all.add(path);
  return [...all];
}

function* requests(): Generator<Sent, undefined> {
  for (const path of paths()) {
    const more = path.startsWith('/apis/') ? [] : ['OPTIONS', 'BREW'];
    for (const method of [...METHODS, ...more]) yield { method, path };
  }
  for (const path of STREAMS) {
    for (const upgrade of ['websocket', 'SPDY/3.1']) {
      for (const method of ['GET', 'POST']) yield { method, path, headers: { connection: 'Upgrade', upgrade } };
    }
  }
  for (const namespace of NAMESPACES) {
    const path = `/api/v1/namespaces/${namespace}/secrets/kept`;
    yield { method: 'GET', path, headers: { 'impersonate-user': `system:serviceaccount:${namespace}:kept` } };
    yield { method: 'GET', path, headers: { accept: 'application/vnd.kubernetes.protobuf' } };
    yield { method: 'GET', path, headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
    yield { method: 'PATCH', path, headers: { 'content-type': 'application/apply-patch+yaml' }, body: '{' };
    for (const [plural, spec] of [
      [
        'selfsubjectaccessreviews',
        { resourceAttributes: { namespace, verb: 'get', resource: 'secrets', name: 'kept' } },
      ],
      ['selfsubjectrulesreviews', { namespace }],
      ['subjectaccessreviews', { user: 'kept', resourceAttributes: { namespace, verb: 'get', resource: 'secrets' } }],
    ] as const) {
      yield { method: 'POST', path: `/apis/authorization.k8s.io/v1/${plural}`, body: JSON.stringify({ spec }) };
    }
  }
}

/** All that a stranger sees, but for what is different in every answer. */
async function seen({ server }: InProcessServer, user: UserInfo | undefined, sent: Sent): Promise<string> {
  const { method, path, headers = {}, body } = sent;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const request = { method, path, headers: { 'content-type': 'application/json', ...headers }, body: bytes };
  const response = await server.handle(request, user === undefined ? {} : { user });
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(Buffer.from(part));
  const own = /^(?:audit-id|date|etag|last-modified|x-kubernetes-pf-.*-uid)$/u;
  const shown = Object.entries(response.headers).map(([name, value]) => [name, own.test(name) ? '' : value]);
  return `${response.status} ${JSON.stringify(shown)} ${Buffer.concat(parts).toString()}`;
}

describe('what a user without rights is answered', () => {
  let full: InProcessServer;
  let empty: InProcessServer;

  const engine = new ReadCounter(createMemoryEngine());

  beforeAll(async () => {
    // Whoever gets as far as a kubelet is connected with nothing.
    const kubelets = { connect: () => Promise.reject(new Error('there is no kubelet')) };
    [full, empty] = await Promise.all([
      InProcessServer.start({ engine, kubelets }),
      InProcessServer.start({ kubelets }),
    ]);
    for (const server of [full, empty]) {
      await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'own' } });
      const roles = `/apis/${RBAC}/v1/namespaces/own`;
      const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
      await server.ok('POST', `${roles}/roles`, { metadata: { name: 'one' }, rules });
      await server.ok('POST', `${roles}/rolebindings`, {
        metadata: { name: 'one' },
        roleRef: { apiGroup: RBAC, kind: 'Role', name: 'one' },
        subjects: [{ kind: 'User', apiGroup: RBAC, name: 'one' }],
      });
    }
    await fill(full);
  });

  afterAll(() => Promise.all([full[Symbol.asyncDispose](), empty[Symbol.asyncDispose]()]));

  it.each(STRANGERS)('depends on nothing that is there: %s', { timeout: 120_000 }, async (_who, user) => {
    const leaks: string[] = [];
    let refused = 0;
    for (const sent of requests()) {
      const { reads } = engine;
      const [one, other] = await Promise.all([seen(full, user, sent), seen(empty, user, sent)]);
      if (one.startsWith('403')) refused += 1;
      // By its time, too: what a refusal has not read cannot make it slower.
      if (/^40[13]/u.test(one) && engine.reads !== reads) leaks.push(`${sent.method} ${sent.path} reads the store`);
      const mayRead =
        user !== undefined && sent.method === 'GET' && DISCOVERY.test(sent.path) && /^(?:200|301)/u.test(one);
      if (one !== other && !mayRead) leaks.push(`${sent.method} ${sent.path}\n  ${one}\n  ${other}`);
    }
    expect(leaks).toEqual([]);
    expect(refused).toBeGreaterThan(5000);
  });
});

/** Counts what is read of a store. */
class ReadCounter extends ForwardingEngine {
  reads = 0;

  override get(...args: Parameters<StorageEngine['get']>): ReturnType<StorageEngine['get']> {
    this.reads += 1;
    return super.get(...args);
  }

  override range(...args: Parameters<StorageEngine['range']>): ReturnType<StorageEngine['range']> {
    this.reads += 1;
    return super.range(...args);
  }

  override revision(...args: Parameters<StorageEngine['revision']>): ReturnType<StorageEngine['revision']> {
    this.reads += 1;
    return super.revision(...args);
  }
}

/** Gives a server what strangers must not notice. */
async function fill(server: InProcessServer): Promise<void> {
  await server.ok('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  for (const name of ['team', 'own']) {
    await server.ok('POST', `/api/v1/namespaces/${name}/secrets`, { metadata: { name: 'kept' } });
    await server.ok('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'kept' } });
    await server.ok('POST', `/api/v1/namespaces/${name}/services`, {
      metadata: { name: 'kept' },
      spec: { ports: [{ port: 80 }] },
    });
  }
  for (const name of ['team', 'own']) {
    const spec = { nodeName: 'kept', containers: [{ name: 'c', image: 'i' }] };
    const pods = `/api/v1/namespaces/${name}/pods`;
    const status = { phase: 'Running', podIP: '10.0.0.9', podIPs: [{ ip: '10.0.0.9' }] };
    await server.ok('POST', pods, { metadata: { name: 'kept' }, spec });
    const how = { type: 'application/merge-patch+json' };
    await server.ok('PATCH', `${pods}/kept/status`, { status }, how);
  }
  await server.ok('POST', '/api/v1/namespaces/team/configmaps', { metadata: { name: 'kept' } });
  await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'kept' } });
  const schema = { openAPIV3Schema: { type: 'object' } };
  await server.ok('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'plans.secret.example' },
    spec: {
      group: 'secret.example',
      scope: 'Namespaced',
      names: { plural: 'plans', singular: 'plan', kind: 'Plan', listKind: 'PlanList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  const plans = '/apis/secret.example/v1/namespaces/team/plans';
  const plan = { apiVersion: 'secret.example/v1', kind: 'Plan', metadata: { name: 'kept' } };
  await vi.waitFor(async () => expect((await server.ask('POST', plans, plan)).status).toBe(201), 20_000);
}
