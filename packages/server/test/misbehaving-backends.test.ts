/** Whatever a backend does to those who ask it, over whatever carries their requests: another user is answered meanwhile. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { TestAuthority } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { firstAuthenticator, parseTokenFile, tokenAuthenticator } from '../src/index.ts';
import { Backend, json } from './backend.fixture.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const WAIT = { timeout: 30_000, interval: 20 };
/** All that one backend may have, and more than the seats that the level of both users has. */
const NOISY = 10;
const PLACES = 20;
const TRICKLE_MS = 5;
const MAPS = '/api/v1/namespaces/default/configmaps';
const TOKENS = 'root-token,root,1,"system:masters"\neve-token,eve,2\nann-token,ann,3\n';
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
const CHUNK = Buffer.alloc(64 * 1024, 'x');

const things = (group: string): string => `/apis/${group}.example.com/v1/namespaces/default/things`;

const proxies = new TestAuthority('front-proxy-ca');
const client = proxies.client('/CN=front-proxy-client');
const bad = new Backend({ clientCa: proxies.ca, names: ['DNS:bad.default.svc'] });
const good = new Backend({ clientCa: proxies.ca, names: ['DNS:good.default.svc'] });
let target: TestServer;
const opened: { destroy(): unknown }[] = [];
const timers: NodeJS.Timeout[] = [];

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function handle(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: 'Bearer root-token', 'content-type': 'application/json' };
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const answer = await target.server.handle({ method, path, headers, body: sent }, {});
  let text = '';
  for await (const part of answer.body) text += Buffer.from(part).toString();
  return { status: answer.status, text };
}

/** The sum of the series that begin so. */
async function metric(begin: string): Promise<number> {
  const { text } = await handle('GET', '/metrics');
  const lines = text.split('\n').filter((one) => one.startsWith(begin));
  return lines.reduce((sum, one) => sum + Number(one.split(' ').at(-1)), 0);
}

async function rawConnection(): Promise<TLSSocket> {
  const { hostname, port } = new URL(target.url);
  const socket = connect({ host: hostname, port: Number(port), ca: target.ca, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined);
  opened.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

function session(): ClientHttp2Session {
  const made = connectHttp2(target.url, { ca: target.ca });
  made.on('error', () => undefined);
  opened.push(made);
  return made;
}

const UPGRADE = ['Connection: Upgrade', 'Upgrade: echo'];

function rawHead(method: string, path: string, user: string, more: readonly string[] = []): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${user}-token`, ...more].join('\r\n')}\r\n\r\n`;
}

/** Sends the requests of the noisy user; each status that she gets is told. */
type Carrier = (told: (status: number) => void) => Promise<void>;

async function overSockets(method: string, more: readonly string[], told: (status: number) => void): Promise<void> {
  for (let index = 0; index < NOISY; index += 1) {
    const socket = await rawConnection();
    socket.once('data', (data: Buffer) => told(Number(data.toString('latin1', 9, 12))));
    socket.resume();
    socket.write(rawHead(method, `${things('bad')}/x${more.length > 0 ? '/shell' : ''}`, 'eve', more));
  }
}

const CARRIERS: Readonly<Record<string, Carrier>> = {
  'HTTP/1.1': (told) => overSockets('GET', [], told),
  'HTTP/2': async (told) => {
    const one = session();
    for (let index = 0; index < NOISY; index += 1) {
      const stream = one.request({ ':path': `${things('bad')}/x`, authorization: 'Bearer eve-token' });
      stream.on('error', () => undefined).on('response', (headers) => told(Number(headers[':status'])));
      stream.resume();
    }
  },
  upgrades: (told) => overSockets('POST', UPGRADE, told),
};

function every(socket: Duplex, write: () => void): void {
  const timer = setInterval(write, TRICKLE_MS);
  timers.push(timer);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Duplex): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(CHUNK));
  };
  socket.on('drain', more);
  more();
}

