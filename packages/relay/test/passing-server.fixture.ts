/** A server on real sockets that passes every request on, and upstreams of every kind. No test itself, and not shipped. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { backgroundClock, StatusError } from '@listwatch/api';
import { TestAuthority } from '@listwatch/conformance/parts';
import { failureResponse, type IncomingRequest, type Reply } from '@listwatch/server/internal';
import { Http1Endpoint } from '../../server/src/wire/http1-endpoint.ts';
import { Http2Endpoint } from '../../server/src/wire/http2/http2-endpoint.ts';
import { createUpstream, type UpstreamOptions, type UpstreamServer } from '../src/pass/upstream.ts';

/** Listens without TLS for HTTP/1.1, and with TLS for both. */
export class PassingServer implements AsyncDisposable {
  readonly upstream: UpstreamServer;
  readonly errors: unknown[] = [];
  readonly ca: string;
  plainPort = 0;
  tlsPort = 0;
  readonly #sockets = new Set<Socket>();
  readonly #http1: Http1Endpoint;
  readonly #http2: Http2Endpoint;
  readonly #tls: Server;

  constructor(options: UpstreamOptions) {
    this.upstream = createUpstream(options);
    const config = {
      clock: backgroundClock,
      readTimeoutMs: 60_000,
      cuts: { unread: 0, stalled: 0, resetting: 0 },
      headersTimeoutMs: 32_000,
      idleTimeoutMs: 60_000,
      maxConcurrentStreams: 100,
      maxHeaderBytes: 1024 * 1024,
      requestTimeoutMs: 60_000,
      trustedRoots: undefined,
      onConnectionError: () => {},
    };
    const serve = (incoming: IncomingRequest, reply: Reply): Promise<void> => this.#serve(incoming, reply);
    this.#http1 = new Http1Endpoint(config, serve);
    this.#http2 = new Http2Endpoint(config, serve);
    using authority = new TestAuthority('passing');
    this.ca = authority.ca;
    this.#tls = createTlsServer({ ...authority.server(), ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
      this.#keep(socket);
      if (socket.alpnProtocol === 'h2') this.#http2.take(socket);
      else this.#http1.take(socket);
    });
    this.#http1.onPlainConnection((socket) => this.#keep(socket));
  }

  async listen(): Promise<this> {
    this.#tls.listen(0, '127.0.0.1');
    await once(this.#tls, 'listening');
    this.tlsPort = portOf(this.#tls);
    this.plainPort = Number(new URL(await this.#http1.listen(0)).port);
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.upstream.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#tls.close();
    this.#http2.close();
    await this.#http1.stopListening();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #serve(incoming: IncomingRequest, reply: Reply): Promise<void> {
    try {
      await this.upstream.pass(incoming, reply, { signal: new AbortController().signal });
    } catch (error) {
      if (!(error instanceof StatusError)) this.errors.push(error);
      if (reply.closed || !(error instanceof StatusError)) return;
      const { status, headers, body } = failureResponse(error);
      reply.send({ status, headers }, body);
    }
  }
}

/** An upstream that is a function of its connections: what it says is up to the test, byte for byte. */
export class RawUpstream implements AsyncDisposable {
  readonly sockets = new Set<Socket>();
  connections = 0;
  readonly #server: Server;

  constructor(onConnection: (socket: Socket, index: number) => void) {
    this.#server = createTcpServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.sockets.delete(socket));
      this.connections += 1;
      onConnection(socket, this.connections - 1);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }
}

/** A client that says what it likes and keeps what it hears. */
export class RawClient {
  readonly socket: Socket;
  heard: Buffer = Buffer.alloc(0);
  ended = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.on('data', (chunk) => {
      this.heard = Buffer.concat([this.heard, chunk]);
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.ended = true;
    });
  }

  get text(): string {
    return this.heard.toString('latin1');
  }

  say(text: string | Buffer): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }
}

export function portOf(server: Server): number {
  const address = server.address();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (address as AddressInfo).port;
}
