import { encodeContinueToken } from '@listwatch/api';
import { parseRoute, parseTarget } from '@listwatch/server/read';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RelayedKinds, relayedKinds } from '../kinds/relayed-kind.ts';
import { planRead } from './plan-read.ts';

let kinds: RelayedKinds;

beforeAll(async () => {
  kinds = await relayedKinds(['pods', 'nodes', 'namespaces', 'deployments.apps']);
});

interface Asked {
  readonly method?: string;
  readonly accept?: string;
  readonly headers?: readonly string[];
  readonly isSameRelease?: boolean;
  readonly isOwnServer?: boolean;
  readonly servesStale?: boolean;
}

const TOKEN = ['Authorization', 'Bearer secret'] as const;

/** The plan as a text: what it needs, or why it is passed. */
function planOf(target: string, asked: Asked = {}): string {
  const {
    method = 'GET',
    accept,
    headers = TOKEN,
    isSameRelease = true,
    isOwnServer = true,
    servesStale = false,
  } = asked;
  const route = parseRoute(method, parseTarget(target) ?? { path: '/', query: '' }, 'Go-http-client/2.0');
  const plan = planRead(
    { route, target, accept, rawHeaders: headers },
    { kinds, isSameRelease, isOwnServer, servesStale },
  );
  if (plan.type === 'pass') return `pass: ${plan.reason}`;
  const { needs, limit, isOneName } = plan;
  const about = `${limit > 0 ? ` limit ${limit}` : ''}${isOneName ? ' name' : ''}`;
  if (needs.type === 'newest') return `${plan.verb} newest${about}${needs.isMarked ? ' marked' : ''}`;
  return `${plan.verb} ${needs.type}${'revision' in needs ? ` ${needs.revision}` : ''}`;
}

function token(of: Parameters<typeof encodeContinueToken>[0]): string {
  return encodeContinueToken(of);
}

const PODS = '/api/v1/namespaces/a/pods';