/** What the backend does with the connection, and what the noisy user is told: nothing, or one status of these. */
interface Misbehaviour {
  readonly does: (socket: Duplex, isUpgrade: boolean, response?: ServerResponse) => void;
  readonly told: { readonly request: readonly number[]; readonly upgrade: readonly number[] };
}

const OPEN_BODY = 'HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n';
const nothing: Misbehaviour['told'] = { request: [], upgrade: [] };
const begins: Misbehaviour['told'] = { request: [200], upgrade: [101] };

const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  'never answers': { does: () => undefined, told: nothing },
  'dies at each request': { does: (socket) => socket.destroy(), told: { request: [503], upgrade: [503] } },
  'promises more than it sends': {
    does: (socket, isUpgrade) => void socket.write(isUpgrade ? SWITCHED : `${OPEN_BODY}short`),
    told: begins,
  },
  'sends more than it promised': {
    does: (socket) => void socket.write(`HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno${SWITCHED}`),
    told: { request: [404, 503], upgrade: [404, 503] },
  },
  redirects: {
    does: (socket) =>
      void socket.write('HTTP/1.1 302 Found\r\nlocation: https://169.254.169.254/\r\ncontent-length: 0\r\n\r\n'),
    told: { request: [502], upgrade: [503] },
  },
  'sends headers without end': {
    does: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        if (!socket.destroyed) socket.write('x-more: y\r\n'.repeat(1000), more);
      };
      more();
    },
    told: { request: [503], upgrade: [503] },
  },
  'sends a header, letter by letter, without end': {
    does: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-more: ');
      every(socket, () => socket.write('y'));
    },
    told: nothing,
  },
  'sends a body, letter by letter, without end': {
    does: (socket, isUpgrade) => {
      socket.write(isUpgrade ? SWITCHED : OPEN_BODY);
      every(socket, () => socket.write('y'));
    },
    told: begins,
  },
  'sends as fast as it is read, without end': {
    does: (socket, isUpgrade) => {
      socket.write(isUpgrade ? SWITCHED : OPEN_BODY);
      flood(socket);
    },
    told: begins,
  },
};

/** Asks all that a user may want, and gives what is not as it should be. */
async function quietUser(): Promise<readonly string[]> {
  const wrong: string[] = [];
  const one = session();
  const check = (what: string, status: number, wanted = 200): void => {
    if (status !== wanted) wrong.push(`${what}: ${status}`);
  };
  const http2 = async (method: string, path: string, body?: object): Promise<number> => {
    const authorization = 'Bearer ann-token';
    const type = { 'content-type': 'application/merge-patch+json' };
    const stream = one.request({ ':method': method, ':path': path, authorization, ...(body && type) });
    stream.end(body && JSON.stringify(body));
    const [headers] = await once(stream, 'response');
    await once(stream.resume(), 'end');
    return Number(headers[':status']);
  };
  const http1 = async (path: string): Promise<number> => {
    const socket = await rawConnection();
    socket.write(rawHead('GET', path, 'ann', ['Connection: close']));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return Number(text.slice(9, 12));
  };
  const watch = one.request({ ':path': `${MAPS}?watch=true`, authorization: 'Bearer ann-token' });
  const events: string[] = [];
  watch.on('data', (chunk: Buffer) => events.push(chunk.toString()));
  await once(watch, 'response');
  for (let round = 0; round < 2; round += 1) {
    check('patch', await http2('PATCH', `${MAPS}/a`, { data: { round: `${round} ${performance.now()}` } }));
    for (const path of [`${MAPS}/a`, MAPS, `${things('good')}/x`, '/apis']) {
      check(`HTTP/2 ${path}`, await http2('GET', path));
      check(`HTTP/1.1 ${path}`, await http1(path));
    }
  }
  await vi.waitFor(() => expect(events.join('').split('MODIFIED')).toHaveLength(3), WAIT);
  const echo = await rawConnection();
  echo.write(rawHead('POST', `${things('good')}/x/shell`, 'ann', UPGRADE));
  check('upgrade', Number(String((await once(echo, 'data'))[0]).slice(9, 12)), 101);
  echo.write('hello');
  expect(String((await once(echo, 'data'))[0])).toBe('hello');
  return wrong;
}

