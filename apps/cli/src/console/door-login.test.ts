import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { keyIn, openTestDoor, type TestDoor } from './open-door.fixture.ts';

const LIST = '/api/v1/namespaces';
const WATCH = `${LIST}?watch=true`;
/** One path of each kind that needs a login. */
const PATHS = [LIST, '/apis', '/openapi/v2', '/version', '/readyz', '/debug/overview', '/console/session'];

describe('a login to the console', () => {
  let door: TestDoor;

  beforeAll(async () => {
    door = await openTestDoor({ access: 'write' });
    await door.login();
  });

  afterAll(() => door[Symbol.asyncDispose]());

  /** What a request with these headers may do: nothing but load the page, or everything. */
  async function statusesOf(headers: Record<string, string>): Promise<unknown> {
    const statuses = await Promise.all(PATHS.map(async (path) => (await door.send(path, { headers })).status));
    const write = await door.send(LIST, { method: 'POST', headers, body: '{}' });
    const socket = await door.socket(WATCH, headers);
    if (socket instanceof WebSocket) socket.terminate();
    const page = await door.send('/console/', { headers });
    return {
      read: [...new Set(statuses)],
      write: write.status,
      watch: socket instanceof WebSocket ? 'open' : socket,
      page: page.status,
    };
  }

  const NOTHING = { read: [401], write: 401, watch: 401, page: 200 };

  it('by a link gives a cookie that scripts cannot read, and a key that is in no URL and in no cache', async () => {
    const { status, headers, text } = await door.login();
    expect(status).toBe(200);
    const [cookie = '', ...more] = headers['set-cookie'] ?? [];
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^listwatch-console-\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/u);
    expect(keyIn(text)).not.toBe('');
    expect(cookie).not.toContain(keyIn(text));
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(headers.etag).toBeUndefined();
    expect((await door.send('/console/', { headers: door.own })).text).not.toContain('listwatch-key');
  });

  it('opens everything with the cookie and the key', async () => {
    expect(await statusesOf(door.own)).toEqual({ read: [200], write: 422, watch: 'open', page: 200 });
  });

  const without: readonly (readonly [string, (own: Record<string, string>) => Record<string, string>])[] = [
    ['the cookie alone, as every other port of the host sees it', ({ authorization: _key, ...rest }) => rest],
    ['the key alone', ({ cookie: _cookie, ...rest }) => rest],
    ['neither', ({ cookie: _cookie, authorization: _key, ...rest }) => rest],
    [
      'the signature of the cookie as key',
      (own) => ({ ...own, authorization: `Bearer ${own['cookie']?.split('.')[2]}` }),
    ],
    ['the whole cookie as key', (own) => ({ ...own, authorization: `Bearer ${own['cookie']?.split('=')[1]}` })],
    ['an empty key', (own) => ({ ...own, authorization: 'Bearer ' })],
    ['the key as a password', (own) => ({ ...own, authorization: `Basic ${own['authorization']?.slice(7)}` })],
    ['a cookie of nobody', (own) => ({ ...own, cookie: 'listwatch-console-1=a.b.c' })],
    ['a giant cookie', (own) => ({ ...own, cookie: `a=${'x'.repeat(20_000)}` })],
    ['a thousand cookies', (own) => ({ ...own, cookie: Array.from({ length: 1000 }, (_, i) => `c${i}=1`).join('; ') })],
  ];

  it.each(without)('gives nothing but the page to %s', async (_, change) => {
    expect(await statusesOf(change(door.own))).toEqual(NOTHING);
  });

  it('does not join the cookie of one login and the key of another', async () => {
    const { cookie, key } = door;
    await door.login();
    expect(await statusesOf({ ...door.own, cookie })).toEqual(NOTHING);
    expect(await statusesOf({ ...door.own, authorization: `Bearer ${key}` })).toEqual(NOTHING);
  });

  it('is found among cookies of the same name that another program has set', async () => {
    const [name = ''] = door.cookie.split('=');
    const planted = [`${name}=x`, `${name}=`, `${name}=${'9'.repeat(12)}.${'A'.repeat(22)}.${'A'.repeat(43)}`];
    expect(
      (await door.send(LIST, { headers: { ...door.own, cookie: [...planted, door.cookie].join('; ') } })).status,
    ).toBe(200);
  });

  it('is not forged by a change of its end, its id, its signature or its key', async () => {
    const [name = '', value = ''] = door.cookie.split('=');
    for (const at of [0, 7, 8, 14, 30, 32, value.length - 20, value.length - 1])
      for (const other of ['A', 'B', '_']) {
        const forged = `${value.slice(0, at)}${other}${value.slice(at + 1)}`;
        const expected = forged === value ? 200 : 401;
        const headers = { ...door.own, cookie: `${name}=${forged}` };
        expect([forged, (await door.send(LIST, { headers })).status]).toEqual([forged, expected]);
      }
    for (const at of [0, 20, 42])
      for (const other of ['A', 'B', '_']) {
        const forged = `${door.key.slice(0, at)}${other}${door.key.slice(at + 1)}`;
        const headers = { ...door.own, authorization: `Bearer ${forged}` };
        const expected = forged === door.key ? 200 : 401;
        expect([forged, (await door.send(LIST, { headers })).status]).toEqual([forged, expected]);
      }
  });

  it('takes a code once', async () => {
    const target = door.newTarget();
    expect((await door.send(target)).status).toBe(200);
    const again = await door.send(target);
    expect(again.status).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(keyIn(again.text)).toBe('');
    expect(again.text).toContain('used already');
  });

  it('takes a code once when it comes a hundred times at the same instant', async () => {
    await using own = await openTestDoor();
    const target = own.newTarget();
    const answers = await Promise.all(Array.from({ length: 100 }, () => own.send(target)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ headers }) => headers['set-cookie'] !== undefined)).toHaveLength(1);
    expect(answers.filter(({ text }) => keyIn(text) !== '')).toHaveLength(1);
  });

  it('takes a code that others may have read only from a program of the same user', async () => {
    let isOwn: boolean | undefined = false;
    await using own = await openTestDoor({ isOwnUser: () => isOwn });
    const link = own.door.link({ forOwnUser: true }).slice(own.door.url.length);
    expect((await own.send(link)).status).toBe(401);
    expect((await own.send(own.newTarget())).status).toBe(200);
    isOwn = true;
    expect((await own.send(link)).status).toBe(200);
    expect((await own.send(link)).status).toBe(401);
    // A system that does not tell: the code alone decides.
    isOwn = undefined;
    expect((await own.send(own.door.link({ forOwnUser: true }).slice(own.door.url.length))).status).toBe(200);
  });

  it('takes a code for ten minutes', async () => {
    await using own = await openTestDoor();
    const [first, second] = [own.newTarget(), own.newTarget()];
    await own.clock.advance(10 * 60_000 - 1);
    expect((await own.send(first)).status).toBe(200);
    await own.clock.advance(1);
    expect((await own.send(second)).status).toBe(401);
  });

  it('is not opened by a HEAD, a POST or a browser that looks ahead, and they do not use the code up', async () => {
    const target = door.newTarget();
    expect((await door.send(target, { method: 'HEAD' })).status).toBe(405);
    expect((await door.send(target, { method: 'POST', headers: { origin: door.door.url } })).status).toBe(405);
    expect((await door.send(target, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(405);
    expect((await door.send(target)).status).toBe(200);
  });

  it('refuses ten thousand wrong codes, answers few of them at length, and still takes the right one', async () => {
    await using own = await openTestDoor();
    const target = own.newTarget();
    const statuses: number[] = [];
    // A hundred at a time over connections that stay open, as a program sends them that guesses.
    for (let i = 0; i < 100; i += 1) {
      const request = (n: number): string => `GET /console/login?code=${i}x${n} HTTP/1.1\r\nhost: ${own.host}\r\n`;
      const requests = Array.from(
        { length: 100 },
        (_, n) => `${request(n)}${n < 99 ? '' : 'connection: close\r\n'}\r\n`,
      );
      const answers = await own.raw(requests.join(''));
      statuses.push(...[...answers.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, status]) => Number(status)));
    }
    expect(statuses).toHaveLength(10_000);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
    expect((await own.send(`${target}x`)).status).toBe(429);
    expect((await own.send(target)).status).toBe(200);
    await own.clock.advance(60_000);
    expect((await own.send('/console/login?code=')).status).toBe(401);
  });

  it('ends after eight hours, and the watches that were opened with it', async () => {
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

  it('ends with a logout, in the door too, and the watches of all its tabs; other logins stay', async () => {
    await using own = await openTestDoor();
    await own.login();
    const other = own.own;
    await own.login();
    const watch = await own.socket(WATCH, own.own);
    const otherWatch = await own.socket(WATCH, other);
    if (!(watch instanceof WebSocket)) throw new Error(`refused with ${watch}`);
    const closed = once(watch, 'close');
    expect((await own.send('/console/logout', { headers: own.own })).status).toBe(405);
    const answer = await own.send('/console/logout', { method: 'POST', headers: own.own });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^listwatch-console-\d+=; Path=\/; .*Max-Age=0$/u);
    await closed;
    expect((await own.send(LIST, { headers: own.own })).status).toBe(401);
    expect((await own.send('/console/logout', { method: 'POST', headers: own.own })).status).toBe(401);
    expect((await own.send(LIST, { headers: other })).status).toBe(200);
    expect(otherWatch).toMatchObject({ readyState: WebSocket.OPEN });
    if (otherWatch instanceof WebSocket) otherWatch.terminate();
  });

  it('is not ended by somebody who has only the cookie', async () => {
    const { authorization: _key, ...stolen } = door.own;
    expect((await door.send('/console/logout', { method: 'POST', headers: stolen })).status).toBe(401);
    const { origin: _origin, ...foreign } = door.own;
    const headers = { ...foreign, 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' };
    expect((await door.send('/console/logout', { method: 'POST', headers })).status).toBe(403);
    expect((await door.send(LIST, { headers: door.own })).status).toBe(200);
  });

  it.each([
    ['another secret', { secret: Buffer.alloc(32, 8) }, 401],
    ['another access', { access: 'write' }, 401],
    ['the same secret, after a restart', {}, 200],
  ] as const)('is known to a door with %s: %#', async (_, options, status) => {
    const first = await openTestDoor();
    await first.login();
    const { port } = new URL(first.door.url);
    await first[Symbol.asyncDispose]();
    await using second = await openTestDoor({ port: Number(port), ...options });
    const { cookie, authorization } = { ...first.own };
    const headers = { ...second.own, cookie: cookie ?? '', authorization: authorization ?? '' };
    expect((await second.send(LIST, { headers })).status).toBe(status);
  });

  it('of one port is worth nothing at another port with the same secret', async () => {
    await using second = await openTestDoor({ access: 'write' });
    const [, value = ''] = door.cookie.split('=');
    const { port } = new URL(second.door.url);
    const headers = {
      ...second.own,
      cookie: `listwatch-console-${port}=${value}`,
      authorization: `Bearer ${door.key}`,
    };
    expect((await second.send(LIST, { headers })).status).toBe(401);
  });
});
