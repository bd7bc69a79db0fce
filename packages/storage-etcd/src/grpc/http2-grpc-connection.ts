/** A gRPC connection. */

import type { Socket } from 'node:net';
import { ClientSession } from '../http2/client-session.ts';
import { connectSocket, type EtcdSocketOptions } from '../http2/connect-socket.ts';
import { CallHeaders } from './call-headers.ts';
import { type ConnectionInput, type ConnectionPhase, stepConnection } from './connection-step.ts';
import { EndedStream } from './ended-stream.ts';
import type { CallMetadata, ConnectionState, GrpcConnection, GrpcStream, UnaryOptions } from './grpc-connection.ts';
import { GRPC_STATUS, GrpcError } from './grpc-error.ts';
import { MessageStream } from './message-stream.ts';
import { unaryCall } from './unary-call.ts';

/** Options of {@link Http2GrpcConnection}. */
export interface Http2GrpcOptions extends EtcdSocketOptions {
  /** How long it may take until the server speaks HTTP/2. */
  readonly connectTimeoutMs: number;
  /** Ping this often while there are calls. etcd hangs up on clients that ping without. */
  readonly keepAliveIntervalMs: number;
  /** A ping that is not answered within this time ends the connection. */
  readonly keepAliveTimeoutMs: number;
  /** Larger messages fail their call. */
  readonly maxMessageBytes: number;
}

/** One connection. */
export class Http2GrpcConnection implements GrpcConnection {
  readonly #options: Http2GrpcOptions;
  readonly #socket: Socket;
  readonly #headers: CallHeaders;
  readonly #waiting = new Set<() => void>();
  readonly #connectTimer: NodeJS.Timeout;
  #session: ClientSession | undefined;
  #phase: ConnectionPhase = { type: 'connecting' };
  /** Calls that run, streams among them. */
  #calls = 0;
  #streams = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #pong: NodeJS.Timeout | undefined;

  constructor(options: Http2GrpcOptions) {
    this.#options = options;
    const { url, serverName, connectTimeoutMs } = options;
    const { protocol, host } = new URL(url);
    this.#headers = new CallHeaders(protocol === 'https:' ? 'https' : 'http', serverName ?? host);
    this.#socket = connectSocket(options, () => this.#begin());
    this.#socket.on('error', (error) => this.#lose(error));
    this.#socket.on('close', () => this.#lose(new Error('the connection was closed')));
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
    const session = this.#session;
    if (this.#phase.type !== 'ready' || session === undefined) return Promise.reject(this.#refusal());
    const block = this.#headers.block(path, metadata, timeoutMs);
    const { maxMessageBytes } = this.#options;
    this.#callBegins();
    return unaryCall({ session, block, request, maxMessageBytes, onOver: this.#callEnds, timeoutMs, signal });
  }

  stream(path: string, metadata: CallMetadata): GrpcStream {
    const session = this.#session;
    if (this.#phase.type !== 'ready' || session === undefined) return new EndedStream(this.#refusal());
    const block = this.#headers.block(path, metadata, undefined);
    const { maxMessageBytes } = this.#options;
    this.#callBegins();
    this.#streams += 1;
    const onOver = (): void => {
      this.#streams -= 1;
      this.#callEnds();
    };
    return new MessageStream({ session, block, maxMessageBytes, onOver });
  }

  close(): void {
    const isConnecting = this.#phase.type === 'connecting';
    this.#step({ type: 'drain' });
    if (isConnecting || this.#isIdle) this.#lose(new Error('the connection was closed'));
  }

  /** Whether nothing holds a connection that drains. One that its owner left is not held by streams: a watch would hold it for ever. */
  get #isIdle(): boolean {
    const isLeft = this.#phase.type === 'draining' && this.#phase.error === undefined;
    return this.#calls === (isLeft ? this.#streams : 0);
  }

  #begin(): void {
    this.#session = new ClientSession(this.#socket, {
      onSettings: () => this.#step({ type: 'settled' }),
      onGoaway: (code) => {
        this.#step({ type: 'goaway', code });
        // Later: the streams that it refuses hear of it first.
        if (this.#calls === 0) setImmediate(() => this.#lose(new Error('the connection was closed')));
      },
      onLost: (error) => this.#lose(error),
    });
  }

  #callBegins(): void {
    this.#calls += 1;
    if (this.#keepAlive === undefined) {
      this.#keepAlive = setInterval(() => this.#ping(), this.#options.keepAliveIntervalMs);
      this.#keepAlive.unref();
    }
  }

  readonly #callEnds = (): void => {
    this.#calls -= 1;
    // Later: what the last call sends, such as its reset, leaves before.
    if (this.#isIdle && this.#phase.type === 'draining') {
      setImmediate(() => this.#lose(new Error('the connection was closed')));
    }
  };

  #ping(): void {
    if (this.#calls === 0 || this.#pong !== undefined) return;
    const { keepAliveTimeoutMs } = this.#options;
    const silent = new Error(`a ping was not answered within ${keepAliveTimeoutMs} ms`);
    const pong = setTimeout(() => this.#lose(silent), keepAliveTimeoutMs);
    pong.unref();
    this.#pong = pong;
    this.#session?.ping(() => {
      clearTimeout(pong);
      this.#pong = undefined;
    });
  }

  /** Ends everything: calls that run fail. */
  #lose(error: Error): void {
    this.#step({ type: 'lost', error });
    clearTimeout(this.#connectTimer);
    clearInterval(this.#keepAlive);
    clearTimeout(this.#pong);
    this.#session?.destroy(error);
    this.#socket.destroy();
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
