import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../contract/api-response.ts';
import { deferred, type Fixture, Fixtures, heldWatch, jsonResponse, MASTER } from './http.fixture.ts';
import {
  DATA,
  HEADERS,
  headersFrame,
  RawHttp2,
  RST_STREAM,
  SETTINGS_ZERO_WINDOW,
  windowUpdate,
} from './raw-http2.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';
const READ_TIMEOUT_MS = 30_000;

/** An HTTP/2 connection whose client never lets the server send a body. */
function closedWindow(fixture: Fixture): ClientHttp2Session {
  const session = connect(`https://localhost:${fixture.port}`, { ca: fixture.ca, settings: { initialWindowSize: 0 } });
  session.on('error', () => {});
  return session;
}

function send(session: ClientHttp2Session, headers: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
  const stream = session.request({ ':path': PATH, ...headers });
  stream.on('error', () => {});
  return stream;
}

/** Sends requests and waits until each has its head: the body is what the client does not read. */
async function sendUnread(session: ClientHttp2Session, count: number, headers = {}): Promise<ClientHttp2Stream[]> {
  const streams = Array.from({ length: count }, () => send(session, headers));
  await Promise.all(streams.map((stream) => once(stream, 'response')));
  return streams;
}

const ANSWERS: readonly (readonly [string, () => ApiResponse])[] = [
  ['whole', () => jsonResponse('x'.repeat(10_000))],
  [
    'streamed',
    () => ({ type: 'stream', status: 200, headers: {}, chunks: Array.from({ length: 9 }, () => Buffer.alloc(65_536)) }),
  ],
];

