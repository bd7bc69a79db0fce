import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { keyProtocol, openTestDoor, type Sent, type TestDoor } from './open-door.fixture.ts';

const LIST = '/api/v1/namespaces';
const WATCH = `${LIST}?watch=true`;

describe('the door of the console', () => {
  let reader: TestDoor;
  let writer: TestDoor;

  beforeAll(async () => {
    reader = await openTestDoor();
    writer = await openTestDoor({ access: 'write' });
    await reader.login();
    await writer.login();
  });

  afterAll(async () => {
    await reader[Symbol.asyncDispose]();
    await writer[Symbol.asyncDispose]();
  });

  it.each([
    ['evil.example', 'a name that was bound to this address'],
    ['evil.example:6444', 'the same with a port'],
    ['127.0.0.1', 'no port'],
    ['127.0.0.1:1', 'another port'],
    ['localhost.evil.example', 'a name that begins like ours'],
    ['127.0.0.1.nip.io:PORT', 'a public name of this address'],
    ['localhost.:PORT', 'a name with a dot at its end'],
    ['LOCALHOST:PORT', 'a name that no browser sends so'],
    ['a.localhost:PORT', 'a name below localhost'],
    ['[::1]:PORT', 'another address of this machine'],
    ['[::ffff:127.0.0.1]:PORT', 'the same address in another form'],
    ['127.1:PORT', 'a short form of it'],
    ['2130706433:PORT', 'its number'],
    ['0.0.0.0:PORT', 'an address that leads here'],
    ['127.0.0.1:PORT@evil.example', 'a user before the name'],
    ['evil.example@127.0.0.1:PORT', 'a user before the address'],
    ['127.0.0.1:PORT, evil.example', 'two hosts'],
    ['127.0.0.1:0PORT', 'a port with a zero'],
  ])('refuses the Host %j: %s', async (name) => {
    const host = name.replace('PORT', new URL(reader.door.url).port);
    for (const path of ['/console/', LIST, '/console/session', reader.newTarget()])
      expect(await reader.send(path, { headers: { ...reader.own, host } })).toMatchObject({ status: 403 });
    expect(await reader.socket(WATCH, { ...reader.own, host })).toBe(403);
  });

  it('refuses a request without Host, with an empty one, and with another one first', async () => {
    for (const lines of ['', 'host:\r\n', 'host: evil.example\r\nhost: HOST\r\n'])
      expect(await reader.raw(`GET /console/ HTTP/1.0\r\n${lines.replace('HOST', reader.host)}\r\n`)).toMatch(
        /^HTTP\/1.1 40[03] /u,
      );
  });

  it('answers localhost as well', async () => {
    const host = reader.host.replace('127.0.0.1', 'localhost');
    expect((await reader.send('/console/', { headers: { host } })).status).toBe(200);
  });

  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['another scheme', { origin: 'https://127.0.0.1', 'sec-fetch-site': 'cross-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another site, in a browser that only names the origin', { origin: 'https://evil.example' }],
  ];

  it.each(foreign)('refuses what %s sends, with a valid cookie', async (_, from) => {
    const headers = { ...writer.own, 'sec-fetch-site': 'cross-site', ...from };
    const noCors = { ...headers, 'content-type': 'text/plain', 'sec-fetch-mode': 'no-cors' };
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'evil' } });
    const requests: readonly (readonly [string, Sent])[] = [
      [LIST, { headers }],
      ['/console/session', { headers }],
      ['/console/assets/a-1.js', { headers }],
      [LIST, { method: 'POST', headers: noCors, body }],
      [`${LIST}/default`, { method: 'DELETE', headers }],
      [LIST, { method: 'OPTIONS', headers: { ...headers, 'access-control-request-method': 'POST' } }],
    ];
    for (const [path, sent] of requests) {
      const answer = await writer.send(path, sent);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(await writer.socket(WATCH, headers)).toBe(403);
    expect((await writer.send(`${LIST}/evil`, { headers: writer.own })).status).toBe(404);
  });

  it.each(['cross-site', 'same-site'])(
    'refuses a script or an image of a %s page, which names no origin',
    async (site) => {
      const headers = { cookie: reader.cookie, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' };
      for (const path of [LIST, '/console/session', '/console/assets/a-1.js', '/console/'])
        expect([path, (await reader.send(path, { headers })).status]).toEqual([path, 403]);
    },
  );

  it('answers nothing to an address that somebody has typed, because the address bar has no key', async () => {
    const headers = { cookie: reader.cookie, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    expect((await reader.send('/version', { headers })).status).toBe(401);
  });

  it('can be opened by a link on another site, but not in a frame of it', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await reader.send('/console/', { headers })).status).toBe(200);
    for (const dest of ['iframe', 'embed', 'object'])
      expect((await reader.send('/console/', { headers: { ...headers, 'sec-fetch-dest': dest } })).status).toBe(403);
    const withCookie = { ...headers, cookie: reader.cookie };
    expect((await reader.send(LIST, { headers: withCookie })).status).toBe(403);
  });

  it('wants the origin of a write and of a WebSocket', async () => {
    const { origin, ...rest } = writer.own;
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const post = (more: Record<string, string>) =>
      writer.send(LIST, { method: 'POST', headers: { ...rest, ...more, 'content-type': 'application/json' }, body });
    expect((await post({})).status).toBe(403);
    expect((await post({ origin: 'null' })).status).toBe(403);
    expect((await post({ origin: origin ?? '' })).status).toBe(201);
    expect(await writer.socket(WATCH, rest)).toBe(403);
    expect(await writer.socket(WATCH, { ...rest, origin: 'null' })).toBe(403);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'refuses %s when it is open for reading, before the API sees it',
    async (method) => {
      const answer = await reader.send(`${LIST}/default`, { method, headers: reader.own });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', reason: 'Forbidden' });
    },
  );

  it.each([
    '/api/v1/namespaces/default/pods/p/exec?command=sh',
    '/api/v1/namespaces/default/pods/p/attach',
    '/api/v1/namespaces/default/pods/p/portforward',
    '/api/v1/namespaces/default/pods/p/proxy/shutdown',
    '/api/v1/namespaces/default/pods/p/e%78ec',
    '/api/v1/n%61mespaces/default/pods/p/exec',
    '/api/v1/nodes/n/proxy/run',
    '/api/v1/proxy/nodes/n',
    '/api/v1/namespaces/default/serviceaccounts/default/token',
    '/api/v1/namespaces/default/serviceaccounts/default/%74oken',
    '/api/v1/namespaces/default/pods/p/exec/',
    '/api/v1/namespaces/default/pods/p/exec?x=/../log',
    '/api/v1/namespaces/default/services/http:s:80/proxy/%61dmin',
    '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/v/vnc',
    '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/v/console',
  ])('never passes %s on', async (path) => {
    expect((await writer.send(path, { headers: writer.own })).status).toBe(403);
    expect((await writer.send(path, { method: 'POST', headers: writer.own, body: '{}' })).status).toBe(403);
    expect(await writer.socket(path, writer.own)).toBe(403);
  });

  it.each([
    '/console/../api/v1/secrets',
    '/console/%2e%2e/api/v1/secrets',
    '/console/assets/..%2f..%2fsession',
    '//api/v1/secrets',
    '/api//v1/secrets',
    '/api/v1/./secrets',
    '/api%2fv1/secrets',
    '/api/v1\\secrets',
    '/api/v1/namespaces/%00',
    '/api/v1/namespaces/%ff',
    '/api/v1/namespaces/%252e%252e',
    '/api/v1/namespaces/default/pods/p%2fexec',
    '/api/v1/namespaces/default/pods/p%2Fexec',
    '/api/v1/namespaces/default/pods/p%252fexec',
    '/api/v1/namespaces/default/pods/p/log/%2e%2e/exec',
    '/api/v1/namespaces/default/pods/p/log/%2E./exec',
    '/api/v1/namespaces/default/pods/p/log/../exec',
    '/api/v1/namespaces/default/pods/p/log/%252e%252e/exec',
    '/api/v1/namespaces/default/serviceaccounts/default%5ctoken',
    '/api/v1/namespaces/default/pods/p//exec',
    '/api/v1/namespaces/%zz',
    'http://evil.example/api/v1/secrets',
    '*',
  ])('refuses the target %s', async (target) => {
    const { host, own } = reader;
    const lines = Object.entries({ host, ...own, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
    expect(await reader.raw(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)).toMatch(/^HTTP\/1.1 400 /u);
  });

  it.each(['/metrics', '/debug/pprof/heap', '/debug/cache', '/apix', '/versions', '/console/x', '/logs'])(
    'does not serve %s',
    async (path) => {
      expect((await reader.send(path, { headers: reader.own })).status).toBe(404);
    },
  );

  it('keeps the answers out of caches, frames and other sites', async () => {
    for (const path of [LIST, '/console/session', '/api/v1/nothing']) {
      const { headers } = await reader.send(path, { headers: reader.own });
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
    const page = await reader.send('/console/', { headers: { 'accept-encoding': 'gzip' } });
    expect(page).toMatchObject({
      text: 'gzipped',
      headers: { 'cache-control': 'no-cache', 'content-encoding': 'gzip' },
    });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:/u);
    expect((await reader.send('/console/', { headers: { 'if-none-match': '"page"' } })).status).toBe(304);
    const file = await reader.send('/console/assets/a-1.js', { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(file.headers['cache-control']).toContain('immutable');
  });

  it('tells the page who it is', async () => {
    const { text } = await reader.send('/console/session', { headers: reader.own });
    expect(JSON.parse(text)).toEqual({
      mode: 'server',
      write: false,
      watchOver: 'websocket',
      debug: true,
      serverVersion: expect.stringMatching(/^v1\./u),
      serverUrl: 'https://127.0.0.1:6443',
      user: 'listwatch-console',
      expiresAt: '2026-01-01T08:00:00.000Z',
    });
  });

  it('passes none of the browser credentials on, and no header that another user could be named by', async () => {
    const seen: unknown[] = [];
    await using own = await openTestDoor({
      upstream: async ({ headers }) => {
        seen.push(headers);
        return { status: 200, headers: { 'set-cookie': 'a=b', 'content-type': 'text/html' }, body: chunks() };
      },
    });
    await own.login();
    const sent = {
      'proxy-authorization': 'Bearer t',
      'impersonate-user': 'admin',
      'x-remote-user': 'admin',
      accept: 'a/b',
    };
    const methods = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' };
    const answer = await own.send(LIST, { headers: { ...own.own, ...sent, ...methods } });
    expect(seen).toEqual([{ accept: 'a/b' }]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('says nothing to the page of why the API cannot be reached', async () => {
    await using own = await openTestDoor({
      upstream: async () => {
        throw new Error('exec: token is hunter2');
      },
    });
    await own.login();
    const answer = await own.send(LIST, { headers: own.own });
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain('hunter2');
    expect(own.errors).toHaveLength(1);
  });

  it('refuses a handshake with a body, of another protocol, or with an Accept that is no header', async () => {
    const { host, own } = reader;
    const handshake = (more: Record<string, string>, path = WATCH): string => {
      const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
      const offered = { 'sec-websocket-protocol': keyProtocol(reader.key) };
      const all = { host, ...own, connection: 'upgrade', upgrade: 'websocket', ...key, ...offered, ...more };
      return `GET ${path} HTTP/1.1\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`;
    };
    const bad = Buffer.from('a/b\r\nset-cookie: x=y').toString('base64url');
    for (const more of [
      { 'content-length': '5' },
      { 'transfer-encoding': 'chunked' },
      { upgrade: 'h2c' },
      { 'sec-websocket-protocol': `${keyProtocol(reader.key)}, base64url.accept.listwatch.${bad}` },
    ])
      expect(await reader.raw(`${handshake(more)}hello`)).toMatch(/^HTTP\/1.1 400 /u);
    expect(await reader.raw(handshake({}, '/console/session'))).toMatch(/^HTTP\/1.1 404 /u);
  });

  it('closes with a cut when the answer breaks, so that half a list does not look whole', async () => {
    await using own = await openTestDoor({
      upstream: async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from('{"items":[');
          throw new Error('cut');
        })(),
      }),
    });
    await own.login();
    await expect(own.send(LIST, { headers: own.own })).rejects.toThrow(/aborted|hang up/u);
  });

  it('sends the frames of a watch over a WebSocket in the form that was offered, and ends it with the page', async () => {
    const accept = Buffer.from('application/json;as=Table;g=meta.k8s.io;v=v1').toString('base64url');
    const watch = await reader.socket(WATCH, reader.own, ['watch.listwatch', `base64url.accept.listwatch.${accept}`]);
    if (!(watch instanceof WebSocket)) throw new Error(`refused with ${watch}`);
    expect(watch.protocol).toBe('watch.listwatch');
    await vi.waitFor(() => expect(reader.messages).not.toEqual([]), 20_000);
    expect(JSON.parse(reader.messages.join('').split('\n')[0] ?? '')).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Table' },
    });
    expect(reader.door.active).toBe(1);
    watch.close();
    await vi.waitFor(() => expect(reader.door.active).toBe(0), 20_000);
  });

  it('ten tabs cost the server ten cursors and one channel', async () => {
    const open = await Promise.all(
      Array.from({ length: 10 }, () => reader.socket('/api/v1/configmaps?watch=true', reader.own)),
    );
    await vi.waitFor(async () => expect(await counts(reader)).toEqual({ watchers: 10, channels: 1 }), 20_000);
    for (const tab of open) if (tab instanceof WebSocket) tab.terminate();
    await vi.waitFor(async () => expect(await counts(reader)).toEqual({ watchers: 0, channels: 0 }), 20_000);
  });
});

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x');
}

/** The watchers of ConfigMaps, as the server counts them. */
async function counts({ server }: TestDoor): Promise<{ readonly watchers: number; readonly channels: number }> {
  const user = { name: 'a', groups: ['system:masters'] };
  const answer = await server.handle({ method: 'GET', path: '/debug/cache', headers: {} }, { user });
  let text = '';
  for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
  const found = JSON.parse(text).resources.find(({ resource }: { resource: string }) => resource === 'configmaps');
  return { watchers: found.watchers, channels: found.channels };
}
