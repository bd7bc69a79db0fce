import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Fixture, Fixtures, heldWatch, jsonResponse, MASTER } from './http.fixture.ts';
import {
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  field,
  frame,
  GOAWAY,
  HEADERS,
  headerBlock,
  headersFrame,
  PING,
  RawHttp2,
  RST_STREAM,
  SETTINGS,
  settings,
} from './raw-http2.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';
const HEADERS_TIMEOUT_MS = 32_000;

async function start(clock = new FakeClock()): Promise<Fixture> {
  return fixtures.start(() => jsonResponse('{}'), { clock });
}

async function cutCount(fixture: Fixture): Promise<string | undefined> {
  const { body } = await fixture.ask('/metrics');
  return /^listwatch_stalled_connections_cut_total (\d+)$/mu.exec(body)?.[1];
}

describe('an HTTP/2 connection is closed in time when its client', () => {
  it('sends no preface', async () => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const client = await RawHttp2.connect(fixture, { preface: false });
    await client.frame(({ type }) => type === SETTINGS);
    await clock.advance(HEADERS_TIMEOUT_MS);
    await client.end();
    expect(await cutCount(fixture)).toBe('1');
  });

  it.each([
    ['half a preface', Buffer.from('PRI * HT')],
    ['no SETTINGS', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  ])('sends %s', async (_, bytes) => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const client = await RawHttp2.connect(fixture, { preface: false });
    client.send(bytes);
    await client.frame(({ type }) => type === SETTINGS);
    await clock.advance(HEADERS_TIMEOUT_MS);
    await client.end();
  });

  it.each([
    ['a header block', frame(HEADERS, END_STREAM, 1, headerBlock({ path: PATH }))],
    [
      'a header block that it continues',
      Buffer.concat([
        frame(HEADERS, END_STREAM, 1, headerBlock({ path: PATH })),
        frame(CONTINUATION, 0, 1, field('a', 'b')),
      ]),
    ],
    ['the head of a frame', frame(HEADERS, END_STREAM, 1).subarray(0, 5)],
    ['the payload of a frame', headersFrame(1, { path: PATH }).subarray(0, 20)],
  ])('does not finish %s', async (_, bytes) => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const client = await RawHttp2.connect(fixture);
    client.send(settings(), bytes);
    await client.frame(({ type, flags }) => type === SETTINGS && flags === ACK);
    await clock.advance(HEADERS_TIMEOUT_MS / 2);
    await client.frame(({ type }) => type === PING);
    await clock.advance(HEADERS_TIMEOUT_MS);
    await client.end();
    expect(await cutCount(fixture)).toBe('1');
  });

  it('does not finish a header block behind an open watch', async () => {
    const clock = new FakeClock();
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response, { clock });
    const client = await RawHttp2.connect(fixture);
    client.send(settings(), headersFrame(1, { path: `${PATH}?watch=1`, ...MASTER }));
    await sink;
    client.send(frame(HEADERS, END_STREAM, 3, headerBlock({ path: PATH })));
    await clock.advance(HEADERS_TIMEOUT_MS / 2);
    await client.frame(({ type }) => type === PING);
    await clock.advance(HEADERS_TIMEOUT_MS);
    await client.end();
    await expect.poll(() => fixture.server.load.watches).toBe(0);
  });

  it('is idle and does not take the GOAWAY', async () => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const client = await RawHttp2.connect(fixture);
    client.send(settings());
    await client.frame(({ type, flags }) => type === SETTINGS && flags === ACK);
    client.socket.pause();
    client.socket.on('end', () => {});
    await clock.advance(90_000);
    await clock.advance(5000);
    await expect.poll(() => fixture.server.load.connections).toBe(0);
    client.destroy();
  });

  it('but one that answers its pings stays, and a quiet one is not pinged again', async () => {
    const clock = new FakeClock();
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response, { clock });
    const client = await RawHttp2.connect(fixture);
    client.send(settings(), headersFrame(1, { path: `${PATH}?watch=1`, ...MASTER }));
    await sink;
    await clock.advance(HEADERS_TIMEOUT_MS / 2);
    const { payload } = await client.frame(({ type }) => type === PING);
    client.send(frame(PING, ACK, 0, payload), frame(PING, 0, 0, Buffer.alloc(8)));
    await client.frame(({ type, flags }) => type === PING && flags === ACK);
    // What came behind the answer could be unfinished, so there is one more check; then it is quiet for hours.
    await clock.advance(HEADERS_TIMEOUT_MS / 2);
    const again = await client.frame(({ type }) => type === PING);
    client.send(frame(PING, ACK, 0, again.payload));
    await fixture.ask('/readyz');
    for (let hour = 0; hour < 10; hour++) await clock.advance(3_600_000);
    expect(client.closed).toBe(false);
    expect(await cutCount(fixture)).toBe('0');
    client.destroy();
  });
});

