/** HTTP/1.1: on TLS connections that it is given, and on an optional port without TLS. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { badRequest, failure, type StatusError } from '@listwatch/api';
import { failureResponse } from '../answer/failure-response.ts';
import type { IncomingRequest } from '../contract/incoming-request.ts';
import type { Reply } from '../contract/reply.ts';
import { boundAddress } from './bound-address.ts';
import { ConnectionCertificate } from './client-certificate.ts';
import { endAndDrain } from './end-and-drain.ts';
import type { EndpointConfig } from './endpoint-config.ts';
import { CONNECTION_HEADER, readForwardedConnection } from './forwarded-connection.ts';
import { headerText } from './header-text.ts';
import { Http1Reply } from './http1-reply.ts';
import { ParserFeed } from './parser-feed.ts';
import { TURN_MAX_MS } from './pipelined-turns.ts';
import { SLOW_MS } from './slow-clients.ts';
import { isWebsocketRequest } from './websocket-handshake.ts';
import { WebsocketReply } from './websocket-reply.ts';

/** How often Node looks for clients that send their headers too slowly. */
const CHECK_MS = 5000;
const LOOPBACK = '127.0.0.1';

/** Answers a request. */
export type Serve = (incoming: IncomingRequest, reply: Reply) => Promise<void>;

/** A connection: the reply that is being sent, and the pipelined requests behind it: one, where the feed can see its end. */
interface Connection {
  current: Http1Reply | undefined;
  readonly waiting: (() => void)[];
  readonly feed: ParserFeed;
  readonly certificate: ConnectionCertificate;
  /** While a request waits, the reply before it may not last for ever. */
  cancelCut: (() => void) | undefined;
}

/** The HTTP/1.1 half of a server. */
export class Http1Endpoint {
  readonly #config: EndpointConfig;
  readonly #serve: Serve;
  readonly #server: Server;
  readonly #connections = new Map<Duplex, Connection>();
  /** Connections of readers, and what a reader says with each request. */
  readonly #readers = new WeakMap<Duplex, Buffer>();
  /** Connections that have had their last answer; what still arrives is dropped. */
  readonly #refused = new WeakSet<Duplex>();

