/** HTTP/2 on the TLS connections that it is given. */
import {
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { monotonicMs } from '@listwatch/api/internal';
import type { IncomingRequest } from '../../contract/incoming-request.ts';
import type { EndpointConfig } from '../endpoint-config.ts';
import { headerText } from '../header-text.ts';
import type { Serve } from '../http1-endpoint.ts';
import { SLOW_MS } from '../slow-clients.ts';
import { Http2Reply } from './http2-reply.ts';
import { Http2ServerSession } from './http2-server-session.ts';

/** What a client may send before the server reads it. kube-apiserver has the same for a stream: 99 of 100 bodies fit. */
const STREAM_WINDOW_BYTES = 256 * 1024;
const CONNECTION_WINDOW_BYTES = 4 * 1024 * 1024;
/** The megabytes of headers, unread answers and control frames that a connection may hold; then new streams are refused. */
const SESSION_MEMORY_MB = 32;
const HEADER_PAIRS_MAX = 256;

/** The HTTP/2 half of a server. */
export class Http2Endpoint {
  readonly #config: EndpointConfig;
  readonly #serve: Serve;
  readonly #server: Http2Server;
  readonly #connections = new Map<Http2Session, Http2ServerSession>();
  /** The socket of the session that is being made: `session.socket` hides what the deadlines need. */
  #taken: TLSSocket | undefined;

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
    this.#server.on('session', (session) => this.#open(session));
    this.#server.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: readonly string[]) =>
        this.#start(stream, headers, rawHeaders),
    );
    // The client has broken the protocol. What Node leaves open is closed by the deadlines of the session.
    this.#server.on('sessionError', () => {});
  }

  /** Takes over a connection on which TLS is done. */
  take(socket: TLSSocket): void {
    this.#taken = socket;
    // Emits `session` before it returns.
    this.#server.emit('connection', socket);
    this.#taken = undefined;
  }

  /** Lets every connection finish its streams and take no more. */
  close(): void {
    for (const session of this.#connections.keys()) session.close();
  }

  /** The bytes of answers that wait in streams for their windows to open. */
  unreadBytes(): number {
    let bytes = 0;
    for (const connection of this.#connections.values()) bytes += connection.unreadBytes;
    return bytes;
  }

  #open(session: ServerHttp2Session): void {
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    if (this.#taken === undefined) return;
    this.#connections.set(session, new Http2ServerSession(session, this.#taken, this.#config));
    session.once('close', () => this.#connections.delete(session));
  }

  #start(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
    // The rest of a packet that has ended its connection.
    const connection = stream.session && this.#connections.get(stream.session);
    if (connection?.isCut === true) return;
    const method = headerText(headers[':method']) ?? '';
    const incoming: IncomingRequest = {
      method,
      target: headerText(headers[':path']) ?? '',
      protocol: 'http/2',
      header: (name) => headerText(headers[name]),
      rawHeaders,
      body: stream,
      peer: () => connection?.remoteAddress,
      certificate: () => connection?.certificate.read(),
    };
    const reply = new Http2Reply(stream, method, this.#config, () => {
      if (connection !== undefined) connection.slowUntil = monotonicMs(this.#config.clock) + SLOW_MS;
    });
    const wait = (connection?.slowUntil ?? 0) - monotonicMs(this.#config.clock);
    if (wait <= 0) {
      void this.#serve(incoming, reply);
      return;
    }
    // A connection has at most `maxConcurrentStreams` that wait.
    const cancel = this.#config.clock.after(wait, () => void this.#serve(incoming, reply));
    reply.onClose(cancel);
  }
}
