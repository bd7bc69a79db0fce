/** A gRPC connection on bare `node:http2`. */

import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2';
import type { SecureContextOptions } from 'node:tls';
import { type ConnectionInput, type ConnectionPhase, stepConnection } from './connection-step.ts';
import { EndedStream } from './ended-stream.ts';
import type { CallMetadata, ConnectionState, GrpcConnection, GrpcStream, UnaryOptions } from './grpc-connection.ts';
import { GRPC_STATUS, GrpcError } from './grpc-error.ts';
import { MessageStream } from './message-stream.ts';
import { unaryCall } from './unary-call.ts';

/** Options of {@link Http2GrpcConnection}. */
export interface Http2GrpcOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string;
  readonly tls?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> | undefined;
  /** The name to expect in the server's certificate, and the authority of the calls. Default: the host of the URL. */
  readonly serverName?: string | undefined;
  /** How long it may take until the server speaks HTTP/2. */
  readonly connectTimeoutMs: number;
  /** Ping this often while there are calls. etcd hangs up on clients that ping without. */
  readonly keepAliveIntervalMs: number;
  /** A ping that is not answered within this time ends the connection. */
  readonly keepAliveTimeoutMs: number;
  /** Larger messages fail their call. */
  readonly maxMessageBytes: number;
}

/** A page of a list arrives without waiting for the client to open the window again and again. */
const STREAM_WINDOW_BYTES = 2 ** 22;
const CONNECTION_WINDOW_BYTES = 2 ** 24;

/** One connection. */
export class Http2GrpcConnection implements GrpcConnection {
  readonly #options: Http2GrpcOptions;
  readonly #session: ClientHttp2Session;
  readonly #headers: OutgoingHttpHeaders;
  readonly #waiting = new Set<() => void>();
  readonly #connectTimer: NodeJS.Timeout;
  #phase: ConnectionPhase = { type: 'connecting' };
  /** The error that ended the session, before its close is reported. */
  #failure: Error | undefined;
  #calls = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #pong: NodeJS.Timeout | undefined;

  constructor(options: Http2GrpcOptions) {
    this.#options = options;
    const { url, tls = {}, serverName, connectTimeoutMs } = options;
    this.#headers = {
      ':method': 'POST',
      ...(serverName === undefined ? {} : { ':authority': serverName }),
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'listwatch',
    };
    this.#session = connect(url, {
      ...tls,
      ...(serverName === undefined ? {} : { servername: serverName }),
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
      // Node's own limit of 10 MB refuses calls when many or large answers are under way; every answer has a limit of its own.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    this.#session.once('remoteSettings', () => this.#step({ type: 'settled' }));
    this.#session.once('goaway', (code: number) => this.#step({ type: 'goaway', code }));
    this.#session.on('error', (error) => {
      this.#failure ??= error;
    });
    this.#session.once('close', () => this.#lose(this.#failure ?? new Error('the connection was closed')));
    const silent = `the server did not answer within ${connectTimeoutMs} ms`;
    this.#connectTimer = setTimeout(() => this.#lose(new Error(silent)), connectTimeoutMs);
  }

  get state(): ConnectionState {
    return this.#phase.type;
  }

  async ready(timeoutMs: number): Promise<void> {
    if (this.#phase.type === 'connecting') await this.#changed(timeoutMs);
    if (this.#phase.type !== 'ready') throw this.#refusal();
  }

  unary(path: string, request: Buffer, metadata: CallMetadata, options: UnaryOptions): Promise<Buffer> {
    const { timeoutMs, signal } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const stream = this.#open(path, metadata, timeoutMs);
    if (stream instanceof Error) return Promise.reject(stream);
    const { maxMessageBytes } = this.#options;
    return unaryCall({ stream, request, maxMessageBytes, lostBy: this.#lostBy, timeoutMs, signal });
  }

  stream(path: string, metadata: CallMetadata): GrpcStream {
    const stream = this.#open(path, metadata, undefined);
    if (stream instanceof Error) return new EndedStream(stream);
    const { maxMessageBytes } = this.#options;
    return new MessageStream({ stream, maxMessageBytes, lostBy: this.#lostBy });
  }

  close(): void {
    // Not `session.close()`: it refuses the calls of this turn of the event loop.
    const isConnecting = this.#phase.type === 'connecting';
    this.#step({ type: 'drain' });
    if (isConnecting || this.#calls === 0) this.#lose(new Error('the connection was closed'));
  }

  /** A new HTTP/2 stream, or why there is none. */
  #open(path: string, metadata: CallMetadata, timeoutMs: number | undefined): ClientHttp2Stream | GrpcError {
    if (this.#phase.type !== 'ready') return this.#refusal();
    const headers: OutgoingHttpHeaders = { ...this.#headers, ':path': path, ...metadata };
    if (timeoutMs !== undefined) headers['grpc-timeout'] = `${Math.max(1, Math.ceil(timeoutMs))}m`;
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(headers);
    } catch (cause) {
      // The session has ended and its events are still to come.
      return new GrpcError(GRPC_STATUS.UNAVAILABLE, 'the connection is closing', { unsent: true, cause });
    }
    this.#begin();
    stream.once('close', this.#end);
    return stream;
  }

  #begin(): void {
    this.#calls += 1;
    if (this.#keepAlive === undefined) {
      this.#keepAlive = setInterval(() => this.#ping(), this.#options.keepAliveIntervalMs);
      this.#keepAlive.unref();
    }
  }

  readonly #end = (): void => {
    this.#calls -= 1;
    if (this.#calls === 0 && this.#phase.type === 'draining') this.#lose(new Error('the connection was closed'));
  };

  #ping(): void {
    if (this.#calls === 0 || this.#pong !== undefined || this.#session.destroyed) return;
    const { keepAliveTimeoutMs } = this.#options;
    const silent = new Error(`a ping was not answered within ${keepAliveTimeoutMs} ms`);
    const pong = setTimeout(() => this.#lose(silent), keepAliveTimeoutMs);
    pong.unref();
    this.#pong = pong;
    this.#session.ping((error) => {
      if (error !== null) return;
      clearTimeout(pong);
      this.#pong = undefined;
    });
  }

  readonly #lostBy = (): Error | undefined => {
    if (this.#phase.type === 'closed') return this.#phase.error;
    // The streams of a socket that is gone end before the session says so.
    const isLost = this.#session.destroyed || this.#session.socket.destroyed;
    return isLost ? (this.#failure ?? new Error('the connection was closed')) : undefined;
  };

  /** Ends everything: calls that run fail. */
  #lose(error: Error): void {
    this.#step({ type: 'lost', error });
    clearTimeout(this.#connectTimer);
    clearInterval(this.#keepAlive);
    clearTimeout(this.#pong);
    this.#session.destroy();
  }

  #step(input: ConnectionInput): void {
    const before = this.#phase;
    this.#phase = stepConnection(before, input);
    if (this.#phase === before) return;
    clearTimeout(this.#connectTimer);
    for (const wake of this.#waiting) wake();
  }

  /** Waits until the state changes or time is up. */
  #changed(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#waiting.add(done);
    });
  }

  #refusal(): GrpcError {
    const { type } = this.#phase;
    const error = this.#phase.type === 'connecting' || this.#phase.type === 'ready' ? undefined : this.#phase.error;
    const reason = error?.message ?? (type === 'connecting' ? 'time is up' : 'it is closing');
    const details = `no connection to ${this.#options.url}: ${reason}`;
    return new GrpcError(GRPC_STATUS.UNAVAILABLE, details, { unsent: true, cause: error });
  }
}
