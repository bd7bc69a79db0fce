import { TestAuthority, type TestCertificatePair } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { reader, rest } from '@listwatch/conformance/transport';
import { type ApiServer, createApiServer, firstAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transport } from '../transport.ts';
import { createHttp1Transport } from './http1-transport.ts';
import { createHttp2Transport } from './http2-transport.ts';
import { nodeWebSocket } from './node-websocket.ts';
import { createWebSocketTransport } from './websocket-transport.ts';

let server: ApiServer;
let settings: { readonly server: string; readonly tls: { readonly ca: string } };
const engine = createMemoryEngine();
const headers = { authorization: 'Bearer secret', accept: 'application/json' };
const path = '/api/v1/namespaces/default/configmaps';

beforeAll(async () => {
  using authority = new TestAuthority();
  const tls: TestCertificatePair = authority.server();
  server = createApiServer({
    engine,
    tls,
    authenticator: firstAuthenticator([
      { authenticate: ({ token }) => (token === 'secret' ? { name: 'me', groups: ['system:masters'] } : undefined) },
    ]),
  });
  await server.listen();
  settings = { server: server.url ?? '', tls: { ca: authority.ca } };
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

describe.each<[string, () => Transport]>([
  ['http/1.1', () => createHttp1Transport(settings)],
  ['http/2', () => createHttp2Transport(settings)],
  [
    'websocket',
    () =>
      createWebSocketTransport({ ...settings, next: createHttp1Transport(settings), open: nodeWebSocket(settings) }),
  ],
])('our own server over %s', (name, connect) => {
  it('writes, lists, watches, and is refused with the Status', async () => {
    await using transport = connect();
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `over-${name.replace('/', '-')}` } };
    const watch = await transport.send({ method: 'GET', path: `${path}?watch=true`, headers });
    expect([watch.status, watch.headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/json/u)]);
    let frames = '';
    const chunks = reader(watch);
    const reading = (async () => {
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        frames += Buffer.from(next.value).toString();
      }
    })();
    const created = await transport.send({
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(object)),
    });
    expect([created.status, JSON.parse(await rest(created)).metadata.name]).toEqual([201, object.metadata.name]);
    await eventually('the event arrives', () => frames.includes(`"name":"${object.metadata.name}"`));
    await chunks.return?.();
    await reading;
    const refused = await transport.send({
      method: 'GET',
      path: `${path}?watch=true`,
      headers: { authorization: 'Bearer wrong' },
    });
    expect([refused.status, JSON.parse(await rest(refused)).reason]).toEqual([401, 'Unauthorized']);
    const none = await transport.send({ method: 'GET', path: '/api/v1/nothings?watch=true', headers });
    expect(none.status).toBe(404);
    await rest(none);
  });
});
