import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  type ClientRequest,
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { createServer as createHttpsServer, request as requestHttps, Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { TestAuthority } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, expect, it, onTestFailed, vi } from 'vitest';
import { PassingServer, portOf } from './passing-server.fixture.ts';

/** Small and large in turn, so that what one leaves behind on a connection meets another. */
const SIZES = [0, 1, 100, 16_384, 65_536, 3, 1_000_000, 0, 65_537, 10, 300_000, 2];
const ROUNDS = 2;
const AT_ONCE = 4;

/** Answers a body with as many bytes, which are a function of its hash; the hash stands in a header. */
function mirror(request: IncomingMessage, response: ServerResponse): void {
  const hash = createHash('sha256');
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  request.on('end', () => {
    const digest = hash.digest();
    response.writeHead(200, {
      'x-sum': digest.toString('hex'),
      ...(bytes % 2 === 0 ? { 'content-length': bytes } : {}),
    });
    response.end(patterned(digest, bytes));
  });
}

function patterned(seed: Buffer, bytes: number): Buffer {
  return Buffer.alloc(bytes, seed);
}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));
}

/** Rejects when the body closes before its end: a stream that is cancelled reports no error, and who waits for `end` would wait for ever. */
function read(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.once('end', () => resolve(Buffer.concat(chunks)));
    body.once('error', reject);
    body.once('close', () => reject(new Error(`an answer was closed after ${Buffer.concat(chunks).length} bytes`)));
  });
}

function check(body: Buffer, sum: unknown, answer: Buffer): void {
  const digest = createHash('sha256').update(body).digest();
  expect(sum).toBe(digest.toString('hex'));
  expect(answer.equals(patterned(digest, body.length))).toBe(true);
}

const authority = new TestAuthority('upstream');
/** Without a limit: on a busy machine it would close a connection at the moment at which a body is sent on it. */
const keepAliveTimeout = 0;
const plain = createHttpServer({ keepAliveTimeout }, mirror);
const secure = createHttpsServer({ ...authority.server(), keepAliveTimeout }, mirror);
const servers: PassingServer[] = [];

beforeAll(async () => {
  for (const server of [plain, secure]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  // The same object: another one would mean another trust, and connections that are not kept.
  const tls = { ca: authority.ca };
  servers.push(
    await new PassingServer({ server: `http://127.0.0.1:${portOf(plain)}` }).listen(),
    await new PassingServer({ server: `https://127.0.0.1:${portOf(secure)}`, tls: async () => tls }).listen(),
  );
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  authority[Symbol.dispose]();
  plain.close();
  secure.close();
});

/** Connections of clients side by side, each with one request after another. A test that fails tells where each of them was. */
async function load(server: PassingServer, ask: (body: Buffer, client: number) => Promise<void>): Promise<void> {
  const under: string[] = [];
  onTestFailed(() => {
    const { counts } = server.upstream;
    process.stderr.write(`under way: ${under.join('; ')}; ${JSON.stringify(counts)}; ${server.errors.join('; ')}\n`);
  });
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, client) => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const [at] of SIZES.entries()) {
          const size = SIZES[(at + client) % SIZES.length] ?? 0;
          under[client] = `${size} bytes in round ${round}`;
          await ask(randomBytes(size), client);
          under[client] = 'none';
        }
      }
    }),
  );
  expect(server.errors).toEqual([]);
}

const UPSTREAMS = [
  ['without TLS', 0],
  ['with TLS', 1],
] as const;

it.each(UPSTREAMS)(
  'bodies of all sizes on kept connections of HTTP/1.1 come through whole, upstream %s',
  async (_, which) => {
    const server = servers[which];
    if (server === undefined) return expect.unreachable();
    const agents = Array.from({ length: AT_ONCE }, (__, at) =>
      at % 2 === 0
        ? new PlainAgent({ keepAlive: true, maxSockets: 1 })
        : new TlsAgent({ keepAlive: true, maxSockets: 1, ca: server.ca }),
    );
    await load(server, async (body, client) => {
      const agent = agents[client];
      const isTls = agent instanceof TlsAgent;
      const [request, port] = isTls ? [requestHttps, server.tlsPort] : [requestHttp, server.plainPort];
      // Chunks for the odd sizes.
      const headers = body.length % 2 === 0 ? { 'content-length': body.length } : {};
      const sent = request({ host: '127.0.0.1', port, agent, method: 'POST', path: '/x', headers });
      sent.end(body);
      const answer = await answerOf(sent);
      check(body, answer.headers['x-sum'], await read(answer));
    });
    for (const agent of agents) agent.destroy();
    await vi.waitFor(() => expect(server.upstream.counts).toMatchObject({ open: 0, failed: 0 }), { timeout: 20_000 });
  },
);

it.each(UPSTREAMS)('the same over HTTP/2, streams side by side, upstream %s', async (_, which) => {
  const server = servers[which];
  if (server === undefined) return expect.unreachable();
  const session = connectHttp2(`https://127.0.0.1:${server.tlsPort}`, { ca: server.ca });
  await load(server, async (body) => {
    const stream = session.request({ ':method': 'POST', ':path': '/x' });
    stream.end(body);
    // Both from the beginning: an empty answer may end before who waited for its head goes on.
    const head = new Promise<IncomingHttpHeaders>((resolve) => stream.once('response', resolve));
    const [headers, answer] = await Promise.all([head, read(stream)]);
    check(body, headers['x-sum'], answer);
  });
  session.destroy();
  await vi.waitFor(() => expect(server.upstream.counts).toMatchObject({ open: 0, failed: 0 }), { timeout: 20_000 });
});

it.each([
  ['without TLS', 0, plain, 'connection'],
  ['with TLS', 1, secure, 'secureConnection'],
] as const)(
  'keeps connections to the upstream %s: many requests, few connections',
  async (_, which, upstream, event) => {
    const server = servers[which];
    if (server === undefined) return expect.unreachable();
    const { passed } = server.upstream.counts;
    let connections = 0;
    upstream.on(event, () => {
      connections += 1;
    });
    const agent = new PlainAgent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; count < 50; count++) {
      const sent = requestHttp({ host: '127.0.0.1', port: server.plainPort, agent, path: '/x' }).end();
      const answer = await answerOf(sent);
      await read(answer);
    }
    agent.destroy();
    expect(server.upstream.counts.passed - passed).toBe(50);
    expect(connections).toBeLessThanOrEqual(1);
  },
);
