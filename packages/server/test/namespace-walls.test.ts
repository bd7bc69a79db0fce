import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { encodeContinueToken } from '@listwatch/api';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { tokenAuthenticator } from '../src/access/authenticator.ts';
import type { UserInfo } from '../src/contract/api-request.ts';
import { firstAuthenticator, parseTokenFile } from '../src/index.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const RBAC = 'rbac.authorization.k8s.io';
/** In every object that the attacker must not read. */
const MARK = 'what-nobody-else-may-read';
const OWNER: UserInfo = { name: 'eve', groups: [] };
const TOKENS = 'root,root,1,"system:masters"\neve,eve,2\n';

let target: TestServer;

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

interface Seen {
  readonly status: number;
  readonly text: string;
}

async function send({ method = 'GET', path, headers = {}, body }: Sent, user: UserInfo): Promise<Seen> {
  const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const request = { method, path, headers: { 'content-type': type, ...headers }, body: bytes };
  const response = await target.server.handle(request, { user });
  let text = '';
  // A watch that is allowed by mistake never ends; what it shows at first is enough.
  for await (const part of response.body) {
    text += Buffer.from(part).toString();
    if (text.includes(MARK)) break;
  }
  return { status: response.status, text };
}

const eve = (sent: Sent): Promise<Seen> => send(sent, OWNER);
const root = (sent: Sent): Promise<Seen> => send(sent, { name: 'root', groups: ['system:masters'] });

async function create(path: string, body: object): Promise<void> {
  const { status, text } = await root({ method: 'POST', path, body });
  if (status !== 201) throw new Error(`${path}: ${text}`);
}

/** Eve may do everything in the namespace `own`, and nothing anywhere else. */
beforeAll(async () => {
  target = await startTestServer(createMemoryEngine(), {
    authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile(TOKENS))]),
  });
  const labels = { labels: { mark: MARK } };
  for (const name of ['own', 'team'])
    await create('/api/v1/namespaces', { metadata: { name, ...(name === 'team' && labels) } });
  for (const [name, mark] of [
    ['own', 'harmless'],
    ['team', MARK],
  ] as const) {
    for (const plural of ['secrets', 'configmaps', 'serviceaccounts', 'events']) {
      const involvedObject = plural === 'events' ? { involvedObject: { namespace: name } } : {};
      await create(`/api/v1/namespaces/${name}/${plural}`, {
        metadata: { name: 'kept', labels: { mark } },
        ...involvedObject,
      });
    }
  }
  await create('/api/v1/nodes', { metadata: { name: 'kept', ...labels } });
  await create(`/apis/${RBAC}/v1/clusterroles`, { metadata: { name: 'kept', ...labels }, rules: [] });
  const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  await create(`/apis/${RBAC}/v1/namespaces/own/roles`, { metadata: { name: 'all' }, rules });
  await create(`/apis/${RBAC}/v1/namespaces/own/rolebindings`, {
    metadata: { name: 'eve' },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'all' },
    subjects: [{ kind: 'User', apiGroup: RBAC, name: 'eve' }],
  });
});

afterAll(async () => {
  await target[Symbol.asyncDispose]();
  expect(target.unforeseen).toEqual([]);
});

const TARGETS = [
  '/api/v1/namespaces/team/secrets/kept',
  '/api/v1/namespaces/team/secrets',
  '/api/v1/namespaces/team/configmaps/kept',
  '/api/v1/namespaces/team',
  '/api/v1/namespaces',
  '/api/v1/secrets',
  '/api/v1/secrets/kept',
  '/api/v1/nodes/kept',
  '/api/v1/watch/secrets',
  '/api/v1/watch/namespaces/team/secrets/kept',
  `/apis/${RBAC}/v1/clusterroles/kept`,
  `/apis/events.k8s.io/v1/namespaces/team/events`,
];