describe('a flood over HTTP/2 ends its own connection only', () => {
  it('of streams that are reset at once', async () => {
    const clock = new FakeClock();
    let calls = 0;
    const fixture = await fixtures.start(() => (calls++, jsonResponse('{}')), { clock });
    const client = await RawHttp2.connect(fixture);
    client.send(settings());
    for (let stream = 1; stream < 20_000; stream += 2) {
      client.send(headersFrame(stream, { path: PATH, ...MASTER }), frame(RST_STREAM, 0, stream, Buffer.alloc(4)));
    }
    await client.frame(({ type }) => type === GOAWAY);
    expect(calls).toBeLessThan(3000);
    expect((await fixture.ask(PATH)).status).toBe(200);
    expect(fixture.server.load).toMatchObject({ reads: 0, mutating: 0, watches: 0 });
    await clock.advance(HEADERS_TIMEOUT_MS / 2);
    await clock.advance(HEADERS_TIMEOUT_MS);
    await client.end();
  });

  it('of continuations', async () => {
    const fixture = await start();
    const client = await RawHttp2.connect(fixture);
    client.send(settings(), frame(HEADERS, END_STREAM, 1, headerBlock({ path: PATH })));
    for (let index = 0; index < 5000; index++) {
      client.send(frame(CONTINUATION, 0, 1, field(`x-${index}`, 'y'.repeat(100))));
    }
    await client.end();
    expect((await fixture.ask(PATH)).status).toBe(200);
  });

  it('of DATA frames without data', async () => {
    const fixture = await start();
    const client = await RawHttp2.connect(fixture);
    client.send(settings(), frame(HEADERS, END_HEADERS, 1, headerBlock({ path: PATH, ...MASTER })));
    client.send(...Array.from({ length: 20_000 }, () => frame(DATA, 0, 1)));
    await client.end();
    expect((await fixture.ask(PATH)).status).toBe(200);
  });

  it('of pings or settings whose answers the client does not read', async () => {
    for (const one of [frame(PING, 0, 0, Buffer.alloc(8)), settings([4, 1])]) {
      const fixture = await start();
      const client = await RawHttp2.connect(fixture);
      client.send(settings());
      await client.frame(({ type, flags }) => type === SETTINGS && flags === ACK);
      client.socket.pause();
      const batch = Buffer.concat(Array.from({ length: 20_000 }, () => one));
      // Bounded, so that a server that takes everything fails the test.
      for (let sent = 0; sent < 500 && client.socket.writable; sent++) {
        client.socket.write(batch);
        await fixture.ask('/readyz');
        if (fixture.server.load.connections === 0) break;
      }
      await expect.poll(() => fixture.server.load.connections, { timeout: 20_000 }).toBe(0);
      client.destroy();
    }
  });
});

