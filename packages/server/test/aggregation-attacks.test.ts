/** What clients and backends can do to aggregation over real connections. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { TestAuthority } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Backend } from './backend.fixture.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const THINGS = '/apis/ext.example.com/v1/namespaces/default/things';
/** A request that would act for somebody else if the backend took it for one. */
const HIDDEN = `GET ${THINGS}/stolen HTTP/1.1\r\nHost: x\r\nX-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n\r\n`;
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

const proxies = new TestAuthority('front-proxy-ca');
const client = proxies.client('/CN=front-proxy-client');
const backend = new Backend({ clientCa: proxies.ca });
let target: TestServer;
const opened: { destroy(): unknown }[] = [];

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

async function send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const answer = await target.server.handle({ method, path, headers, body: sent }, {});
  let text = '';
  for await (const part of answer.body) text += Buffer.from(part).toString();
  return { status: answer.status, text };
}

/** A connection over which anything can be written. */
async function rawConnection(): Promise<TLSSocket> {
  const { hostname, port } = new URL(target.url);
  const socket = connect({ host: hostname, port: Number(port), ca: target.ca, ALPNProtocols: ['http/1.1'] });
  opened.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

async function rawRequest(method: string, headers: readonly string[], body = ''): Promise<string> {
  const socket = await rawConnection();
  const lines = [`${method} ${THINGS}/x HTTP/1.1`, 'Host: x', `Authorization: Bearer ${target.token}`, ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const [first] = await once(socket, 'data');
  return String(first).slice(0, 12);
}

/** Requests for things that the backend saw, with their bodies. */
interface SeenBody {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly framing: string;
}

function noteBodies(): readonly SeenBody[] {
  const seen: SeenBody[] = [];
  backend.behaviour = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
      const framing = `${length ?? '-'} ${encoding ?? '-'}`;
      const { method = '', url = '' } = request;
      seen.push({ method, url, body: Buffer.concat(chunks).toString(), framing });
      response.end('ok');
    });
  };
  return seen;
}

async function openRequests(): Promise<number> {
  const { text } = await send('GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith('listwatch_aggregated_requests '));
  return Number(line?.split(' ')[1]);
}

async function tunnel(): Promise<{ near: TLSSocket; far: Duplex }> {
  const arrived = new Promise<Duplex>((resolve) => {
    backend.upgrade = (_, socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      resolve(socket);
    };
  });
  const near = await rawConnection();
  near.on('error', () => undefined);
  near.write(
    `POST ${THINGS}/x/shell HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`,
  );
  expect(String((await once(near, 'data'))[0])).toMatch(/^HTTP\/1\.1 101 /u);
  return { near, far: await arrived };
}

beforeAll(async () => {
  await backend.listen();
  target = await startTestServer(createMemoryEngine(), {
    aggregation: { proxyClient: () => client, proxyClientCa: proxies.ca },
  });
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await send('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'ext' }, spec });
  await send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.ext.example.com' },
    spec: {
      group: 'ext.example.com',
      version: 'v1',
      groupPriorityMinimum: 2000,
      versionPriority: 10,
      caBundle: backend.caBundle,
      service: { namespace: 'default', name: 'ext', port: backend.port },
    },
  });
  noteBodies();
  await vi.waitFor(async () => expect((await send('GET', THINGS)).status).toBe(200), WAIT);
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.destroy();
  await vi.waitFor(async () => expect(await openRequests()).toBe(0), WAIT);
});
afterAll(async () => {
  await target[Symbol.asyncDispose]();
  await backend.close();
  expect(target.unforeseen).toEqual([]);
});

