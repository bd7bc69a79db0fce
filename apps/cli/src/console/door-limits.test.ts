import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openTestDoor, type TestDoor } from './open-door.fixture.ts';

const LIST = '/api/v1/namespaces';
const WATCH = `${LIST}?watch=true`;
const BODY_MAX = 3 * 2 ** 20;

describe('the limits of the door', () => {
  let writer: TestDoor;
  /** The sizes of the bodies that the API has seen. */
  const bodies: (number | undefined)[] = [];

  beforeAll(async () => {
    writer = await openTestDoor({
      access: 'write',
      upstream: async ({ body }) => {
        bodies.push(body?.length);
        return { status: 200, headers: {}, body: (async function* () {})() };
      },
    });
    await writer.login();
  });

  afterAll(() => writer[Symbol.asyncDispose]());

  /** A connection that has sent the head of a POST. */
  function begin(door: TestDoor, headers: Record<string, string>, body = ''): { socket: Socket; answer: () => string } {
    const { hostname, port } = new URL(door.door.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('error', () => {});
    socket.on('data', (data) => {
      answer += String(data);
    });
    socket.write(`${head('POST', LIST, { host: door.host, ...headers })}${body}`);
    return { socket, answer: () => answer };
  }

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

  it('passes the largest body on, and refuses one that is larger', async () => {
    const own = writer.own;
    const post = (bytes: number, more: Record<string, string> = {}) =>
      writer.send(LIST, { method: 'POST', headers: { ...own, ...more }, body: 'x'.repeat(bytes) });
    bodies.length = 0;
    expect((await post(BODY_MAX)).status).toBe(200);
    // It may be cut before all of it is sent.
    for (const form of [{}, { 'transfer-encoding': 'chunked' }])
      expect((await post(BODY_MAX + 1, form).catch(() => ({ status: 413 }))).status).toBe(413);
    expect(bodies).toEqual([BODY_MAX]);
    await vi.waitFor(() => expect(writer.door.active).toBe(0), 20_000);
  });

  it('waits a minute for a body that dribbles, and reads sixteen at one time', async () => {
    await using own = await openTestDoor({ access: 'write' });
    await own.login();
    const slow = Array.from({ length: 16 }, () => begin(own, { ...own.own, 'content-length': '100' }, '{'));
    await vi.waitFor(() => expect(own.door.active).toBe(16), 20_000);
    const refused = await own.send(LIST, { method: 'POST', headers: own.own, body: '{}' });
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect((await own.send(LIST, { headers: own.own })).status).toBe(200);
    await own.clock.advance(59_999);
    for (const { socket } of slow) socket.write(' ');
    await own.clock.advance(1);
    await vi.waitFor(() => expect(slow.filter(({ socket }) => socket.closed)).toHaveLength(16), 20_000);
    for (const { answer } of slow) expect(answer()).toMatch(/^HTTP\/1.1 408 /u);
    expect(own.door.active).toBe(0);
    expect((await own.send(LIST, { method: 'POST', headers: own.own, body: '{}' })).status).toBe(422);
  });

  it('forgets a body when its browser goes', async () => {
    await using own = await openTestDoor({ access: 'write' });
    await own.login();
    const slow = Array.from({ length: 16 }, () => begin(own, { ...own.own, 'content-length': '100' }, '{'));
    await vi.waitFor(() => expect(own.door.active).toBe(16), 20_000);
    for (const { socket } of slow) socket.destroy();
    await vi.waitFor(() => expect(own.door.active).toBe(0), 20_000);
    expect((await own.send(LIST, { method: 'POST', headers: own.own, body: '{}' })).status).toBe(422);
  });

  it('reads no body of somebody who is not logged in', async () => {
    const { authorization: _key, ...stolen } = writer.own;
    const slow = Array.from({ length: 50 }, () => begin(writer, { ...stolen, 'content-length': '1000000' }, '{'));
    await vi.waitFor(() => expect(slow.filter(({ socket }) => socket.closed)).toHaveLength(50), 20_000);
    for (const { answer } of slow) expect(answer()).toMatch(/^HTTP\/1.1 401 /u);
  });

  it('refuses headers of 64 KB', async () => {
    const big = head('GET', '/console/', { host: writer.host, 'x-big': 'x'.repeat(64 * 1024), connection: 'close' });
    expect(await writer.raw(big)).toMatch(/^HTTP\/1.1 431 /u);
    const many = Array.from({ length: 4000 }, (_, i) => `x-${i}: ${'y'.repeat(10)}\r\n`).join('');
    expect(await writer.raw(`GET /console/ HTTP/1.1\r\nhost: ${writer.host}\r\n${many}\r\n`)).toMatch(
      /^HTTP\/1.1 431 /u,
    );
  });

  const SMUGGLED = `GET ${LIST} HTTP/1.1\r\nhost: x\r\n\r\n`;
  it.each([
    ['two lengths', ['content-length: 0', `content-length: ${SMUGGLED.length}`]],
    ['a list of lengths', [`content-length: 0, ${SMUGGLED.length}`]],
    ['a length and chunks', ['transfer-encoding: chunked', 'content-length: 4']],
    ['a length with a sign', ['content-length: +4']],
    ['an unknown encoding', ['transfer-encoding: xchunked']],
    ['an encoding after chunks', ['transfer-encoding: chunked, identity']],
    ['two encodings', ['transfer-encoding: chunked', 'transfer-encoding: identity']],
    ['a space before the colon', ['content-length : 4']],
    ['a folded header', ['x: y', ' content-length: 4']],
    ['a bare line feed', [`x: y\ncontent-length: ${SMUGGLED.length}`]],
  ])('answers a request with %s once, and passes nothing on', async (_, lines) => {
    bodies.length = 0;
    const start = head('POST', LIST, { host: writer.host, ...writer.own }).slice(0, -2);
    const answer = await writer.raw(`${start}${lines.join('\r\n')}\r\n\r\n0\r\n\r\n${SMUGGLED}`);
    expect(answer.match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 400']);
    expect(bodies).toEqual([]);
  });
});

function head(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
