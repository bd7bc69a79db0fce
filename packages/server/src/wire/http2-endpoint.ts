/** HTTP/2 on connections that are given to it. */
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { TLSSocket } from 'node:tls';
import { type Arrival } from '../contract/arrival.ts';
import { clientCertificate } from './client-certificate.ts';
import type { EndpointConfig } from './endpoint-config.ts';
import { headerText } from './header-text.ts';
import type { Serve } from './http1-endpoint.ts';
import { Http2Reply } from './http2-reply.ts';

/** What a client may send before we read it, of one stream and of a connection: bodies are small, and are read at once. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 8 * 1024 * 1024;
/** What one connection may hold in memory, in megabytes; beyond it new streams are refused. */
const SESSION_MEMORY_MB = 64;
const HEADER_PAIRS_MAX = 256;

/** The HTTP/2 half of a server. */
export class Http2Endpoint {
  readonly #config: EndpointConfig;
  readonly #serve: Serve;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(config: EndpointConfig, serve: Serve) {
    this.#config = config;
    this.#serve = serve;
    this.#server = createServer({
      maxHeaderListPairs: HEADER_PAIRS_MAX,
      maxSessionMemory: SESSION_MEMORY_MB,
      settings: {
        enablePush: false,
        initialWindowSize: STREAM_WINDOW_BYTES,
        maxConcurrentStreams: config.maxConcurrentStreams,
        maxHeaderListSize: config.maxHeaderBytes,
      },
    });
    this.#server.on('session', (session) => this.#take(session));
    this.#server.on('stream', (stream, headers) => this.#start(stream, headers));
    // A connection that breaks the protocol is closed by Node; there is nobody left to tell.
    this.#server.on('sessionError', () => {});
  }

  /** Takes over a connection on which TLS is done. */
  take(socket: TLSSocket): void {
    this.#server.emit('connection', socket);
  }

  /** Lets every connection finish what it has, and take no more. */
  close(): void {
    for (const session of this.#sessions) session.close();
  }

  #take(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    let streams = 0;
    const startIdle = (): (() => void) =>
      this.#config.clock.after(this.#config.idleTimeoutMs, () => {
        session.close();
      });
    let endIdle = startIdle();
    session.on('stream', (stream) => {
      endIdle();
      streams++;
      stream.once('close', () => {
        streams--;
        if (streams === 0 && !session.closed) endIdle = startIdle();
      });
    });
    session.once('close', () => {
      endIdle();
      this.#sessions.delete(session);
    });
  }

  #start(stream: ServerHttp2Stream, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    const method = headerText(headers[':method']) ?? '';
    const socket = stream.session?.socket;
    const arrival: Arrival = {
      method,
      target: headerText(headers[':path']) ?? '',
      protocol: 'http/2',
      header: (name) => headerText(headers[name]),
      body: stream,
      certificate: () => (socket instanceof TLSSocket ? clientCertificate(socket) : undefined),
    };
    void this.#serve(arrival, new Http2Reply(stream, method, this.#config.clock));
  }
}
