/** Serves the page to the tests, in front of a test server: what the console's door does, without its login. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConsoleSession } from '@listwatch/api/console';
import type { Cluster } from '@listwatch/client';
import { type ConsoleAssets, consoleAssets, PAGE_HEADERS } from '@listwatch/console';
import { WebSocketServer } from 'ws';
import type { FakeKubelet, HostAnswer } from './fake-kubelet.ts';
import { fakeHistory, fakeOverview, type KeptHistory } from './fake-overview.ts';

const ACCEPT_PROTOCOL = 'base64url.accept.listwatch.';

export interface ConsoleHost {
  readonly url: string;
  /** What `/console/session` answers; undefined: 401, and so for everything else. */
  session: ConsoleSession | undefined;
  /** Paths of API requests in the order in which they came. */
  readonly requests: string[];
  /** Answers of its own for paths that match, before the server is asked. */
  readonly answers: Map<RegExp, () => AsyncIterable<Uint8Array>>;
  /** Answers for logs of the Pods that it knows. */
  kubelet: FakeKubelet | undefined;
  /** Refuses connections and breaks those that are open, as a server that goes down. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  close(): Promise<void>;
}

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

const SESSION: ConsoleSession = {
  mode: 'server',
  write: true,
  watchOver: 'websocket',
  debug: true,
  serverVersion: 'v1.36.0',
  serverUrl: 'https://127.0.0.1:6443',
  user: 'test-admin',
  expiresAt: '2099-01-01T00:00:00Z',
};

/** Serves the page for a cluster. Without `history` it is one that tells nothing of its own. */
export async function startConsoleHost(cluster: Cluster, history?: KeptHistory): Promise<ConsoleHost> {
  const host = new TestHost(cluster, history);
  await host.comeUp();
  return host;
}

class TestHost implements ConsoleHost {
  session: ConsoleSession | undefined;
  readonly requests: string[] = [];
  readonly answers = new Map<RegExp, () => AsyncIterable<Uint8Array>>();
  kubelet: FakeKubelet | undefined;
  readonly #cluster: Cluster;
  readonly #history: KeptHistory | undefined;
  readonly #assets: ConsoleAssets = consoleAssets();
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'watch.listwatch' });
  #server: Server | undefined;
  #port = 0;
  readonly #open = new Set<Duplex>();

  constructor(cluster: Cluster, history: KeptHistory | undefined) {
    this.#cluster = cluster;
    this.#history = history;
    this.session = history === undefined ? { ...SESSION, debug: false, mode: 'cluster', context: 'real' } : SESSION;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/console/`;
  }

  async comeUp(): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.on('upgrade', (request, socket: Duplex, head: Buffer) => this.#upgrade(request, socket, head));
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const address = server.address();
    if (address !== null && typeof address === 'object') this.#port = address.port;
    this.#server = server;
  }

  async goDown(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#open) socket.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  close(): Promise<void> {
    return this.goDown();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const asset = this.#assets.get(path);
    if (asset !== undefined) {
      const type = { 'content-type': asset.contentType, 'content-encoding': 'gzip' };
      response.writeHead(200, { ...PAGE_HEADERS, ...type }).end(asset.gzip);
      return;
    }
    if (this.session === undefined) {
      response.writeHead(401).end();
      return;
    }
    if (path === '/console/session') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.session));
      return;
    }
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(Buffer.from(chunk));
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await this.#send(path, String(request.headers.accept), gone.signal, {
      method: request.method ?? 'GET',
      contentType: request.headers['content-type'],
      body: Buffer.concat(body),
    });
    response.writeHead(answer.status, { 'content-type': answer.contentType });
    response.flushHeaders();
    // As the door: what has not left the process would be lost with a cut.
    for await (const chunk of answer.body) await new Promise((done) => response.write(chunk, done));
    response.end();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(/, */u);
    const offered = protocols.find((name) => name.startsWith(ACCEPT_PROTOCOL))?.slice(ACCEPT_PROTOCOL.length);
    const accept = offered === undefined ? 'application/json' : Buffer.from(offered, 'base64url').toString();
    const gone = new AbortController();
    socket.on('close', () => gone.abort());
    socket.on('error', () => gone.abort());
    void (async () => {
      const answer = await this.#send(request.url ?? '/', accept, gone.signal);
      // A handshake that is refused is repeated over fetch, which shows why.
      if (answer.status !== 200) {
        socket.destroy();
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => {});
        void (async () => {
          try {
            for await (const chunk of answer.body) {
              if (client.readyState !== client.OPEN) return;
              client.send(chunk);
            }
            client.close(1000);
          } catch {
            client.terminate();
          }
        })();
      });
    })().catch(() => socket.destroy());
  }

  async #send(
    path: string,
    accept: string,
    signal: AbortSignal,
    more: { readonly method?: string; readonly contentType?: string | undefined; readonly body?: Buffer } = {},
  ): Promise<HostAnswer> {
    this.requests.push(path);
    const contentType = 'application/json';
    for (const [pattern, answer] of this.answers) {
      if (pattern.test(path)) return { status: 200, contentType, body: answer() };
    }
    if (this.#history !== undefined && path.startsWith('/debug/')) {
      const stream = path.startsWith('/debug/overview') ? fakeOverview : fakeHistory;
      return { status: 200, contentType, body: stream(this.#history, signal) };
    }
    const log = this.kubelet?.answer(path, signal);
    if (log !== undefined) return log;
    const { method = 'GET', body } = more;
    const answer = await this.#cluster.transport.send({
      method: METHODS.find((known) => known === method) ?? 'GET',
      path,
      headers: { accept, ...(more.contentType === undefined ? {} : { 'content-type': more.contentType }) },
      ...(body === undefined || body.length === 0 ? {} : { body }),
      signal,
      maxRetries: 0,
    });
    return { status: answer.status, contentType: answer.headers['content-type'] ?? contentType, body: answer.body };
  }
}
