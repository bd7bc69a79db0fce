import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { TestAuthority } from '@listwatch/conformance/parts';
import { expect, it, vi } from 'vitest';
import { PassingServer, portOf, RawClient, RawUpstream } from './passing-server.fixture.ts';

function soon(condition: () => void): Promise<void> {
  return vi.waitFor(condition, { timeout: 20_000, interval: 5 });
}

const upgradeTo = (protocol: string, more = ''): string =>
  `POST /api/v1/namespaces/a/pods/p/exec?command=sh HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${more}\r\n`;

/** Echoes in capitals after the 101. */
function shouting(request: IncomingMessage, socket: Duplex): void {
  const { upgrade } = request.headers;
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\nX-Stream: v5\r\n\r\nhello `,
  );
  socket.on('data', (chunk: Buffer) => socket.write(chunk.toString().toUpperCase()));
  socket.on('end', () => socket.end('bye'));
  socket.on('error', () => {});
}

it.each(['SPDY/3.1', 'websocket'])(
  '%s becomes a tunnel: bytes pass in both directions, and its ends too',
  async (protocol) => {
    using authority = new TestAuthority('upstream');
    const upstream = createHttpsServer(authority.server()).on('upgrade', shouting).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    await using server = await new PassingServer({
      server: `https://127.0.0.1:${portOf(upstream)}`,
      tls: async () => ({ ca: authority.ca }),
    }).listen();
    const client = new RawClient(server.plainPort);
    client.say(
      `${upgradeTo(protocol, 'Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\nX-Stream-Protocol-Version: v5\r\n')}early `,
    );
    await soon(() => expect(client.text).toContain('EARLY'));
    expect(client.text).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n[^]*X-Stream: v5\r\n\r\nhello EARLY/u);
    expect(server.upstream.counts).toMatchObject({ open: 0, tunnels: 1 });
    client.say('more');
    await soon(() => expect(client.text).toContain('MORE'));
    client.socket.end();
    await soon(() => expect(client.text).toContain('bye'));
    await soon(() => expect(client.ended).toBe(true));
    expect(server.upstream.counts.tunnels).toBe(0);
    upstream.close();
  },
);

it('a refused upgrade is an answer like any other, and what the client sends behind it goes nowhere', async () => {
  let heard = '';
  const upstream = await new RawUpstream((socket) => {
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
    });
  }).listen();
  await using _ = upstream;
  await using server = await new PassingServer({ server: upstream.url }).listen();
  const client = new RawClient(server.plainPort);
  client.say(`${upgradeTo('SPDY/3.1')}GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`);
  await soon(() => expect(client.text).toContain('\r\n\r\n{}'));
  await soon(() => expect(client.ended).toBe(true));
  expect(client.text).toContain('HTTP/1.1 403 Forbidden');
  expect(heard).not.toContain('smuggled');
});

it('a change to HTTP/2 is not offered upstream: requests in that tunnel could say who they are', async () => {
  let heard = '';
  const upstream = await new RawUpstream((socket) => {
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  }).listen();
  await using _ = upstream;
  await using server = await new PassingServer({ server: upstream.url }).listen();
  const client = new RawClient(server.plainPort);
  client.say(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  );
  await soon(() => expect(client.text).toContain('\r\n\r\nok'));
  expect(heard.toLowerCase()).not.toMatch(/upgrade|http2-settings/u);
  client.socket.destroy();
});

it('a thousand idle tunnels stay, and one more is a 429; with their clients they go on both sides', async () => {
  const upstream = createHttpServer().on('upgrade', shouting).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  await using server = await new PassingServer({
    server: `http://127.0.0.1:${portOf(upstream)}`,
    maxTunnels: 1000,
  }).listen();
  const clients = Array.from({ length: 1000 }, () => new RawClient(server.plainPort));
  for (const client of clients) client.say(upgradeTo('SPDY/3.1'));
  await soon(() => expect(server.upstream.counts).toMatchObject({ open: 0, tunnels: 1000 }));
  const late = new RawClient(server.plainPort);
  late.say(upgradeTo('SPDY/3.1'));
  await soon(() => expect(late.text).toContain('HTTP/1.1 429 '));
  clients[500]?.say('still');
  await soon(() => expect(clients[500]?.text).toContain('STILL'));
  for (const { socket } of clients) socket.destroy();
  await soon(() => expect(server.upstream.counts.tunnels).toBe(0));
  await soon(() => upstream.getConnections((_, open) => expect(open).toBe(0)));
  upstream.close();
});

it('a tunnel that is silent for too long is closed, and closing the upstream closes all', async () => {
  const upstream = createHttpServer().on('upgrade', shouting).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const url = `http://127.0.0.1:${portOf(upstream)}`;
  await using silent = await new PassingServer({ server: url, tunnelIdleMs: 100 }).listen();
  const idle = new RawClient(silent.plainPort);
  idle.say(upgradeTo('SPDY/3.1'));
  await soon(() => expect(idle.text).toContain('hello'));
  await soon(() => expect(idle.ended).toBe(true));
  await using server = await new PassingServer({ server: url }).listen();
  const client = new RawClient(server.plainPort);
  client.say(upgradeTo('SPDY/3.1'));
  await soon(() => expect(client.text).toContain('hello'));
  server.upstream.close();
  await soon(() => expect(client.ended).toBe(true));
  upstream.close();
});

it('an upstream that resets a tunnel ends the connection of its client', async () => {
  const upstream = await new RawUpstream((socket) => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nhello');
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
  }).listen();
  await using _ = upstream;
  await using server = await new PassingServer({ server: upstream.url }).listen();
  const client = new RawClient(server.plainPort);
  client.say(upgradeTo('SPDY/3.1'));
  await soon(() => expect(client.ended).toBe(true));
  expect(server.upstream.counts.tunnels).toBe(0);
});
