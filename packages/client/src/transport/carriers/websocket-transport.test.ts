import type { Clock } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { TestAuthority } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import {
  describeTransport,
  get,
  reader,
  rejection,
  rest,
  type ScriptedExchange,
  type ScriptedServer,
  sending,
  startHttp1Server,
} from '@listwatch/conformance/transport';
import { Agent, WebSocket } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Transport } from '../transport.ts';
import { createHttp1Transport } from './http1-transport.ts';
import { createWebSocketTransport } from './websocket-transport.ts';

interface ConnectOptions {
  readonly server: string;
  readonly ca: string | undefined;
  readonly clock?: Clock | undefined;
  readonly maxBufferedBytes?: number | undefined;
  readonly offerAccept?: boolean | undefined;
}

/** The WebSocket of undici is that of browsers, but for the certificates and the origin that it is told. */
function connect({ server, ca, clock = new FakeClock(), ...more }: ConnectOptions): Transport {
  const next = createHttp1Transport({ server, clock, tls: { ca } });
  const dispatcher = new Agent({ connect: { ca: ca ?? '' } });
  const open = (url: string, protocols: readonly string[]): WebSocket =>
    new WebSocket(url, { protocols: [...protocols], dispatcher, headers: { origin: server } });
  return createWebSocketTransport({ server, next, clock, open, ...more });
}

function nth(server: ScriptedServer, index: number): Promise<ScriptedExchange> {
  return eventually(`exchange ${index} has come`, () => server.exchanges[index]);
}

describeTransport({
  name: 'websocket',
  capabilities: { protocol: 'websocket', backPressure: false, ping: false },
  connect,
});

describe('watches over WebSocket', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function start(more: Partial<ConnectOptions> = {}): Promise<{ server: ScriptedServer; transport: Transport }> {
    using authority = new TestAuthority();
    const server = await startHttp1Server({ ca: authority.ca, certificate: authority.server() });
    const transport = connect({ server: server.url, ca: server.ca, ...more });
    cleanups.push(
      () => server.close(),
      () => transport.close(),
    );
    return { server, transport };
  }

  it('a token travels as a subprotocol, beside the one that the server repeats', async () => {
    const { server, transport } = await start();
    const response = sending(transport, get('/pods?watch=1', { headers: { authorization: 'Bearer sécret' } }));
    const exchange = await nth(server, 0);
    const token = Buffer.from('sécret').toString('base64url');
    expect(exchange.headers['sec-websocket-protocol']).toBe(
      `base64url.bearer.authorization.k8s.io.${token}, watch.listwatch`,
    );
    expect(exchange.headers['authorization']).toBeUndefined();
    exchange.head(200);
    await response;
  });

  const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const offered = `base64url.accept.listwatch.${Buffer.from(TABLE).toString('base64url')}`;

  it.each([
    [{ accept: TABLE }, `${offered}, watch.listwatch`],
    [{ accept: TABLE, 'user-agent': 'a' }, `${offered}, watch.listwatch`],
    [
      { accept: TABLE, authorization: 'Bearer x' },
      `base64url.bearer.authorization.k8s.io.eA, ${offered}, watch.listwatch`,
    ],
    [{ accept: 'application/json' }, 'watch.listwatch'],
    [{}, 'watch.listwatch'],
  ])('with offerAccept a watch with the headers %j offers %s', async (headers, protocols) => {
    const { server, transport } = await start({ offerAccept: true });
    const response = sending(transport, get('/pods?watch=1', { headers }));
    const exchange = await nth(server, 0);
    expect(exchange.headers['sec-websocket-protocol']).toBe(protocols);
    exchange.head(200);
    await response;
  });

  it('with offerAccept a header that cannot be offered still goes in plain HTTP', async () => {
    const { server, transport } = await start({ offerAccept: true });
    const response = sending(
      transport,
      get('/pods?watch=1', { headers: { accept: TABLE, 'impersonate-user': 'bob' } }),
    );
    const exchange = await nth(server, 0);
    expect(exchange.headers).toMatchObject({ accept: TABLE, 'impersonate-user': 'bob' });
    expect(exchange.headers['upgrade']).toBeUndefined();
    exchange.head(200);
    exchange.end();
    await rest(await response);
  });

  it('a refused handshake is asked again in plain HTTP, which says why', async () => {
    const { server, transport } = await start();
    const response = sending(transport, get('/pods?watch=true'));
    (await nth(server, 0)).head(403);
    const plain = await nth(server, 1);
    expect(plain.headers['upgrade']).toBeUndefined();
    plain.head(410, { 'content-type': 'application/json' });
    void plain.write('{"reason":"Expired"}');
    plain.end();
    const answer = await response;
    expect([answer.status, await rest(answer)]).toEqual([410, '{"reason":"Expired"}']);
  });

  it.each([
    ['an impersonated user', { 'impersonate-user': 'bob' }],
    ['metadata alone', { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }],
    ['a password', { authorization: 'Basic eDp5' }],
  ])('%s cannot be asked for in a handshake, and goes in plain HTTP', async (_, headers) => {
    const { server, transport } = await start();
    const response = sending(transport, get('/pods?watch=true', { headers }));
    const exchange = await nth(server, 0);
    expect(exchange.headers['upgrade']).toBeUndefined();
    expect(exchange.headers).toMatchObject(headers);
    exchange.head(200);
    exchange.end();
    await rest(await response);
  });

  it('a reader that falls too far behind loses the watch instead of the memory', async () => {
    const { server, transport } = await start({ maxBufferedBytes: 1024 * 1024 });
    const response = sending(transport, get('/pods?watch=true'));
    const exchange = await nth(server, 0);
    exchange.head(200);
    const chunks = reader(await response);
    await exchange.write('first\n');
    await chunks.next();
    const line = `${'x'.repeat(65_535)}\n`;
    for (let i = 0; i < 64 && !exchange.closed; i += 1) void exchange.write(line).catch(() => {});
    await eventually('the server sees the end', () => exchange.closed);
    expect(await rejection(chunks.next())).toMatchObject({ code: 'CLOSED', message: expect.stringContaining('slow') });
  });
});
