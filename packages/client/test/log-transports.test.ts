import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer, type Http2ServerResponse } from 'node:http2';
import { TestAuthority } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { Agent, fetch } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, createCluster, createFetchTransport, podLogs, type Transport } from '../src/index.ts';
import { createHttp1Transport } from '../src/transport/carriers/http1-transport.ts';
import { createHttp2Transport } from '../src/transport/carriers/http2-transport.ts';

/** An answer that the test writes. */
interface Answer {
  readonly response: Http2ServerResponse;
  readonly path: string;
  isClosed: boolean;
}

let server: Http2SecureServer;
let url: string;
let ca: string;
const answers: Answer[] = [];
const cleanup: (() => Promise<void>)[] = [];

beforeAll(async () => {
  using authority = new TestAuthority();
  ca = authority.ca;
  server = createSecureServer({ ...authority.server(), allowHTTP1: true }, (request, response) => {
    const answer: Answer = { response, path: request.url, isClosed: false };
    answers.push(answer);
    response.on('close', () => {
      answer.isClosed = true;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterEach(async () => {
  for (const work of cleanup.splice(0)) await work();
  answers.length = 0;
});

afterAll(() => {
  server.close();
});

function fetchTransport(): Transport {
  const dispatcher = new Agent({ connect: { ca } });
  cleanup.push(() => dispatcher.destroy());
  return createFetchTransport({ server: url, fetch: (address, init) => fetch(address, { ...init, dispatcher }) });
}

/** The next request, once it has come. */
async function nextAnswer(): Promise<Answer> {
  await eventually('the request has come', () => answers.length > 0);
  return answers.at(-1) ?? expect.unreachable();
}

describe.each<[string, () => Transport]>([
  ['http/1.1', () => createHttp1Transport({ server: url, tls: { ca } })],
  ['http/2', () => createHttp2Transport({ server: url, tls: { ca } })],
  ['fetch', fetchTransport],
])('logs over %s', (_, transport) => {
  function connected(): Cluster {
    const cluster = createCluster(transport(), { server: url });
    cleanup.unshift(() => cluster.close());
    return cluster;
  }

  it('come line by line as they are written, and end with the container', async () => {
    const lines = podLogs(connected(), { name: 'a' }, { follow: true }).lines()[Symbol.asyncIterator]();
    const first = lines.next();
    const { response } = await nextAnswer();
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('one\ntw');
    expect((await first).value).toBe('one');
    const second = lines.next();
    response.write('o\nthree');
    expect((await second).value).toBe('two');
    response.end();
    expect((await lines.next()).value).toBe('three');
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  });

  it('are closed on the server when the reader leaves', async () => {
    const reading = (async () => {
      for await (const line of podLogs(connected(), { name: 'a' }, { follow: true }).lines()) return line;
      return undefined;
    })();
    const answer = await nextAnswer();
    answer.response.writeHead(200, { 'content-type': 'text/plain' });
    answer.response.write('one\n');
    expect(await reading).toBe('one');
    await eventually('the answer is closed', () => answer.isClosed);
  });

  it('are closed on the server when the signal ends a wait for the first line', async () => {
    const stop = new AbortController();
    const lines = podLogs(connected(), { name: 'a' }, { follow: true, signal: stop.signal }).lines();
    const first = lines[Symbol.asyncIterator]().next();
    const answer = await nextAnswer();
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await eventually('the answer is closed', () => answer.isClosed);
  });
});