describe('frames of any kind', () => {
  it('never harm another connection, and their own does not stay', async () => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const one = fc.record({
      type: fc.integer({ min: 0, max: 11 }),
      flags: fc.constantFrom(0, 1, 4, 5, 8, 32, 255),
      stream: fc.constantFrom(0, 1, 2, 3, 5, 2 ** 31 - 1),
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constant(headerBlock({ path: `${PATH}?watch=1`, ...MASTER })),
        fc.constant(Buffer.from([0, 4, 0, 0, 0, 0])),
      ),
    });
    const sequences = fc.sample(fc.array(one, { minLength: 1, maxLength: 12 }), { numRuns: 150, seed: 9 });
    for (const frames of sequences) {
      const client = await RawHttp2.connect(fixture);
      client.send(
        settings(),
        ...frames.map(({ type, flags, stream, payload }) => frame(type, flags, stream, Buffer.from(payload))),
      );
      await Promise.race([client.end(), fixture.ask('/readyz')]);
      client.destroy();
    }
    expect((await fixture.ask(PATH)).status).toBe(200);
    expect(fixture.server.load).toMatchObject({ reads: 0, mutating: 0, watches: 0 });
    // After an error of the protocol Node reads no more, and does not notice that the client has gone.
    await clock.advance(HEADERS_TIMEOUT_MS / 2);
    await clock.advance(HEADERS_TIMEOUT_MS);
    await expect.poll(() => fixture.server.load.connections).toBe(0);
  });
});

describe('headers over HTTP/2 that are too many or too large', () => {
  it.each([
    ['1 000 fields', Buffer.concat(Array.from({ length: 1000 }, (_, index) => field(`x-${index}`, '')))],
    // One field of 4 000 bytes goes into the table; each byte that refers to it stands for all of it.
    [
      'a field of 4 000 bytes, repeated 4 000 times in 4 000 bytes',
      Buffer.concat([
        Buffer.concat([Buffer.from([0x40]), field('x', 'y'.repeat(4000)).subarray(1)]),
        Buffer.alloc(4000, 0x80 | 62),
      ]),
    ],
  ])('%s: the request is refused, the server goes on', async (_, extra) => {
    const fixture = await start();
    const client = await RawHttp2.connect(fixture);
    client.send(settings());
    await client.frame(({ type, flags }) => type === SETTINGS && flags === ACK);
    const block = Buffer.concat([headerBlock({ path: PATH, ...MASTER }), extra]);
    client.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, block.subarray(0, 16_000)));
    const refusal = await client.frame(({ type }) => type === RST_STREAM || type === GOAWAY || type === HEADERS);
    expect(refusal.type).not.toBe(HEADERS);
    expect((await fixture.ask(PATH)).status).toBe(200);
    client.destroy();
  });
});

describe('a WebSocket client', () => {
  it('that sends pings and does not read the answers does not fill the memory of the server', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const headers = { ...MASTER, origin: 'http://x' };
    const socket = new WebSocket(`wss://127.0.0.1:${fixture.port}${PATH}?watch=1`, { ca: fixture.ca, headers });
    socket.on('error', () => {});
    await once(socket, 'open');
    await sink;
    socket.pause();
    const data = Buffer.alloc(125);
    // Far more than the sockets of both sides hold.
    for (let batch = 0; batch < 40; batch++) {
      for (let index = 0; index < 5000; index++) socket.ping(data);
      await new Promise<void>((resolve) => {
        socket.ping(data, undefined, () => resolve());
      });
    }
    const { body } = await fixture.ask('/metrics');
    expect(Number(/^listwatch_unread_bytes (\d+)$/mu.exec(body)?.[1])).toBeLessThan(1024 * 1024);
    socket.terminate();
  });
});

describe('a TLS connection', () => {
  it('that is half closed by its client is closed when the answer is not read', async () => {
    const clock = new FakeClock();
    const fixture = await fixtures.start(() => jsonResponse(Buffer.alloc(16 * 1024 * 1024)), { clock });
    // Node's client would end its side when the server does.
    const plain = connectTcp({ host: '127.0.0.1', port: fixture.port, allowHalfOpen: true });
    const socket = connectTls({ host: '127.0.0.1', ca: fixture.ca, socket: plain });
    socket.on('error', () => {});
    socket.pause();
    socket.end(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${MASTER.authorization}\r\n\r\n`);
    await expect.poll(async () => (await fixture.ask('/metrics')).body).toMatch(/listwatch_unread_bytes [1-9]/u);
    await clock.advance(30_000 + 256_000);
    await expect.poll(() => fixture.server.load.connections).toBe(0);
    socket.destroy();
  });
});
