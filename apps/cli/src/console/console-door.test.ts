import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openTestDoor, type Sent, type TestDoor } from './open-door.test-d.ts';

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

  it('logs in by a link: the cookie is for this origin only, and the code leaves the address bar', async () => {
    const { status, headers } = await reader.login();
    expect(status).toBe(303);
    expect(headers.location).toBe('/console/');
    const [cookie = '', ...more] = headers['set-cookie'] ?? [];
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^listwatch-console-\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/u);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('takes a code once', async () => {
    const target = reader.door.link().slice(reader.door.url.length);
    expect((await reader.send(target)).status).toBe(303);
    const again = await reader.send(target);
    expect(again.status).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.text).toContain('used already');
  });

  it('takes a code for ten minutes', async () => {
    await using own = await openTestDoor();
    const [first, second] = [own.door.link(), own.door.link()].map((link) => link.slice(own.door.url.length));
    await own.clock.advance(10 * 60_000 - 1);
    expect((await own.send(first ?? '')).status).toBe(303);
    await own.clock.advance(1);
    expect((await own.send(second ?? '')).status).toBe(401);
  });

  it('is not opened by a HEAD or by a browser that looks ahead, and they do not use the code up', async () => {
    const target = reader.door.link().slice(reader.door.url.length);
    expect((await reader.send(target, { method: 'HEAD' })).status).toBe(405);
    expect((await reader.send(target, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(405);
    expect((await reader.send(target)).status).toBe(303);
  });

  it('refuses wrong codes, answers few of them, and still takes the right one', async () => {
    await using own = await openTestDoor();
    const link = own.door.link().slice(own.door.url.length);
    const statuses: number[] = [];
    for (let i = 0; i < 200; i += 1) statuses.push((await own.send(`/console/login?code=${i}`)).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
    expect((await own.send(`${link}x`)).status).toBe(429);
    expect((await own.send(link)).status).toBe(303);
    await own.clock.advance(60_000);
    expect((await own.send('/console/login?code=')).status).toBe(401);
  });

  it('ends a login after eight hours, and the watches that were opened with it', async () => {
    await using own = await openTestDoor();
    await own.login();
    const watch = await own.socket(WATCH, own.own);
    if (!(watch instanceof WebSocket)) throw new Error(`refused with ${watch}`);
    await own.clock.advance(8 * 60 * 60_000 - 1);
    expect((await own.send(LIST, { headers: own.own })).status).toBe(200);
    expect(own.door.active).toBe(1);
    const closed = once(watch, 'close');
    await own.clock.advance(1);
    await closed;
    expect((await own.send(LIST, { headers: own.own })).status).toBe(401);
    await vi.waitFor(() => expect(own.door.active).toBe(0), 20_000);
  });

  it.each([
    ['another key', { key: Buffer.alloc(32, 8) }, 401],
    ['another access', { access: 'write' }, 401],
    ['the same key, after a restart', {}, 200],
  ] as const)('knows a cookie of a door with %s: %#', async (_, options, status) => {
    const first = await openTestDoor();
    await first.login();
    const { port } = new URL(first.door.url);
    await first[Symbol.asyncDispose]();
    await using second = await openTestDoor({ port: Number(port), ...options });
    expect((await second.send(LIST, { headers: { ...second.own, cookie: first.cookie } })).status).toBe(status);
  });

  it.each([
    ['no cookie', ''],
    ['a cookie of nobody', 'listwatch-console-1=a.b.c'],
    ['a giant cookie', `a=${'x'.repeat(20_000)}`],
    ['a thousand cookies', Array.from({ length: 1000 }, (_, i) => `c${i}=1`).join('; ')],
  ])('answers nothing but the page with %s', async (_, cookie) => {
    const headers = { ...reader.own, cookie };
    for (const path of [LIST, '/apis', '/openapi/v2', '/version', '/readyz', '/debug/overview', '/console/session'])
      expect(await reader.send(path, { headers })).toMatchObject({ status: 401 });
    expect((await reader.send('/console/', { headers })).status).toBe(200);
    expect(await reader.socket(WATCH, headers)).toBe(401);
  });

  it('does not take a cookie whose end, nonce or signature was changed', async () => {
    const [name = '', value = ''] = reader.cookie.split('=');
    for (let at = 0; at < value.length; at += 7) {
      const forged = `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`;
      expect((await reader.send(LIST, { headers: { ...reader.own, cookie: `${name}=${forged}` } })).status).toBe(401);
    }
  });

  it.each([
    ['evil.example', 'a name that was bound to this address'],
    ['evil.example:6444', 'the same with a port'],
    ['127.0.0.1', 'no port'],
    ['127.0.0.1:1', 'another port'],
    ['localhost.evil.example', 'a name that begins like ours'],
  ])('refuses the Host %j: %s', async (host) => {
    for (const path of ['/console/', LIST, '/console/session', reader.door.link().slice(reader.door.url.length)])
      expect(await reader.send(path, { headers: { ...reader.own, host } })).toMatchObject({ status: 403 });
    expect(await reader.socket(WATCH, { ...reader.own, host })).toBe(403);
  });

  it('refuses a request without Host', async () => {
    expect(await reader.raw('GET /console/ HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 403 /u);
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

  it('answers what somebody has typed into the address bar', async () => {
    const headers = { cookie: reader.cookie, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    expect((await reader.send('/version', { headers })).status).toBe(200);
  });

  it('can be opened by a link on another site, but not in a frame of it', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await reader.send('/console/', { headers })).status).toBe(200);
    for (const dest of ['iframe', 'embed', 'object'])
      expect((await reader.send('/console/', { headers: { ...headers, 'sec-fetch-dest': dest } })).status).toBe(403);
    const withCookie = { ...headers, cookie: reader.cookie };
    expect((await reader.send(LIST, { headers: withCookie })).status).toBe(403);
  });

  it('wants the origin of a write and of a WebSocket, and the mark of a write', async () => {
    const { origin: _origin, 'x-listwatch-console': _mark, ...rest } = writer.own;
    const own = { ...rest, 'content-type': 'application/json' };
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const post = (headers: Record<string, string>) => writer.send(LIST, { method: 'POST', headers, body });
    expect((await post(own)).status).toBe(403);
    expect((await post({ ...own, 'x-listwatch-console': '1' })).status).toBe(403);
    expect((await post({ ...own, origin: writer.door.url })).status).toBe(403);
    expect((await post({ ...own, origin: writer.door.url, 'x-listwatch-console': '1' })).status).toBe(201);
    expect(await writer.socket(WATCH, own)).toBe(403);
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
    const sent = { authorization: 'Bearer t', 'impersonate-user': 'admin', 'x-remote-user': 'admin', accept: 'a/b' };
    const answer = await own.send(LIST, { headers: { ...own.own, ...sent } });
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
      const all = { host, ...own, connection: 'upgrade', upgrade: 'websocket', ...key, ...more };
      return `GET ${path} HTTP/1.1\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`;
    };
    const bad = Buffer.from('a/b\r\nset-cookie: x=y').toString('base64url');
    for (const more of [
      { 'content-length': '5' },
      { 'transfer-encoding': 'chunked' },
      { upgrade: 'h2c' },
      { 'sec-websocket-protocol': `watch.listwatch, base64url.accept.listwatch.${bad}` },
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

  it('bounds the requests at one time', async () => {
    await using own = await openTestDoor();
    await own.login();
    const open = await Promise.all(Array.from({ length: 300 }, () => own.socket(WATCH, own.own)));
    expect(open.filter((one) => one instanceof WebSocket)).toHaveLength(256);
    expect(open.filter((one) => one === 429)).toHaveLength(44);
    expect((await own.send(LIST, { headers: own.own })).status).toBe(429);
    for (const one of open) if (one instanceof WebSocket) one.terminate();
    await vi.waitFor(() => expect(own.door.active).toBe(0), 20_000);
  });

  it('is open for people while a thousand connections send nothing', async () => {
    await using own = await openTestDoor();
    await own.login();
    const watch = await own.socket(WATCH, own.own);
    const { hostname, port } = new URL(own.door.url);
    const idle = Array.from({ length: 1000 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write('GET /console/ HTTP/1.1\r\nhost: ');
      return socket;
    });
    await vi.waitFor(() => expect(idle.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(489), 20_000);
    expect((await own.send(LIST, { headers: own.own })).status).toBe(200);
    expect(watch).toMatchObject({ readyState: WebSocket.OPEN });
    for (const socket of idle) socket.destroy();
  });

  it('refuses a body that is too large', async () => {
    const answer = await writer
      .send(LIST, { method: 'POST', headers: { ...writer.own, 'content-length': String(4 * 2 ** 20) } })
      .catch(() => undefined);
    expect(answer?.status ?? 413).toBe(413);
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