// Section by section the semantics of Kubernetes; `docs/design/0047-relay.md` has the same table.
describe('which state a read needs', () => {
  it.each([
    [`${PODS}?resourceVersion=0`, 'list any'],
    [`${PODS}?resourceVersion=0&limit=500`, 'list any'],
    [`${PODS}?resourceVersion=0&resourceVersionMatch=NotOlderThan`, 'list any'],
    [`${PODS}?resourceVersion=7`, 'list notOlderThan 7'],
    [`${PODS}?resourceVersion=7&resourceVersionMatch=NotOlderThan&limit=5`, 'list notOlderThan 7'],
    [`${PODS}?resourceVersion=7&resourceVersionMatch=Exact`, 'list exact 7'],
    [`${PODS}?resourceVersion=7&limit=5`, 'list exact 7'],
    [`${PODS}?resourceVersion=7&limit=0`, 'list notOlderThan 7'],
    ['/api/v1/pods?resourceVersion=0', 'list any'],
    ['/api/v1/nodes?resourceVersion=0', 'list any'],
    ['/api/v1/namespaces?resourceVersion=0', 'list any'],
    ['/api/v1/namespaces/a?resourceVersion=0', 'get any'],
    ['/apis/apps/v1/namespaces/a/deployments?resourceVersion=0', 'list any'],
    [`${PODS}/x?resourceVersion=0`, 'get any'],
    [`${PODS}/x?resourceVersion=9`, 'get notOlderThan 9'],
    [`${PODS}?watch=true&resourceVersion=9`, 'watch after 9'],
    [`${PODS}?watch=1&resourceVersion=9&allowWatchBookmarks=true&timeoutSeconds=300`, 'watch after 9'],
    [`${PODS}?watch=true&resourceVersion=0`, 'watch any'],
    [PODS, 'list newest'],
    [`${PODS}?limit=500`, 'list newest limit 500'],
    [`${PODS}?fieldSelector=metadata.name%3Dx`, 'list newest name'],
    [`${PODS}?fieldSelector=metadata.name!%3Dx`, 'list newest'],
    [`${PODS}?limit=5&continue=${token({ revision: 9n, start: 'a\0' })}`, 'list exact 9'],
    [`${PODS}?limit=5&continue=${token({ revision: undefined, start: 'a\0' })}`, 'list newest limit 5'],
    [`${PODS}?watch=true`, 'watch newest'],
    [`${PODS}?watch=true&allowWatchBookmarks=true`, 'watch newest marked'],
    [`${PODS}?watch=true&resourceVersion=9&allowWatchBookmarks=true&listwatchProgress=true`, 'watch after 9'],
    [
      `${PODS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      'watch newest marked',
    ],
    [
      `${PODS}?watch=true&resourceVersion=9&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      'watch notOlderThan 9',
    ],
    [
      `${PODS}?watch=true&resourceVersion=0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      'watch any',
    ],
  ])('%s: %s', (target, plan) => expect(planOf(target)).toBe(plan));
});

describe('what is passed on', () => {
  it.each([
    [`${PODS}/x`, 'most recent'],
    [`${PODS}?watch=true&sendInitialEvents=false`, 'options'],
    [`${PODS}?continue=abc`, 'options'],
    [`${PODS}?limit=5&continue=${token({ revision: 9n, start: 'a\0' })}&resourceVersion=9`, 'options'],
    [`${PODS}?limit=5&continue=${token({ revision: 9n, start: 'a\0' })}&resourceVersionMatch=Exact`, 'options'],
    [`${PODS}?resourceVersionMatch=Exact`, 'options'],
    [`${PODS}?resourceVersion=0&resourceVersionMatch=Exact`, 'options'],
    [`${PODS}?resourceVersion=7&resourceVersionMatch=Other`, 'options'],
    [`${PODS}?resourceVersion=07`, 'options'],
    [`${PODS}?resourceVersion=99999999999999999999`, 'options'],
    [`${PODS}?resourceVersion=x`, 'options'],
    [`${PODS}?resourceVersion=0&limit=-1`, 'options'],
    [`${PODS}?resourceVersion=0&continue=abc`, 'options'],
    [`${PODS}?resourceVersion=0&resourceVersion=9`, 'options'],
    [`${PODS}?resourceVersion=0&pretty=true`, 'options'],
    [`${PODS}?resourceVersion=0&timeout=5s`, 'options'],
    [`${PODS}?resourceVersion=0&a;b`, 'options'],
    [`${PODS}?resourceVersion=0&%zz=1`, 'options'],
    [`${PODS}/x?resourceVersion=0&limit=1`, 'options'],
    [`${PODS}?watch=true&resourceVersion=9&sendInitialEvents=true`, 'options'],
    [`${PODS}?watch=true&resourceVersion=9&resourceVersionMatch=NotOlderThan`, 'options'],
    [`${PODS}?watch=true&resourceVersion=9&timeoutSeconds=-1`, 'options'],
    [`${PODS}?watch=yes&resourceVersion=9`, 'options'],
    [`${PODS}?resourceVersion=0&fieldSelector=spec.nope%3D1`, 'field selector'],
    [`${PODS}?resourceVersion=0&labelSelector=%21%21`, 'field selector'],
    ['/api/v1/secrets?resourceVersion=0', 'kind'],
    ['/apis/apps/v1beta1/deployments?resourceVersion=0', 'kind'],
    ['/apis/example.com/v1/pods?resourceVersion=0', 'kind'],
    [`${PODS}/x/log`, 'path'],
    [`${PODS}/x/status?resourceVersion=0`, 'path'],
    ['/api/v1/watch/namespaces/a/pods?resourceVersion=9', 'path'],
    [`${PODS}/?resourceVersion=0`, 'path'],
    [`//api/v1/namespaces/a/pods?resourceVersion=0`, 'path'],
    ['/api/v1/namespaces/a/p%6fds?resourceVersion=0', 'path'],
    ['/api/v1/namespaces/%61/pods?resourceVersion=0', 'path'],
    ['/api/v1/namespaces/../pods?resourceVersion=0', 'path'],
    ['/api/v1/namespaces/a/nodes?resourceVersion=0', 'path'],
    ['/api/v1/pods/x?resourceVersion=0', 'path'],
    [`${PODS}/x?watch=true&resourceVersion=9`, 'options'],
    [`https://host${PODS}?resourceVersion=0`, 'path'],
    ['/apis', 'path'],
    ['/healthz', 'path'],
  ])('%s: %s', (target, reason) => expect(planOf(target)).toBe(`pass: ${reason}`));

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('%s', (method) => {
    expect(planOf(`${PODS}?resourceVersion=0`, { method })).toBe('pass: method');
  });

  it.each([
    ['nobody', []],
    ['a user with a password', ['Authorization', 'Basic YTpi']],
    ['a token behind two spaces', ['Authorization', 'Bearer  secret']],
    ['two tokens', [...TOKEN, 'authorization', 'Bearer other']],
    ['who acts as another user', [...TOKEN, 'Impersonate-User', 'ann']],
    ['who acts in another group', [...TOKEN, 'impersonate-group', 'dev']],
    ['whom a front proxy names', [...TOKEN, 'X-Remote-User', 'ann']],
  ])('a request of %s', (_, headers) => {
    expect(planOf(`${PODS}?resourceVersion=0`, { headers })).toBe('pass: credentials');
  });

  it('what wants another protocol', () => {
    const headers = [...TOKEN, 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
    expect(planOf(`${PODS}?watch=true&resourceVersion=9`, { headers })).toBe('pass: upgrade');
  });

  it.each([
    ['application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'],
    ['application/yaml'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io'],
    ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'],
    ['application/json;pretty=1'],
    ['text/html'],
  ])('a list as %s', (accept) => {
    expect(planOf(`${PODS}?resourceVersion=0`, { accept })).toBe('pass: form');
  });
});

describe('protobuf', () => {
  const accept = 'application/vnd.kubernetes.protobuf,application/json';
  it('comes from the cache where all fields are known', () => {
    expect(planOf(`${PODS}?resourceVersion=0`, { accept })).toBe('list any');
    expect(planOf(`${PODS}?watch=true&resourceVersion=9`, { accept })).toBe('watch after 9');
    expect(planOf(`${PODS}/x?resourceVersion=0`, { accept })).toBe('get any');
  });

  it('of another release is passed on: Go writes fields that are empty, and JSON has them not', () => {
    expect(planOf(`${PODS}?resourceVersion=0`, { accept, isSameRelease: false })).toBe('pass: form');
  });
});

describe('an upstream of another release', () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  it('has fields of its own, and kube-apiserver has words of its own for columns: what needs them is passed on', () => {
    const byNode = `${PODS}?resourceVersion=0&fieldSelector=spec.nodeName%3Dn1`;
    expect(planOf(`${PODS}?resourceVersion=0`, { accept })).toBe('list any');
    expect(planOf(byNode)).toBe('list any');
    expect(planOf(`${PODS}?resourceVersion=0`, { accept, isOwnServer: false })).toBe('pass: form');
    expect(planOf(byNode, { isSameRelease: false })).toBe('pass: field selector');
  });

  it('selects by name as all do, and by labels', () => {
    for (const selector of [
      'fieldSelector=metadata.name%3Dx',
      'labelSelector=app%3Dweb',
      'fieldSelector=metadata.namespace!%3Da',
    ])
      expect(planOf(`${PODS}?resourceVersion=0&${selector}`, { isSameRelease: false })).toBe('list any');
  });
});

describe('kinds', () => {
  it.each([
    ['tokenreviews.authentication.k8s.io', /no built-in kind/u],
    ['pod', /no built-in kind/u],
    ['Widgets.example.com', /no built-in kind/u],
    ['widgets.-.com', /no built-in kind/u],
    ['pods.v2', /no built-in kind/u],
    ['endpoints', /deprecated/u],
    ['', /no built-in kind/u],
  ])('%s cannot be relayed, and the reason is said', async (name, reason) => {
    await expect(relayedKinds([name])).rejects.toThrow(reason);
  });

  it('of a group that is not built in may be defined, now or later', async () => {
    const named = await relayedKinds(['pods', 'widgets.example.com', 'gateways.v1.gateway.networking.k8s.io']);
    expect([...named].map(({ name }) => name)).toEqual(['pods']);
    expect(named.customNames).toMatchObject([
      { plural: 'widgets', group: 'example.com', version: undefined },
      { plural: 'gateways', group: 'gateway.networking.k8s.io', version: 'v1' },
    ]);
  });
});