describe('an answer that its client does not read', () => {
  it('takes no place: 400 anonymous requests that are never read do not keep others out', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { clock: new FakeClock() });
    const sessions = Array.from({ length: 4 }, () => closedWindow(fixture));
    await Promise.all(sessions.map((session) => sendUnread(session, 100)));
    expect((await fixture.ask(PATH)).status).toBe(200);
    expect(fixture.server.load).toMatchObject({ reads: 0, mutating: 0 });
    for (const session of sessions) session.destroy();
  });

  it.each(ANSWERS)('frees its place when it is produced: %s', async (_, response) => {
    const fixture = await fixtures.start(response, { clock: new FakeClock(), maxReadsInFlight: 1 });
    const session = closedWindow(fixture);
    await sendUnread(session, 1, MASTER);
    expect((await fixture.ask(PATH)).status).toBe(200);
    session.destroy();
  });

  it.each(ANSWERS)('is cut when the client has not read it in time: %s', async (_, response) => {
    const clock = new FakeClock();
    const fixture = await fixtures.start(response, { clock });
    const session = closedWindow(fixture);
    const [stream] = await sendUnread(session, 1, MASTER);
    let cut = false;
    stream?.on('close', () => {
      cut = true;
    });
    await clock.advance(READ_TIMEOUT_MS);
    expect((await fixture.ask('/metrics')).body).toContain('listwatch_unread_answers_cut_total 0');
    expect(cut).toBe(false);
    await clock.advance(1000);
    await expect.poll(() => cut).toBe(true);
    expect((await fixture.ask('/metrics')).body).toContain('listwatch_unread_answers_cut_total 1');
    session.destroy();
  });

  it('is cut over HTTP/1.1 too', async () => {
    const clock = new FakeClock();
    const fixture = await fixtures.start(() => jsonResponse(Buffer.alloc(32 * 1024 * 1024)), { clock });
    const socket = connectTls({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca });
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${MASTER.authorization}\r\n\r\n`);
    await expect.poll(async () => (await fixture.ask('/metrics')).body).toMatch(/listwatch_unread_bytes [1-9]/u);
    expect(fixture.server.load.reads).toBe(0);
    await clock.advance(READ_TIMEOUT_MS + 512 * 1000);
    await expect.poll(() => fixture.server.load.connections).toBe(0);
    socket.destroy();
  });

  it('is cut when the client opens its window a byte at a time', async () => {
    const clock = new FakeClock();
    const fixture = await fixtures.start(() => jsonResponse('x'.repeat(1000)), { clock });
    const client = await RawHttp2.connect(fixture);
    client.send(SETTINGS_ZERO_WINDOW, headersFrame(1, { path: PATH, ...MASTER }));
    await client.frame(({ type }) => type === HEADERS);
    for (let byte = 0; byte < 30; byte++) {
      client.send(windowUpdate(1, 1));
      await client.frame(({ type, stream }) => type === DATA && stream === 1);
      await clock.advance(1000);
    }
    await clock.advance(1000);
    await client.frame(({ type, stream }) => type === RST_STREAM && stream === 1);
    client.destroy();
  });

  it('holds no more memory of one connection than its limit: further requests are refused', async () => {
    const size = 1024 * 1024;
    const fixture = await fixtures.start(() => jsonResponse(Buffer.alloc(size)), { clock: new FakeClock() });
    const session = closedWindow(fixture);
    const outcome = (): Promise<string> =>
      new Promise((resolve) => {
        const stream = send(session, MASTER);
        stream.on('response', () => resolve('answered'));
        stream.on('close', () => resolve('refused'));
      });
    let answered = 0;
    while ((await outcome()) === 'answered') answered++;
    expect(answered).toBeGreaterThan(16);
    expect(answered).toBeLessThan(40);
    const { body } = await fixture.ask('/metrics');
    expect(Number(/^listwatch_unread_bytes (\d+)$/mu.exec(body)?.[1])).toBeGreaterThanOrEqual(answered * size);
    expect((await fixture.ask(PATH)).status).toBe(200);
    session.destroy();
  });
});

describe('in-flight places', () => {
  it('are taken by authorized requests only', async () => {
    const hold = deferred();
    const fixture = await fixtures.start(async () => (await hold.promise, jsonResponse('{}')), {
      maxReadsInFlight: 1,
      authorizer: {
        authorize: async ({ user }) => {
          if (user.name === 'paul') await hold.promise;
          return { allowed: user.name !== 'paul' };
        },
      },
    });
    const waiting = fixture.ask(PATH, { headers: { authorization: 'Bearer plain-token' } });
    const first = fixture.ask(PATH);
    await expect.poll(() => fixture.server.load.reads).toBe(1);
    expect((await fixture.ask(PATH, { headers: {} })).status).toBe(429);
    expect((await fixture.ask('/metrics')).body).toContain(
      'apiserver_dropped_requests_total{request_kind="readOnly"} 1',
    );
    hold.resolve();
    expect([(await waiting).status, (await first).status]).toEqual([403, 200]);
    expect(fixture.server.load.reads).toBe(0);
  });

  it('of watches are held until the watch ends', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response, { maxWatches: 1 });
    const anonymous = await fixture.ask(`${PATH}?watch=1`, { headers: {} });
    const first = fixture.ask(`${PATH}?watch=1`);
    const watch = await sink;
    expect(fixture.server.load.watches).toBe(1);
    expect((await fixture.ask(`${PATH}?watch=1`)).status).toBe(429);
    watch.end();
    expect([anonymous.status, (await first).status]).toEqual([403, 200]);
    await expect.poll(() => fixture.server.load.watches).toBe(0);
  });
});

describe('requests that are pipelined on one HTTP/1.1 connection', () => {
  it('are worked on one after the other, and answered in order', async () => {
    const holds = [deferred(), deferred(), deferred()];
    const started: string[] = [];
    const fixture = await fixtures.start(async ({ path }) => {
      started.push(path);
      await holds[started.length - 1]?.promise;
      return jsonResponse(path);
    });
    const socket = connectTls({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca });
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${MASTER.authorization}\r\n\r\n`;
    socket.write(`GET /a ${head}GET /b ${head}GET /c ${head}`);
    await expect.poll(() => started).toEqual(['/a']);
    expect(fixture.server.load.reads).toBe(1);
    for (const hold of holds) hold.resolve();
    await expect.poll(() => text.match(/\/[abc]$|\/[abc](?=HTTP)/gu)).toEqual(['/a', '/b', '/c']);
    expect(started).toEqual(['/a', '/b', '/c']);
    socket.destroy();
  });

  it('an upgrade behind an unanswered request closes the connection and nothing else', async () => {
    const hold = deferred();
    const fixture = await fixtures.start(async () => (await hold.promise, jsonResponse('{}')));
    const socket = connectTls({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca });
    socket.on('error', () => {});
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${MASTER.authorization}\r\n`;
    socket.write(`GET /a ${head}\r\nGET /b?watch=1 ${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    socket.resume();
    await once(socket, 'close');
    hold.resolve();
    expect((await fixture.ask(PATH)).status).toBe(200);
  });
});
