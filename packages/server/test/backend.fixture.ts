/** A backend of an APIService: a small HTTPS server that can also misbehave. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { TestAuthority } from '@listwatch/conformance/parts';

/** A request as the backend saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case; values of a repeated header in their order. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The common name of the client certificate. */
  readonly client: string;
  readonly serverName: string;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers discovery by itself; everything else as the test says. */
export class Backend implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly ca: string;
  readonly #sockets = new Set<Socket>();
  readonly #server: ReturnType<typeof createServer>;
  /** Answers requests for resources. */
  behaviour: Behaviour = (_, response) => json(response, { kind: 'Status', status: 'Success' });
  /** Answers `/apis/GROUP/VERSION`. */
  discovery: Behaviour = (_, response) => json(response, RESOURCES);
  /** Answers all other documents. */
  documents: Behaviour = (_, response) => response.writeHead(404).end();
  upgrade: (request: IncomingMessage, socket: Duplex) => void = (_, socket) => socket.destroy();

  constructor({ clientCa, names = ['DNS:ext.default.svc'] }: { clientCa: string; names?: readonly `DNS:${string}`[] }) {
    using authority = new TestAuthority('backend-authority');
    this.ca = authority.ca;
    this.#server = createServer({
      ...authority.server(names),
      ca: clientCa,
      requestCert: true,
      rejectUnauthorized: false,
    });
    this.#server.on('request', (request, response) => {
      this.#note(request);
      const { pathname } = new URL(request.url ?? '', 'https://backend');
      const parts = pathname.split('/').filter(Boolean);
      if (parts[0] !== 'apis' || parts.length < 3) return this.documents(request, response);
      return parts.length === 3 ? this.discovery(request, response) : this.behaviour(request, response);
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      this.#note(request);
      this.upgrade(request, socket);
    });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('tlsClientError', () => undefined);
  }

  get port(): number {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    return (this.#server.address() as AddressInfo).port;
  }

  get caBundle(): string {
    return Buffer.from(this.ca).toString('base64');
  }

  /** The last request for a resource. */
  get last(): SeenRequest | undefined {
    return this.seen.filter(({ url }) => url.split('/').length > 4).at(-1);
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #note(request: IncomingMessage): void {
    const { socket, method = '', url = '' } = request;
    const secure = socket instanceof TLSSocket ? socket : undefined;
    const headers: Record<string, string[]> = {};
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      (headers[(request.rawHeaders[index] ?? '').toLowerCase()] ??= []).push(request.rawHeaders[index + 1] ?? '');
    }
    const { CN: client = '' } = secure?.getPeerCertificate().subject ?? {};
    this.seen.push({ method, url, headers, client: String(client), serverName: String(secure?.servername ?? '') });
  }
}

export function json(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'ext.example.com/v1',
  resources: [
    { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list', 'watch'] },
    { name: 'things/shell', singularName: '', namespaced: true, kind: 'Thing', verbs: ['create'] },
  ],
};
