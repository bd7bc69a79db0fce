/** A door in front of a real server in this process, and a browser whose headers the test chooses. */

import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { FakeClock } from '@listwatch/api/fake-clock';
import type { ConsoleAssets } from '@listwatch/console';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { WebSocket } from 'ws';
import { type ConsoleDoor, openConsoleDoor } from './console-door.ts';
import { serverUpstream } from './console-upstream.ts';
import type { ConsoleDoorOptions } from './door-parts.ts';

const FILE = {
  body: Buffer.from('<!doctype html><head></head>'),
  gzip: Buffer.from('gzipped'),
  contentType: 'text/html',
};

/** A page of two files. */
const ASSETS: ConsoleAssets = new Map([
  ['/console/', { ...FILE, etag: '"page"', immutable: false }],
  ['/console/assets/a-1.js', { ...FILE, contentType: 'text/javascript', etag: '"a"', immutable: true }],
]);

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An open door, its server and its clock. */
export class TestDoor implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly server: ApiServer;
  readonly errors: unknown[];
  readonly door: ConsoleDoor;
  cookie = '';
  key = '';
  /** What came over all WebSockets. */
  readonly messages: string[] = [];

  constructor(parts: Pick<TestDoor, 'clock' | 'door' | 'errors' | 'server'>) {
    this.clock = parts.clock;
    this.server = parts.server;
    this.errors = parts.errors;
    this.door = parts.door;
  }

  get host(): string {
    return new URL(this.door.url).host;
  }

  /** The headers of the page's own requests. */
  get own(): Record<string, string> {
    const { cookie, key, door } = this;
    return { cookie, authorization: `Bearer ${key}`, origin: door.url, 'sec-fetch-site': 'same-origin' };
  }

  /** Sends a request; its target is not changed. */
  async send(target: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
    const { hostname, port } = new URL(this.door.url);
    const sent = request({
      hostname,
      port,
      path: target,
      method,
      headers: { host: this.host, ...headers },
      agent: false,
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode, headers: response.headers, text };
  }

  /** Opens a new link, as a browser does that was given it by a terminal. */
  async login(): Promise<Answer> {
    const answer = await this.send(this.newTarget());
    this.cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    this.key = keyIn(answer.text);
    return answer;
  }

  /** The path of a new link. */
  newTarget(): string {
    return this.door.link().slice(this.door.url.length);
  }

  /** A WebSocket as the page opens one. Resolves with it, or with the status of the refusal. */
  socket(
    target: string,
    { authorization, ...headers }: Record<string, string>,
    protocols = ['watch.listwatch'],
  ): Promise<WebSocket | number> {
    const key = authorization === undefined ? [] : [keyProtocol(authorization.replace('Bearer ', ''))];
    const client = new WebSocket(this.door.url.replace('http', 'ws') + target, [...key, ...protocols], { headers });
    client.on('message', (data) => this.messages.push(Buffer.isBuffer(data) ? data.toString() : ''));
    return new Promise((resolve, reject) => {
      client.on('open', () => resolve(client));
      client.on('unexpected-response', (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      client.on('error', reject);
    });
  }

  /** Writes bytes and gives back all that comes until the door closes the connection. */
  async raw(text: string): Promise<string> {
    const { hostname, port } = new URL(this.door.url);
    const socket = connect(Number(port), hostname);
    socket.end(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.door.close();
    await this.server.close();
  }
}

/** As browsers send a key with a handshake. */
export function keyProtocol(key: string): string {
  return `base64url.bearer.authorization.k8s.io.${Buffer.from(key).toString('base64url')}`;
}

/** The key in the page that answers a login. */
export function keyIn(page: string): string {
  return /<meta name="listwatch-key" content="([\w-]{43})">/u.exec(page)?.[1] ?? '';
}

const USER = { name: 'listwatch-console', groups: ['system:masters'] };

/** Opens one. */
export async function openTestDoor(options: Partial<ConsoleDoorOptions> = {}): Promise<TestDoor> {
  const clock = new FakeClock({ now: Date.UTC(2026, 0, 1) });
  const errors: unknown[] = [];
  const server = createApiServer({ engine: createMemoryEngine() });
  await server.start();
  const door = await openConsoleDoor({
    address: '127.0.0.1',
    port: 0,
    upstream: serverUpstream(server, USER),
    assets: () => ASSETS,
    facts: { mode: 'server', serverUrl: 'https://127.0.0.1:6443', user: USER.name },
    access: 'read',
    secret: Buffer.alloc(32, 7),
    clock,
    onError: (error) => errors.push(error),
    ...options,
  });
  return new TestDoor({ clock, server, errors, door });
}
