import { TestAuthority } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import {
  get,
  reader,
  rejection,
  rest,
  type ScriptedHttp2Server,
  type ScriptedHttp2ServerOptions,
  sending,
  startHttp1Server,
  startHttp2Server,
} from '@listwatch/conformance/transport';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SocketTransport } from '../socket-transport.ts';
import { createHttp2Transport } from './http2-transport.ts';

let options: ScriptedHttp2ServerOptions;
const cleanups: (() => Promise<void>)[] = [];

beforeAll(() => {
  using authority = new TestAuthority();
  options = { ca: authority.ca, certificate: authority.server() };
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(
  more: Partial<ScriptedHttp2ServerOptions> = {},
): Promise<{ server: ScriptedHttp2Server; transport: SocketTransport }> {
  const server = await startHttp2Server({ ...options, ...more });
  const transport = createHttp2Transport({ server: server.url, tls: { ca: options.ca } });
  cleanups.push(
    () => server.close(),
    () => transport.close(),
  );
  return { server, transport };
}

const arrived = (server: ScriptedHttp2Server, count: number): Promise<boolean> =>
  eventually(`${count} exchanges have come`, () => server.exchanges.length >= count);

describe('sessions of HTTP/2', () => {
  it('a hundred exchanges at once share one session', async () => {
    const { server, transport } = await start();
    const responses = Array.from({ length: 100 }, (_, i) => sending(transport, get(`/${i}`)));
    await arrived(server, 100);
    expect(server.sessions.length).toBe(1);
    for (const exchange of server.exchanges) {
      exchange.head(200);
      exchange.end();
    }
    for (const response of responses) await rest(await response);
  });

  it('more streams than the server allows on one session get another, and none waits in line', async () => {
    const { server, transport } = await start({ maxConcurrentStreams: 10 });
    const responses = Array.from({ length: 25 }, (_, i) => sending(transport, get(`/${i}`)));
    await arrived(server, 25);
    expect(server.sessions.length).toBe(3);
    for (const exchange of server.exchanges) {
      exchange.head(200);
      exchange.end();
    }
    for (const response of responses) await rest(await response);
    const again = sending(transport, get('/again'));
    await arrived(server, 26);
    expect(server.sessions.length).toBe(3);
    server.exchanges[25]?.head(200);
    server.exchanges[25]?.end();
    await rest(await again);
  });

  it('after GOAWAY what is open goes on to its end and what is new takes a new session', async () => {
    const { server, transport } = await start();
    const watch = sending(transport, get('/watch'));
    await arrived(server, 1);
    server.exchanges[0]?.head(200);
    const chunks = reader(await watch);
    server.sessions[0]?.goaway();
    const next = chunks.next();
    await server.exchanges[0]?.write('after the GOAWAY\n');
    expect(Buffer.from((await next).value ?? []).toString()).toBe('after the GOAWAY\n');
    const second = sending(transport, get('/second'));
    await arrived(server, 2);
    expect(server.sessions.length).toBe(2);
    server.exchanges[1]?.head(200);
    server.exchanges[1]?.end();
    await rest(await second);
    const last = chunks.next();
    server.exchanges[0]?.end();
    expect((await last).done).toBe(true);
    await eventually('the old session is gone', () => server.sessions[0]?.destroyed);
  });

  it('readers that stand still do not stop the others, however many they are', async () => {
    const { server, transport } = await start();
    const held = 20;
    const perReader = 3 * 1024 * 1024;
    const responses = Array.from({ length: held }, (_, i) => sending(transport, get(`/${i}`)));
    await arrived(server, held);
    const written = server.exchanges.map((exchange) => {
      exchange.head(200);
      return exchange.write(Buffer.alloc(perReader));
    });
    // All of it lies here unread, and it is more than the window of the session.
    await Promise.all(written);
    for (const response of responses) await (await response).body[Symbol.asyncIterator]().next();
    const other = sending(transport, get('/other'));
    await arrived(server, held + 1);
    server.exchanges[held]?.head(200);
    void server.exchanges[held]?.write('here');
    server.exchanges[held]?.end();
    expect(await rest(await other)).toBe('here');
    expect(server.sessions.length).toBe(1);
  });

  it('a watch that is left while its reader was behind gives its place back', async () => {
    const { server, transport } = await start({ maxConcurrentStreams: 1 });
    for (let round = 0; round < 3; round += 1) {
      const response = sending(transport, get('/watch'));
      await arrived(server, round + 1);
      const exchange = server.exchanges[round];
      exchange?.head(200);
      const chunks = reader(await response);
      for (let i = 0; i < 40; i += 1) void exchange?.write(Buffer.alloc(65_536));
      await chunks.next();
      await chunks.return?.();
      await eventually('the server sees it', () => exchange?.closed);
    }
    expect(server.sessions.length).toBe(1);
  });

  it('reconnect() takes new requests to a new session and lets the old one end', async () => {
    const { server, transport } = await start();
    const first = sending(transport, get('/first'));
    await arrived(server, 1);
    transport.reconnect();
    const second = sending(transport, get('/second'));
    await arrived(server, 2);
    expect(server.sessions.length).toBe(2);
    for (const exchange of server.exchanges) {
      exchange.head(200);
      exchange.end();
    }
    for (const response of [first, second]) expect((await response).status).toBe(200);
  });

  it('a stream that is refused unseen is sent again, a write too', async () => {
    const { server, transport } = await start();
    let refusals = 0;
    server.onStream((stream) => {
      if (refusals === 2) return false;
      refusals += 1;
      stream.close(7);
      return true;
    });
    const response = sending(transport, { ...get('/write'), method: 'POST', body: Buffer.from('{}') });
    await arrived(server, 1);
    expect(refusals).toBe(2);
    server.exchanges[0]?.head(201);
    server.exchanges[0]?.end();
    expect((await response).status).toBe(201);
  });

  it('a server that always refuses is CONNECT, after three attempts', async () => {
    const { server, transport } = await start();
    let refusals = 0;
    server.onStream((stream) => {
      refusals += 1;
      stream.close(7);
      return true;
    });
    expect(await rejection(transport.send(get('/')))).toMatchObject({ name: 'TransportError', code: 'CONNECT' });
    expect(refusals).toBe(3);
  });

  it('an answer whose stream is reset before its end is CLOSED', async () => {
    const { server, transport } = await start();
    // Not `close`, which ends the answer properly before it resets the stream. (A reset with NO_ERROR, which Node does not
    // tell from an end, is left to the decoders above: no list or frame is whole then.)
    server.onStream((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('half', () => stream.destroy(new Error('the handler failed')));
      return true;
    });
    const response = await transport.send(get('/'));
    expect(await rejection(rest(response))).toMatchObject({ code: 'CLOSED' });
  });

  it('a server that speaks only HTTP/1.1 is named as such', async () => {
    const server = await startHttp1Server(options);
    const transport = createHttp2Transport({ server: server.url, tls: { ca: options.ca } });
    cleanups.push(
      () => server.close(),
      () => transport.close(),
    );
    expect(await rejection(transport.send(get('/')))).toMatchObject({
      code: 'CONNECT',
      message: expect.stringContaining('does not speak HTTP/2'),
    });
  });
});