beforeAll(async () => {
  await Promise.all([bad.listen(), good.listen()]);
  target = await startTestServer(createMemoryEngine(), {
    aggregation: { proxyClient: () => client, proxyClientCa: proxies.ca, maxRequestsPerBackend: NOISY },
    authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile(TOKENS))]),
    authorization: 'AlwaysAllow',
    maxReadsInFlight: PLACES,
    maxMutatingInFlight: PLACES,
  });
  for (const [name, backend] of Object.entries({ bad, good })) {
    const service = { metadata: { name }, spec: { type: 'ExternalName', externalName: 'localhost' } };
    await handle('POST', '/api/v1/namespaces/default/services', service);
    await handle('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1.${name}.example.com` },
      spec: {
        group: `${name}.example.com`,
        version: 'v1',
        groupPriorityMinimum: 2000,
        versionPriority: 10,
        caBundle: backend.caBundle,
        service: { namespace: 'default', name, port: backend.port },
      },
    });
    await vi.waitFor(async () => expect((await handle('GET', things(name))).status).toBe(200), WAIT);
  }
  good.behaviour = (_, response) => json(response, {});
  good.upgrade = (_, socket) => {
    socket.write(SWITCHED);
    socket.pipe(socket);
  };
  await handle('POST', MAPS, { metadata: { name: 'a' } });
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.destroy();
  // Nothing is left of them: no place of a backend, no seat, and no connection of theirs.
  await vi.waitFor(async () => expect(await metric('listwatch_aggregated_requests ')).toBe(0), WAIT);
  await vi.waitFor(
    async () => expect(await metric('apiserver_flowcontrol_current_executing_seats{')).toBeLessThanOrEqual(1),
    WAIT,
  );
  for (const timer of timers.splice(0)) clearInterval(timer);
});
afterAll(async () => {
  await target[Symbol.asyncDispose]();
  await Promise.all([bad.close(), good.close()]);
  expect(target.unforeseen).toEqual([]);
});

describe.each(Object.entries(CARRIERS))('over %s, a backend', (name, carrier) => {
  it.each(Object.entries(MISBEHAVIOURS))('that %s costs another user nothing', async (_, { does, told }) => {
    let asked = 0;
    const connections = new Set<Duplex>();
    const meets = (socket: Duplex, isUpgrade: boolean): void => {
      asked += 1;
      connections.add(socket);
      socket.on('error', () => undefined).on('close', () => connections.delete(socket));
      does(socket, isUpgrade);
    };
    bad.behaviour = ({ socket }: IncomingMessage) => meets(socket, false);
    bad.upgrade = (_request, socket) => meets(socket, true);
    const statuses: number[] = [];
    await carrier((status) => statuses.push(status));
    const expected = name === 'upgrades' ? told.upgrade : told.request;
    await vi.waitFor(() => expect(asked).toBeGreaterThanOrEqual(NOISY), WAIT);
    if (expected.length > 0) await vi.waitFor(() => expect(statuses).toHaveLength(NOISY), WAIT);
    // Those that the backend keeps hold nothing that another user may need.
    const seats = 'apiserver_flowcontrol_current_executing_seats{priority_level="global-default"';
    await vi.waitFor(async () => expect(await metric(seats)).toBe(0), WAIT);
    expect(await quietUser()).toEqual([]);
    expect(expected).toEqual(expect.arrayContaining([...new Set(statuses)]));
    for (const one of opened.splice(0)) one.destroy();
    await vi.waitFor(() => expect(connections.size).toBe(0), WAIT);
  });
});
