import { once } from 'node:events';
import { notFound } from '@listwatch/api';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { deferred, eventFrame, type Fixture, Fixtures, heldWatch, jsonResponse, MASTER } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const WATCH = '/api/v1/configmaps?watch=1';
const ORIGIN = { origin: 'https://console' } as const;

function open(fixture: Fixture, headers: Readonly<Record<string, string>>, protocols: string[] = []): WebSocket {
  return new WebSocket(`wss://localhost:${fixture.port}${WATCH}`, protocols, { ca: fixture.ca, headers });
}

async function refusal(socket: WebSocket): Promise<readonly [number, string]> {
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return [response.statusCode, Buffer.concat(chunks).toString()];
}

describe('a watch over a WebSocket', () => {
  it('is one text message for each event, and a normal closure', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start((request) => {
      expect(request.protocol).toBe('websocket');
      return response;
    });
    const socket = open(fixture, { ...MASTER, ...ORIGIN }, ['k8s.example']);
    const messages: unknown[] = [];
    socket.on('message', (data: Buffer, isBinary) => messages.push([data.toString(), isBinary]));
    const watch = await sink;
    watch.write([eventFrame('a'), eventFrame('b', 200), eventFrame('c', 70_000)]);
    watch.end();
    const [code] = await once(socket, 'close');
    expect(code).toBe(1000);
    expect(socket.protocol).toBe('k8s.example');
    expect(messages).toEqual(
      [eventFrame('a'), eventFrame('b', 200), eventFrame('c', 70_000)].map((frame) => [frame.toString(), false]),
    );
    expect(fixture.server.load.watches).toBe(0);
  });

  it('answers pings, throws away what the client says, and notices when it leaves', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const socket = open(fixture, { ...MASTER, ...ORIGIN });
    const watch = await sink;
    const gone = deferred();
    watch.onClose(() => gone.resolve());
    if (socket.readyState !== WebSocket.OPEN) await once(socket, 'open');
    socket.send('hello');
    socket.ping('p');
    expect(String((await once(socket, 'pong'))[0])).toBe('p');
    socket.terminate();
    await gone.promise;
    await expect.poll(() => fixture.server.load).toMatchObject({ watches: 0, connections: 0 });
  });

  it('takes its token from the subprotocols and does not repeat it', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('master-token').toString('base64url')}`;
    const socket = open(fixture, ORIGIN, [token, 'x']);
    (await sink).end();
    await once(socket, 'close');
    expect(socket.protocol).toBe('x');
  });
});

describe('a WebSocket is refused', () => {
  it('with a bare 403 when it has no origin', async () => {
    const fixture = await fixtures.start(() => heldWatch().response);
    expect(await refusal(open(fixture, MASTER))).toEqual([403, '']);
  });

  it('with a bare 400 when it offers two subprotocols', async () => {
    const fixture = await fixtures.start(() => heldWatch().response);
    expect(await refusal(open(fixture, { ...MASTER, ...ORIGIN }, ['a', 'b']))).toEqual([400, '']);
  });

  it('with a Status when the token is wrong, the user may not, or the API fails', async () => {
    const fixture = await fixtures.start(() => {
      throw notFound({ group: '', plural: 'configmaps' }, 'x');
    });
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('wrong').toString('base64url')}`;
    for (const [headers, protocols, code] of [
      [ORIGIN, [token, 'x'], 401],
      [{ ...ORIGIN, authorization: 'Bearer plain-token' }, [], 403],
      [{ ...ORIGIN, ...MASTER }, [], 404],
    ] as const) {
      const [status, body] = await refusal(open(fixture, headers, [...protocols]));
      expect([status, JSON.parse(body)]).toMatchObject([code, { kind: 'Status', code }]);
    }
  });

  it('by a plain answer when what it asked for is no watch', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{"items":[]}'));
    expect(await refusal(open(fixture, { ...MASTER, ...ORIGIN }))).toEqual([200, '{"items":[]}']);
  });
});

describe('another protocol in an upgrade', () => {
  it('is declined, and the request answered', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const headers = { ...MASTER, connection: 'Upgrade', upgrade: 'h2c' };
    expect(await fixture.ask('/api/v1/pods', { headers })).toMatchObject({ status: 200, body: '{}' });
  });

  it('with a body is a bad request', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const headers = { ...MASTER, connection: 'Upgrade', upgrade: 'h2c', 'content-length': '2' };
    expect((await fixture.ask('/api/v1/pods', { method: 'POST', headers, body: '{}' })).status).toBe(400);
  });
});