function encoded(text: string): string {
  return text.replaceAll(/[a-z]/gu, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

/** Other ways to write a path. */
function* spellings(path: string): Generator<string, undefined> {
  const rest = path.replace(/^\/apis?\//u, '');
  yield path;
  yield `${path}/`;
  yield `/${path}`;
  yield path.replaceAll('/', '//');
  yield path.replaceAll('/', '/./');
  yield path.replaceAll('/', '%2f').replace('%2f', '/');
  yield path.replaceAll('/', '\\');
  yield path.replace('team', 'Team').replace('kept', 'KEPT');
  yield path.toUpperCase();
  yield path.replace(/\w+$/u, encoded);
  yield path.replace('team', encoded('team'));
  yield path.replace('team', encoded('team').replaceAll('%', '%25'));
  yield path.replace('team', 'own/../team');
  yield path.replace('team', 'own%2f..%2fteam');
  yield path.replace('team', 'own%2F%2e%2e%2Fteam');
  yield path.replace('team', 'own%00/../team');
  yield path.replace('team', 'own;team');
  yield path.replace('team', 'own,team');
  yield path.replace('team', '*');
  yield path.replace('team', '');
  yield path.replace('team', '%20team');
  yield `${path};own`;
  yield `${path}%00`;
  yield `${path}%0a`;
  yield `${path}%`;
  yield `${path}#/namespaces/own`;
  yield `${path}?namespace=own`;
  yield `${path}?fieldSelector=metadata.namespace%3Down`;
  yield `${path}?fieldSelector=metadata.name%3Dkept&watch=0&watch=1`;
  yield `${path}?resourceVersion=0&limit=1&allowWatchBookmarks=true&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
  yield `http://own${path}`;
  yield `https://eve@own${path}`;
  yield `/api/v1/namespaces/own/${rest}`;
  yield `/api/v1/namespaces/own/secrets/..%2f..%2f..%2f..${path.replaceAll('/', '%2f')}`;
  yield `/api/v1/namespaces/own/secrets/../../../..${path}`;
  yield `/api/v1/namespaces/own/pods/kept/proxy/../../../../../../..${path}`;
  yield `/api/v1/namespaces/own/${path.split('/').slice(-2).join('/')}`;
  yield `/api/v1/namespaces/own/namespaces/team/secrets/kept`;
  yield `/api/v1/proxy/namespaces/own/..${path}`;
  yield `/apis/..${path}`;
  yield `/openapi/..${path}`;
  yield `/healthz/..${path}`;
  yield `/version/..${path}`;
}

const METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'LIST', 'WATCH', 'CONNECT', 'TRACE', ''];

describe('who may do everything in one namespace', () => {
  it('may do so', async () => {
    expect(await eve({ path: '/api/v1/namespaces/own/secrets/kept' })).toMatchObject({ status: 200 });
    // As in Kubernetes, where a namespace is in itself.
    expect(await eve({ path: '/api/v1/namespaces/own' })).toMatchObject({ status: 200 });
  });

  it('reads nothing else, however the path is written and whatever the method is', async () => {
    const leaks: string[] = [];
    let tried = 0;
    for (const place of TARGETS) {
      const requests = [...spellings(place)].map((path) => ({ method: 'GET', path }));
      for (const sent of [...requests, ...METHODS.map((method) => ({ method, path: place }))]) {
        tried += 1;
        const { status, text } = await eve(sent);
        if (text.includes(MARK)) leaks.push(`${sent.method} ${sent.path} ${status} ${text.slice(0, 200)}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(tried).toBeGreaterThan(600);
    // Nor has any of them changed anything.
    for (const path of TARGETS.filter((one) => !one.includes('watch') && one !== '/api/v1/secrets/kept')) {
      expect([path, await root({ path })]).toMatchObject([path, { status: 200, text: expect.stringContaining(MARK) }]);
    }
  });

  it('reads nothing else by a continue token of its own making', async () => {
    for (const start of ['../team/kept', '/../team/kept', 'kept\0', '\0', '\uffff', '/', 'team/kept', 'a/../../team']) {
      for (const revision of [undefined, 1n, 10n]) {
        const token = encodeURIComponent(encodeContinueToken({ revision, start }));
        const { status, text } = await eve({ path: `/api/v1/namespaces/own/secrets?limit=500&continue=${token}` });
        expect([start, status, text]).toEqual([start, expect.any(Number), expect.not.stringContaining(MARK)]);
      }
    }
  });

  it('names nobody else, by whatever header', async () => {
    const names: readonly Readonly<Record<string, string | readonly string[]>>[] = [
      { 'Impersonate-User': 'root' },
      { 'IMPERSONATE-USER': 'root', 'impersonate-GROUP': 'system:masters' },
      { 'impersonate-user': 'eve', 'impersonate-group': 'system:masters' },
      { 'impersonate-user': ['eve', 'root'], 'impersonate-group': ['a', 'system:masters'] },
      { 'impersonate-user': 'eve', 'impersonate-extra-scopes': 'x' },
      { 'impersonate-user': 'eve', 'impersonate-uid': '1' },
      { 'impersonate-user': 'system:serviceaccount:team:kept' },
      { 'impersonate-user': 'system:node:kept' },
      { 'impersonate-user': 'system:kube-controller-manager' },
      { 'impersonate-group': 'system:masters' },
      { 'impersonate-user': '', 'impersonate-group': 'system:masters' },
      { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' },
      { 'x-forwarded-user': 'root', 'x-original-url': '/api/v1/secrets', 'x-rewrite-url': '/api/v1/secrets' },
      { 'x-http-method-override': 'GET', 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    ];
    for (const headers of names) {
      for (const path of ['/api/v1/namespaces/team/secrets/kept', '/api/v1/secrets', '/metrics', '/debug/audit']) {
        const { status, text } = await eve({ path, headers });
        expect([headers, status]).toEqual([headers, expect.toSatisfy((one: number) => one === 403 || one === 400)]);
        expect(text).not.toContain(MARK);
      }
    }
  });

  it('finds the pages beside the API under one path each, so that who guards that one guards them', async () => {
    const pages = [
      '/metrics',
      '/debug/overview',
      '/debug/webhooks',
      '/debug/cache',
      '/healthz',
      '/livez/ping',
      '/readyz',
    ];
    for (const page of pages) {
      expect([page, (await root({ path: page })).status]).toEqual([page, 200]);
      for (const path of [
        `/${page}`,
        `//${page}`,
        `${page}/`,
        page.replace(/\/(?=\w+$)/u, '//'),
        `/%2f${page.slice(1)}`,
      ]) {
        expect([path, (await root({ path })).status]).toEqual([path, 404]);
      }
    }
    for (const page of [
      '/version',
      '/version/',
      '/openid/v1/jwks/',
      '/debug/api_priority_and_fairness/dump_priority_levels',
    ])
      expect([page, (await root({ path: page })).status]).toEqual([page, 200]);
  });

  it('gains nothing elsewhere by the role cluster-admin, which it may bind in its namespace', async () => {
    const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' };
    const subjects = [{ kind: 'User', apiGroup: RBAC, name: 'eve' }];
    const body = { metadata: { name: 'mine' }, roleRef, subjects };
    const path = `/apis/${RBAC}/v1/namespaces/own/rolebindings`;
    expect(await eve({ method: 'POST', path, body })).toMatchObject({ status: 201 });
    for (const one of [...TARGETS, '/metrics', '/debug/audit', '/debug/overview', '/debug/webhooks', '/'])
      expect([one, (await eve({ path: one })).status]).toEqual([one, 403]);
  });

  it('writes nothing elsewhere, whatever the body names', async () => {
    const elsewhere = { metadata: { name: 'new', namespace: 'team' } };
    const own = '/api/v1/namespaces/own';
    const token = { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'kept' }, audiences: ['x'] } };
    const all = { rules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] };
    const admin = { roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' } };
    const toEve = { subjects: [{ kind: 'User', apiGroup: RBAC, name: 'eve' }] };
    const requests: readonly Sent[] = [
      { method: 'POST', path: `${own}/secrets`, body: elsewhere },
      { method: 'PUT', path: `${own}/secrets/new`, body: elsewhere },
      { method: 'PATCH', path: `${own}/secrets/kept`, body: elsewhere },
      { method: 'POST', path: `${own}/secrets?namespace=team`, body: { metadata: { name: 'n', namespace: 'team' } } },
      { method: 'POST', path: '/api/v1/secrets', body: elsewhere },
      { method: 'POST', path: `/apis/${RBAC}/v1/clusterroles`, body: { metadata: { name: 'new' }, rules: [] } },
      {
        method: 'POST',
        path: `/apis/${RBAC}/v1/clusterrolebindings`,
        body: { metadata: { name: 'new' }, ...admin, ...toEve },
      },
      {
        method: 'POST',
        path: `/apis/${RBAC}/v1/namespaces/own/clusterrolebindings`,
        body: { metadata: { name: 'new' }, ...admin, ...toEve },
      },
      {
        method: 'POST',
        path: `/apis/${RBAC}/v1/namespaces/team/rolebindings`,
        body: { metadata: { name: 'new' }, ...admin, ...toEve },
      },
      {
        method: 'POST',
        path: `/apis/${RBAC}/v1/namespaces/own/rolebindings`,
        body: { metadata: { name: 'new', namespace: 'team' }, ...admin, ...toEve },
      },
      { method: 'POST', path: `/apis/${RBAC}/v1/namespaces/own/roles`, body: { metadata: { name: 'new' }, ...all } },
      { method: 'POST', path: '/api/v1/namespaces/team/serviceaccounts/kept/token', body: token },
      { method: 'POST', path: `${own}/serviceaccounts/..%2f..%2fteam%2fserviceaccounts%2fkept/token`, body: token },
      { method: 'POST', path: `${own}/pods/kept/binding`, body: { ...elsewhere, target: { name: 'kept' } } },
      { method: 'POST', path: `${own}/pods/kept/eviction`, body: elsewhere },
      { method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec: { token: 'root' } } },
      { method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews', body: { spec: { user: 'root' } } },
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/namespaces/own/localsubjectaccessreviews',
        body: { metadata: { namespace: 'team' }, spec: { user: 'root', resourceAttributes: { namespace: 'team' } } },
      },
    ];
    for (const sent of requests) {
      const { status, text } = await eve(sent);
      expect([sent.method, sent.path, status >= 400 && status < 500 ? 'refused' : `${status} ${text}`]).toEqual([
        sent.method,
        sent.path,
        'refused',
      ]);
    }
    for (const plural of ['secrets', 'rolebindings']) {
      const group = plural === 'secrets' ? '/api/v1' : `/apis/${RBAC}/v1`;
      expect((await root({ path: `${group}/namespaces/team/${plural}/new` })).status).toBe(404);
    }
  });
});