  constructor(config: EndpointConfig, serve: Serve) {
    this.#config = config;
    this.#serve = serve;
    this.#server = createServer({
      headersTimeout: config.headersTimeoutMs,
      // The time for the body is the request's own; this is for the client that goes on sending after its answer.
      requestTimeout: config.requestTimeoutMs + config.headersTimeoutMs,
      keepAliveTimeout: config.idleTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECK_MS, config.headersTimeoutMs),
      maxHeaderSize: config.maxHeaderBytes,
      noDelay: true,
      keepAlive: true,
      // Kubernetes answers a request without Host; Node would close the connection on it.
      requireHostHeader: false,
    });
    this.#server.on('connection', (socket: Socket) => this.#watch(socket));
    this.#server.on('request', (message, response) => {
      this.#connections.get(message.socket)?.feed.begin(message);
      const feed = this.#connections.get(message.socket)?.feed;
      // A reader's next request is somebody else's.
      const slowDown = this.#readers.has(message.socket) ? undefined : () => feed?.holdFor(config.clock, SLOW_MS);
      const reply = new Http1Reply(message, response, config, slowDown);
      this.#inTurn(message.socket, reply, () => this.#start(message, reply, 'http/1.1'));
    });
    this.#server.on('upgrade', (message, socket, head) => this.#upgrade(message, socket, head));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#refuse(error, socket));
  }

  /** Takes over a connection on which TLS is done. */
  take(socket: Socket): void {
    this.#server.emit('connection', socket);
  }

  /** Takes over a connection of a reader: each of its requests must say the secret, and for whom it comes. */
  takeReader(socket: Socket, secret: Buffer): void {
    this.#readers.set(socket, secret);
    this.#server.emit('connection', socket);
  }

  /** Listens without TLS, on this machine only. Resolves to the URL. */
  async listen(port: number): Promise<string> {
    this.#server.listen({ host: LOOPBACK, port });
    await once(this.#server, 'listening');
    // A connection that cannot be accepted, for example for want of file descriptors. Without a listener it ends the process.
    this.#server.on('error', (error) => this.#config.onConnectionError(error));
    return `http://${LOOPBACK}:${boundAddress(this.#server).port}`;
  }

  /** Starts Node's checks for slow clients: Node does that on `listening`, and this server mostly does not listen itself. */
  startTimeouts(): void {
    if (!this.#server.listening) this.#server.emit('listening');
  }

  /** `listener` is called for connections to the port without TLS. */
  onPlainConnection(listener: (socket: Socket) => void): void {
    this.#server.on('connection', (socket: Socket) => {
      if (!(socket instanceof TLSSocket)) listener(socket);
    });
  }

  async stopListening(): Promise<void> {
    // When it did not listen the callback gets an error, which does not matter here.
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  /** Closes the connections on which nothing is being answered. */
  closeIdle(): void {
    for (const [socket, { current }] of this.#connections) if (current === undefined) socket.destroy();
  }

  #watch(socket: Socket): void {
    const waiting: Connection['waiting'] = [];
    const connection: Connection = {
      current: undefined,
      cancelCut: undefined,
      waiting,
      feed: new ParserFeed(socket, () => waiting.length > 0),
      certificate: new ConnectionCertificate(socket, this.#config),
    };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      waiting.length = 0;
      connection.current?.close();
    });
  }

  /**
   * Starts a request when those before it on its connection are answered. One packet can hold a thousand requests: if all
   * started at once, one connection could use up the in-flight limit and buffer a thousand answers.
   */
  #inTurn(socket: Duplex, reply: Http1Reply, start: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    if (connection.current !== undefined) {
      connection.waiting.push(() => this.#inTurn(socket, reply, start));
      connection.cancelCut ??= this.#config.clock.after(TURN_MAX_MS, () => socket.destroy());
      return;
    }
    connection.current = reply;
    reply.onClose(() => {
      connection.current = undefined;
      connection.cancelCut?.();
      connection.cancelCut = undefined;
      const next = connection.waiting.shift();
      if (next === undefined) return;
      next();
      connection.feed.goOn();
    });
    start();
  }

  #start(message: IncomingMessage, reply: Http1Reply, protocol: IncomingRequest['protocol'], canUpgrade = false): void {
    const secret = this.#readers.get(message.socket);
    if (secret !== undefined) return this.#startForwarded(message, reply, protocol, canUpgrade, secret);
    const certificate = this.#connections.get(message.socket)?.certificate;
    const incoming: IncomingRequest = {
      method: message.method ?? '',
      target: message.url ?? '',
      protocol,
      canUpgrade,
      header: (name) => headerText(message.headers[name]),
      rawHeaders: message.rawHeaders,
      body: message,
      peer: () => message.socket.remoteAddress,
      certificate: () => certificate?.read(),
    };
    void this.#serve(incoming, reply);
  }

  #startForwarded(
    message: IncomingMessage,
    reply: Http1Reply,
    protocol: IncomingRequest['protocol'],
    canUpgrade: boolean,
    secret: Buffer,
  ): void {
    const client = readForwardedConnection(headerText(message.headers[CONNECTION_HEADER]), secret);
    if (client === undefined) {
      message.socket.destroy();
      return;
    }
    delete message.headers[CONNECTION_HEADER];
    const { method = '', url: target = '', headers, rawHeaders } = message;
    const incoming: IncomingRequest = {
      method,
      target,
      protocol,
      canUpgrade,
      header: (name) => headerText(headers[name]),
      rawHeaders: rawHeaders.filter((_, at) => !isConnectionHeader(rawHeaders[at - (at % 2)])),
      body: message,
      peer: () => client.peer,
      certificate: () => client.certificate,
    };
    void this.#serve(incoming, reply);
  }

  #upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    const connection = this.#connections.get(socket);
    // Node has given up the connection: it could answer neither the request before this one nor this one.
    if (connection === undefined || connection.current !== undefined) {
      socket.destroy();
      return;
    }
    const firstBytes = Buffer.concat([head, connection.feed.stop()]);
    const header = (name: string): string | undefined => headerText(message.headers[name]);
    const reply = new WebsocketReply(message, socket, firstBytes, this.#config);
    if (!isWebsocketRequest({ header }) && hasBody(message)) {
      // Node does not read the body of an upgrade request.
      this.#send(reply, badRequest('a request with a body cannot change the protocol'));
      return;
    }
    // Any other protocol that is offered is declined by going on in this one.
    const protocol = isWebsocketRequest({ header }) ? 'websocket' : 'http/1.1';
    this.#inTurn(socket, reply, () => this.#start(message, reply, protocol, true));
  }

  /** Answers what Node's parser cannot read, or what arrived too slowly. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    // The last answer has been sent; Node complains about the connection once more.
    if (this.#refused.has(socket)) return;
    // In the middle of another answer a Status would be taken for a part of it.
    if (!socket.writable || this.#connections.get(socket)?.current !== undefined) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = failureResponse(parseFailure(error));
    const lines = Object.entries({ ...headers, 'content-length': String(body.length), connection: 'close' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const start = `HTTP/1.1 ${status} ${REASON[status] ?? ''}\r\n${head}\r\n`;
    this.#refused.add(socket);
    this.#connections.get(socket)?.feed.stop();
    endAndDrain(socket, Buffer.concat([Buffer.from(start), body]), this.#config.clock);
  }

  #send(reply: Reply, error: StatusError): void {
    const { status, headers, body } = failureResponse(error);
    reply.send({ status, headers }, body);
  }
}

const REASON: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function parseFailure(error: NodeJS.ErrnoException): StatusError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return failure({ code: 431, reason: '', message: 'the headers of the request are too large' });
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return failure({ code: 408, reason: '', message: 'the request was not received in time' });
  }
  return badRequest('the request cannot be read as HTTP');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isConnectionHeader(name: string | undefined): boolean {
  return name?.toLowerCase() === CONNECTION_HEADER;
}