describe('the body of a proxied request', () => {
  it.each(['DELETE', 'GET', 'OPTIONS', 'POST'])(
    'is never taken for another request, whatever the %s says of its length',
    async (method) => {
      const seen = noteBodies();
      const chunk = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
      expect(await rawRequest(method, ['Transfer-Encoding: chunked'], chunk)).toBe('HTTP/1.1 200');
      // A header that `Connection` names is about the connection, and goes no further.
      const length = ['Connection: content-length', `Content-Length: ${HIDDEN.length}`];
      expect(await rawRequest(method, length, HIDDEN)).toBe('HTTP/1.1 200');
      const whole = { method, url: `${THINGS}/x`, body: HIDDEN };
      expect(seen).toEqual([
        { ...whole, framing: '- chunked' },
        { ...whole, framing: `${HIDDEN.length} -` },
      ]);
    },
  );

  it('is never taken for another request when HTTP/2 does not tell its length', async () => {
    const seen = noteBodies();
    const session = connectHttp2(target.url, { ca: target.ca });
    opened.push(session);
    const head = { ':method': 'DELETE', ':path': `${THINGS}/x`, authorization: `Bearer ${target.token}` };
    const whole = session.request(head, { endStream: false });
    whole.resume().end(HIDDEN);
    await once(whole, 'end');
    expect(seen).toEqual([{ method: 'DELETE', url: `${THINGS}/x`, body: HIDDEN, framing: '- chunked' }]);
  });

  it('is none when the client sends none', async () => {
    const seen = noteBodies();
    for (const method of ['POST', 'DELETE', 'PUT', 'GET']) await rawRequest(method, []);
    const session = connectHttp2(target.url, { ca: target.ca });
    opened.push(session);
    for (const method of ['DELETE', 'POST']) {
      const head = { ':method': method, ':path': `${THINGS}/x`, authorization: `Bearer ${target.token}` };
      const request = session.request(head, { endStream: true });
      request.resume();
      await once(request, 'end');
    }
    const framings = seen.map(({ method, body, framing }) => `${method} ${framing} ${body}`);
    expect(framings).toEqual(['POST 0 - ', 'DELETE - - ', 'PUT 0 - ', 'GET - - ', 'DELETE - - ', 'POST 0 - ']);
  });
});

describe('a changed protocol', () => {
  it('carries nothing that neither side has written', async () => {
    const { near, far } = await tunnel();
    near.write('first');
    // Not the end of a chunked body, as Node ends a POST without a length.
    expect(String((await once(far, 'data'))[0])).toBe('first');
  });

  it('ends on both sides when one of them ends its half', async () => {
    const one = await tunnel();
    const farClosed = once(one.far.resume(), 'close');
    one.near.resume().end();
    await farClosed;
    const other = await tunnel();
    const nearClosed = once(other.near.resume(), 'close');
    other.far.resume().end();
    await nearClosed;
    await vi.waitFor(async () => expect(await openRequests()).toBe(0), WAIT);
  });
});

describe('a backend', () => {
  it('that answers without end is read no faster than the client takes it, and is cut when the client goes', async () => {
    let written = 0;
    let isCut = false;
    backend.behaviour = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.on('close', () => {
        isCut = true;
      });
      const more = (): void => {
        if (response.destroyed) return;
        written += MEGABYTE.length;
        response.write(MEGABYTE, more);
      };
      more();
    };
    const socket = await rawConnection();
    socket.pause();
    socket.write(`GET ${THINGS}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\n\r\n`);
    let before = -1;
    await vi.waitFor(async () => {
      const since = written;
      await sleep(100);
      const isStill = since > 0 && since === written && since === before;
      before = since;
      expect(isStill).toBe(true);
    }, WAIT);
    // The buffers of the system for two connections, and a chunk in each process.
    expect(written).toBeLessThan(64 * MEGABYTE.length);
    socket.destroy();
    await vi.waitFor(() => expect(isCut).toBe(true), WAIT);
  });

  it('that writes its answer byte by byte holds no seat and no place of the server', async () => {
    const text = `HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc`;
    const waiting: (() => void)[] = [];
    backend.behaviour = ({ socket }) => {
      let at = 0;
      const more = (): void => {
        socket.write(text.charAt(at));
        at += 1;
        if (at < text.length) waiting.push(more);
      };
      more();
    };
    const answers = Array.from({ length: 30 }, () => send('GET', `${THINGS}/x`));
    await vi.waitFor(() => expect(waiting).toHaveLength(30), WAIT);
    const { text: metrics } = await send('GET', '/metrics');
    const held = metrics.split('\n').find((one) => one.startsWith('listwatch_aggregated_requests '));
    expect(held).toBe('listwatch_aggregated_requests 30');
    const seats = metrics
      .split('\n')
      .filter((one) => one.startsWith('apiserver_flowcontrol_current_executing_seats'))
      .reduce((sum, one) => sum + Number(one.split(' ').at(-1)), 0);
    // That of the metrics themselves.
    expect(seats).toBeLessThanOrEqual(1);
    while (waiting.length > 0) {
      for (const more of waiting.splice(0)) more();
      await new Promise(setImmediate);
    }
    const got = await Promise.all(answers);
    expect(new Set(got.map(({ text: one }) => one))).toEqual(new Set(['abc']));
  });
});
