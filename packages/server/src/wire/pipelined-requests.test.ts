import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { boundAddress } from './bound-address.ts';
import { type Fixture, Fixtures, heldWatch, jsonResponse, MASTER } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const HEAD = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${MASTER.authorization}\r\n`;
const WATCH = `GET /api/v1/configmaps?watch=1 ${HEAD}\r\n`;

async function open(fixture: Fixture, isTls: boolean): Promise<Socket> {
  const port = Number(new URL(fixture.server.address?.insecureUrl ?? 'http://x').port);
  const socket = isTls
    ? connectTls({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca })
    : connect({ host: '127.0.0.1', port });
  await once(socket, isTls ? 'secureConnect' : 'connect');
  return socket;
}

/** What the server has said, as text. */
function heard(socket: Socket): () => string {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Some of each: without a body, with a length, and in chunks, of which one looks like the end of a head. */
function requestAt(index: number, size: number): string {
  const body = 'x'.repeat(size);
  if (index % 3 === 0) return `GET /get-${index} ${HEAD}\r\n`;
  if (index % 3 === 1) return `POST /post-${index} ${HEAD}Content-Length: ${size}\r\n\r\n${body}`;
  const chunks = `4\r\n\r\n\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  return `POST /chunked-${index} ${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks}`;
}

const SIZES = [1, 40, 3000, 90_000, 2049, 400_000, 700];

describe.each([true, false])('requests that are pipelined, with TLS: %s', (isTls) => {
  it.each([7, 1000, 65_536, 10_000_000])(
    'are answered in order, each with its own body, in writes of %i bytes',
    async (step) => {
      const fixture = await fixtures.start(
        async (request) => {
          const length = request.method === 'GET' ? 0 : (await request.body()).length;
          return jsonResponse(`<${request.path} ${length}>`);
        },
        { insecurePort: 0 },
      );
      const socket = await open(fixture, isTls);
      const text = heard(socket);
      // A step of seven bytes is for heads: it would take long for a large body.
      const sizes = SIZES.filter((size) => size < step * 1000);
      const indexes = Array.from({ length: 42 }, (_, index) => index);
      const sizeOf = (index: number): number => sizes[index % sizes.length] ?? 1;
      const all = Buffer.from(indexes.map((index) => requestAt(index, sizeOf(index))).join(''));
      for (let at = 0; at < all.length; at += step) socket.write(all.subarray(at, at + step));
      const expected = indexes.map((index) => {
        if (index % 3 === 0) return `</get-${index} 0>`;
        return index % 3 === 1 ? `</post-${index} ${sizeOf(index)}>` : `</chunked-${index} ${sizeOf(index) + 4}>`;
      });
      await expect.poll(() => text().match(/<\S+ \d+>/gu)).toEqual(expected);
      socket.destroy();
    },
  );

  it('wait in the socket of the client behind a quiet watch, and go on when it ends', async () => {
    const { response, sink } = heldWatch();
    const paths: string[] = [];
    const fixture = await fixtures.start(
      ({ query, path }) => {
        if (query !== '') return response;
        paths.push(path);
        return jsonResponse(`<${path}>`);
      },
      { insecurePort: 0 },
    );
    const socket = await open(fixture, isTls);
    const text = heard(socket);
    socket.write(WATCH);
    const watch = await sink;
    const short = Buffer.from('GET /a HTTP/1.1\r\nA:b\r\n\r\n');
    const sent = 60_000_000 / short.length;
    socket.write(Buffer.alloc(60_000_000, short));
    // Each goes there and back: the server has had many turns to read.
    for (let turn = 0; turn < 50; turn++) expect((await fixture.ask('/other')).body).toBe('</other>');
    // The rest is what the kernel keeps of a connection on loopback.
    expect(socket.writableLength).toBeGreaterThan(40_000_000);
    watch.end();
    await expect.poll(() => text().split('HTTP/1.1 403').length).toBeGreaterThan(500);
    expect(text().split('HTTP/1.1 403').length).toBeLessThan(sent / 2);
    expect(paths.every((path) => path === '/other')).toBe(true);
    socket.destroy();
  });

  it('do not wait for ever behind a watch: the connection is cut after two minutes', async () => {
    const { response, sink } = heldWatch();
    const clock = new FakeClock();
    const fixture = await fixtures.start(() => response, { insecurePort: 0, clock });
    const socket = await open(fixture, isTls);
    const closed = once(socket, 'close');
    const text = heard(socket);
    socket.write(WATCH);
    await sink;
    // The server has had this when it answers somebody who asks later.
    socket.write('GET /a HTTP/1.1\r\nA:b\r\n\r\n'.repeat(2));
    for (let turn = 0; turn < 10; turn++) expect((await fixture.ask('/livez')).status).toBe(200);
    await clock.advance(119_000);
    expect([text().includes('200 OK'), socket.destroyed]).toEqual([true, false]);
    await clock.advance(2000);
    await closed;
  });

  it('wait while the client reads no answer, and others are answered', async () => {
    const fixture = await fixtures.start(() => jsonResponse('x'.repeat(1000)), { insecurePort: 0 });
    const socket = await open(fixture, isTls);
    const one = Buffer.from(`GET /a ${HEAD}\r\n`);
    socket.write(Buffer.alloc(one.length * 500_000, one));
    for (let turn = 0; turn < 50; turn++) expect((await fixture.ask('/other')).status).toBe(200);
    expect(socket.writableLength).toBeGreaterThan(one.length * 300_000);
    socket.destroy();
  });
});

it('a listener in another server cuts a connection that has a request behind a watch for two minutes', async () => {
  const { response, sink } = heldWatch();
  const clock = new FakeClock();
  const fixture = await fixtures.start(() => response, { clock });
  const host = createServer(fixture.server.requestListener());
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const socket = connect({ host: '127.0.0.1', port: boundAddress(host).port });
  const closed = once(socket, 'close');
  socket.resume();
  socket.write(WATCH.repeat(20));
  await sink;
  await clock.advance(119_000);
  expect(socket.destroyed).toBe(false);
  await clock.advance(2000);
  await closed;
  host.close();
});

it('the first frames of a WebSocket may come in the packet of its handshake', async () => {
  const { response } = heldWatch();
  const fixture = await fixtures.start(() => response);
  const socket = await open(fixture, true);
  const text = heard(socket);
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const handshake = `GET /api/v1/configmaps?watch=1 ${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: https://x\r\n${key}\r\n`;
  const ping = Buffer.from([0x89, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
  socket.write(Buffer.concat([Buffer.from(handshake), ping]));
  await expect.poll(text).toMatch(/^HTTP\/1\.1 101 .*hi$/su);
  socket.destroy();
});
