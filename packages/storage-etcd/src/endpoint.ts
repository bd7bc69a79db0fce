/** One member of the cluster and the connection to it. */

import type { EtcdConfig } from './etcd-options.ts';
import type { GrpcConnection } from './grpc/grpc-connection.ts';
import { Http2GrpcConnection, type Http2GrpcOptions } from './grpc/http2-grpc-connection.ts';
import type { TlsSource } from './tls-source.ts';

/** How long a connection may take to come about before another member is tried. */
const CONNECT_TIMEOUT_MS = 3000;

/** A member that could not be reached is not tried again sooner than this, however many calls want it. */
const RETRY_MS = 50;

/** An answer may hold 500 values of 1.5 MiB: nothing is known of them before the first page of a range. */
const MAX_MESSAGE_BYTES = 2 ** 30;

/** A connection that can be replaced: `connection` is the one to use now. */
export class Endpoint {
  readonly url: string;
  readonly #options: Http2GrpcOptions;
  readonly #tls: TlsSource | undefined;
  #connection: GrpcConnection | undefined;
  /** By `performance.now`: a clock that is set back must not hand out a dead connection until it has caught up. */
  #openedAt = 0;

  constructor(config: EtcdConfig, { url, secure }: EtcdConfig['endpoints'][number], tls: TlsSource) {
    this.url = url;
    this.#tls = secure ? tls : undefined;
    this.#options = {
      url,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      keepAliveIntervalMs: config.keepAliveIntervalMs,
      keepAliveTimeoutMs: config.keepAliveTimeoutMs,
      maxMessageBytes: MAX_MESSAGE_BYTES,
    };
  }

  /**
   * The connection to use now. It may still be connecting, or have failed a moment ago: calls on it are refused then.
   * Throws a `StorageError` when there are no certificates to connect with.
   */
  get connection(): GrpcConnection {
    const current = this.#connection;
    if (current !== undefined && (isUsable(current) || performance.now() - this.#openedAt < RETRY_MS)) return current;
    this.#openedAt = performance.now();
    this.#connection = new Http2GrpcConnection({ ...this.#options, ...this.#tls?.current() });
    return this.#connection;
  }

  /** Whether it is the connection to this member. */
  has(connection: GrpcConnection): boolean {
    return connection === this.#connection;
  }

  /**
   * Begins anew if `connection` is still the one in use. The calls on the old one run to their end, its watches go elsewhere. Without
   * this a connection attempt that hangs, or one that lost its peer without a word, would hold up all later calls.
   */
  renew(connection: GrpcConnection): void {
    if (this.has(connection)) connection.close();
  }

  close(): void {
    this.#connection?.close();
  }
}

function isUsable({ state }: GrpcConnection): boolean {
  return state === 'connecting' || state === 'ready';
}
