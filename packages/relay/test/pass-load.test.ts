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
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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

async function read(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  body.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(body, 'end');
  return Buffer.concat(chunks);
}

function check(body: Buffer, sum: unknown, answer: Buffer): void {
  const digest = createHash('sha256').update(body).digest();
  expect(sum).toBe(digest.toString('hex'));
  expect(answer.equals(patterned(digest, body.length))).toBe(true);
}

const authority = new TestAuthority('upstream');
const plain = createHttpServer(mirror);
const secure = createHttpsServer(authority.server(), mirror);
const servers: PassingServer[] = [];

beforeAll(async () => {
  for (const server of [plain, secure]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  servers.push(
    await new PassingServer({ server: `http://127.0.0.1:${portOf(plain)}` }).listen(),
    await new PassingServer({
      server: `https://127.0.0.1:${portOf(secure)}`,
      tls: async () => ({ ca: authority.ca }),
    }).listen(),
  );
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  authority[Symbol.dispose]();
  plain.close();
  secure.close();
});

/** Connections of clients side by side, each with one request after another. */
async function load(ask: (body: Buffer, client: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, client) => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const [at] of SIZES.entries()) await ask(randomBytes(SIZES[(at + client) % SIZES.length] ?? 0), client);
      }
    }),
  );
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
    await load(async (body, client) => {
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
  await load(async (body) => {
    const stream = session.request({ ':method': 'POST', ':path': '/x' });
    stream.end(body);
    // From the beginning: an empty answer may end before who waited for its head goes on.
    const answer = read(stream);
    const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) =>
      stream.once('response', resolve).once('error', reject),
    );
    check(body, headers['x-sum'], await answer);
  });
  session.destroy();
  await vi.waitFor(() => expect(server.upstream.counts).toMatchObject({ open: 0, failed: 0 }), { timeout: 20_000 });
});

it('keeps connections to the upstream: many requests, few connections', async () => {
  const [server] = servers;
  if (server === undefined) return expect.unreachable();
  const { passed } = server.upstream.counts;
  let connections = 0;
  plain.on('connection', () => {
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
});