/** Sends bytes as they are, and reads until the server closes. */
async function raw(text: string): Promise<string> {
  const socket = connectTls({
    port: Number(new URL(target.url).port),
    host: '127.0.0.1',
    ca: target.ca,
    servername: 'localhost',
  });
  await once(socket, 'secureConnect');
  socket.end(text.replaceAll('\n', '\r\n'), 'latin1');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('over the wire', () => {
  const SECRET = '/api/v1/namespaces/team/secrets/kept';
  const HEAD = `GET ${SECRET} HTTP/1.1\nHost: localhost\nConnection: close\n`;

  it.each([
    ['two credentials, the right one last', `${HEAD}Authorization: Bearer eve\nAuthorization: Bearer root\n\n`],
    ['two credentials, joined', `${HEAD}Authorization: Bearer eve, Bearer root\n\n`],
    ['a folded header', `${HEAD}Authorization: Bearer eve\nX-A: b\n Authorization: Bearer root\n\n`],
    ['a header behind a bare line end', `${HEAD}X-A: b\rAuthorization: Bearer root\n\n`],
    ['a blank in front of the colon', `${HEAD}Authorization : Bearer root\n\n`],
    ['another scheme', `${HEAD}Authorization: Basic cm9vdDpyb290\n\n`],
    [
      'a credential in the query',
      `GET ${SECRET}?access_token=root&authorization=Bearer%20root HTTP/1.1\nHost: localhost\nConnection: close\n\n`,
    ],
    ['a credential in a cookie', `${HEAD}Cookie: authorization=Bearer root; token=root\n\n`],
    ['a proxied credential', `${HEAD}Proxy-Authorization: Bearer root\n\n`],
    [
      'a token among subprotocols without a WebSocket',
      `${HEAD}Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.cm9vdA, x\n\n`,
    ],
    [
      'a body that is another request',
      `GET ${SECRET} HTTP/1.1\nHost: localhost\nAuthorization: Bearer eve\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\nGET ${SECRET} HTTP/1.1\nHost: localhost\nConnection: close\nAuthorization: Bearer eve\n\n`,
    ],
    [
      'two lengths',
      `GET ${SECRET} HTTP/1.1\nHost: localhost\nContent-Length: 0\nContent-Length: 9\nConnection: close\n\n`,
    ],
    ['an impersonation beside a folded one', `${HEAD}Authorization: Bearer eve\nImpersonate-User: eve\n\troot\n\n`],
    ['a front proxy without a certificate', `${HEAD}X-Remote-User: root\nX-Remote-Group: system:masters\n\n`],
  ])('%s is not root', async (_what, text) => {
    const answer = await raw(text);
    expect(answer).not.toContain(MARK);
    expect(answer).not.toContain(' 200 ');
  });

  it.each([
    [{ 'impersonate-user': 'root', 'impersonate-group': 'system:masters' }, ['x']],
    [{ 'x-remote-user': 'root', 'x-remote-group': 'system:masters' }, ['x']],
    [{}, ['base64url.bearer.authorization.k8s.io.cm9vdA', 'x']],
    [{}, ['Impersonate-User.root', 'x']],
  ])(
    'a WebSocket with %j and the subprotocols %j has only the rights of its first credential',
    async (headers, protocols) => {
      const url = `${target.url.replace('https', 'wss')}/api/v1/namespaces/team/secrets?watch=true`;
      const socket = new WebSocket(url, protocols, {
        ca: target.ca,
        headers: { authorization: 'Bearer eve', origin: 'https://x', ...headers },
      });
      socket.on('error', () => {});
      const status = await new Promise((resolve) => {
        socket.once('unexpected-response', (_request, response) => {
          response.resume();
          resolve(response.statusCode);
        });
        socket.once('open', () => resolve('open'));
      });
      socket.terminate();
      expect([400, 401, 403]).toContain(status);
    },
  );

  it('a WebSocket that shows the token of root among its subprotocols is root: the test above could fail', async () => {
    const url = `${target.url.replace('https', 'wss')}/api/v1/namespaces/team/secrets?watch=true`;
    const protocols = ['base64url.bearer.authorization.k8s.io.cm9vdA', 'x'];
    const socket = new WebSocket(url, protocols, { ca: target.ca, headers: { origin: 'https://x' } });
    const [data] = await once(socket, 'message');
    socket.terminate();
    expect(String(data)).toContain(MARK);
  });
});
