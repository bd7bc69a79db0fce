import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { DRAIN_LIMITS } from './end-and-drain.ts';
import { type Fixture, Fixtures, jsonResponse, MASTER } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

/** Everything that the server says to bytes of any kind, until it closes or is silent. */
async function say(fixture: Fixture, bytes: string | Buffer, { ends = true } = {}): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca, ALPNProtocols: ['http/1.1'] });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write(bytes);
  if (ends) socket.end();
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

function statusOf(text: string): unknown {
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
}

describe('bytes that are no request', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['large headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(200_000)}\r\n\r\n`, 431],
    ['a target that is none', 'GET nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a bad escape', 'GET /api/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a watch of nothing', 'GET /api/v1/watch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a long URL', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 414],
  ])('%s', async (_, bytes, code) => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const text = await say(fixture, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${code} \\S`, 'u'));
    expect(statusOf(text)).toMatchObject({ kind: 'Status', code });
    expect((await fixture.ask('/readyz')).status).toBe(200);
  });

  it('without TLS are dropped, and so is a connection that says nothing', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { handshakeTimeoutMs: 50 });
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '']) {
      const socket = connectTcp(fixture.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      socket.write(bytes);
      await once(socket, 'close');
    }
    await expect.poll(() => fixture.server.load.connections).toBe(0);
  });

  it('that come one at a time do not prolong the TLS handshake', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { handshakeTimeoutMs: 300 });
    const socket = connectTcp(fixture.port, '127.0.0.1');
    socket.on('error', () => {});
    // The head of a ClientHello of 512 bytes, then its content slower than anybody would send it.
    socket.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252]));
    const dribble = setInterval(() => socket.write(Buffer.alloc(1)), 20);
    await new Promise((resolve) => {
      socket.once('close', resolve);
    });
    clearInterval(dribble);
    expect(socket.bytesWritten).toBeLessThan(500);
  });

  it('of any kind never end the server', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const piece = fc.oneof(
      fc.constantFrom('GET ', 'POST ', '/api/v1/pods', '?watch=1', ' HTTP/1.1\r\n', '\r\n', 'Host: x\r\n', '%', '\0'),
      fc.constantFrom('Connection: Upgrade\r\n', 'Upgrade: websocket\r\n', 'Expect: 100-continue\r\n', 'Expect: x\r\n'),
      fc.constantFrom(
        'Content-Length: 5\r\n',
        'Transfer-Encoding: chunked\r\n',
        '5\r\nhello\r\n',
        '0\r\n\r\n',
        'zz\r\n',
      ),
      fc.constantFrom(
        `Authorization: ${MASTER.authorization}\r\n`,
        'Accept: ;;;\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        await say(fixture, pieces.join(''));
      }),
      { numRuns: 150 },
    );
    expect((await fixture.ask('/readyz')).status).toBe(200);
    await expect.poll(() => fixture.server.load).toMatchObject({ reads: 0, mutating: 0, watches: 0 });
  }, 60_000);
});

/** A connection without TLS to the host of a URL. */
function plain(url: string | undefined): Socket {
  const { hostname: host, port } = new URL(url ?? '');
  // Node's client would end its side when the server does.
  return connectTcp({ host, port: Number(port), allowHalfOpen: true });
}

describe('a refusal', () => {
  const LARGE = Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(6_000_000)}`);

  const ways: readonly [string, (fixture: Fixture) => Socket][] = [
    ['with TLS', ({ server, ca }) => connect({ host: '127.0.0.1', ca, socket: plain(server.address?.url) })],
    ['without TLS', ({ server }) => plain(server.address?.insecureUrl)],
  ];

  it.each(ways)('reaches a client that reads when all is sent, far more than the sockets hold, %s', async (_, open) => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { insecurePort: 0 });
    const socket = open(fixture);
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.write(LARGE, () => resolve());
    });
    socket.end();
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 431 /u);
  });

  it.each(ways)('is the end for a client that goes on sending, %s', async (_, open) => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { insecurePort: 0, clock: new FakeClock() });
    const socket = open(fixture);
    socket.on('error', () => {});
    const sendOn = (): void => {
      if (socket.writable) socket.write(LARGE, sendOn);
    };
    sendOn();
    await new Promise((resolve) => {
      socket.once('close', resolve);
    });
    expect(socket.bytesWritten).toBeGreaterThan(DRAIN_LIMITS.bytes);
    await expect.poll(() => fixture.server.load.connections).toBe(0);
  });

  it.each(ways)('is the end for a client that stays, after five seconds, %s', async (_, open) => {
    const clock = new FakeClock();
    const fixture = await fixtures.start(() => jsonResponse('{}'), { insecurePort: 0, clock, headersTimeoutMs: 50 });
    const socket = open(fixture);
    socket.on('error', () => {});
    socket.write('hello\r\n\r\n');
    socket.resume();
    await once(socket, 'end');
    // When one that came later has had its time for headers, so has this one: that is not its end.
    expect(await say(fixture, 'GET / HTTP/1.1\r\nHost:', { ends: false })).toMatch(/^HTTP\/1\.1 408 /u);
    await clock.advance(4999);
    expect(fixture.server.load.connections).toBe(1);
    await clock.advance(1);
    await expect.poll(() => fixture.server.load.connections).toBe(0);
    socket.destroy();
  });
});

describe('a client that dawdles', () => {
  it('with its headers gets a 408 and is cut off', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { headersTimeoutMs: 100 });
    const socket = connect({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca });
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.write('GET / HTTP/1.1\r\nHost:');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 408 /u);
  });

  it('after its answer is cut off when it has been idle, over both protocols', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { idleTimeoutMs: 100 });
    const agent = fixture.agent();
    await fixture.ask('/api/v1/pods', { agent });
    const session = fixture.http2();
    const closed = once(session, 'close');
    await fixture.askHttp2(session, '/api/v1/pods');
    await closed;
    await expect.poll(() => fixture.server.load.connections, { timeout: 10_000 }).toBe(0);
    agent.destroy();
  });
});

describe('odd HTTP/2 requests', () => {
  it('get a Status or a reset, and the connection lives on', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const session = fixture.http2();
    session.on('error', () => {});
    await expect(fixture.askHttp2(session, 'nowhere')).rejects.toThrow('NGHTTP2_PROTOCOL_ERROR');
    expect((await fixture.askHttp2(session, '/%zz')).status).toBe(400);
    expect((await fixture.askHttp2(session, `/${'x'.repeat(70_000)}`).catch(() => ({ status: 0 }))).status).not.toBe(
      200,
    );
    const again = fixture.http2();
    expect((await fixture.askHttp2(again, '/api/v1/pods', { method: 'BREW' })).status).toBe(200);
    expect((await fixture.askHttp2(again, '/api/v1/pods')).status).toBe(200);
    session.destroy();
    again.close();
  });
});
