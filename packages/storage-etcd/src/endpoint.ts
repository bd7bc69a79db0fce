/** One member of the cluster and the connection to it. */

import {
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { EtcdConfig } from './etcd-options.ts';

/** A stream of messages in both directions, still encoded. */
export type ByteStream = ClientDuplexStream<Buffer, Buffer>;

/** How long a connection may take to come about before another member is tried. */
const CONNECT_TIMEOUT_MS = 3000;

/** A connection that can be replaced: `connection` is the one to use now. */
export class Endpoint {
  readonly url: string;
  readonly #open: () => Client;
  #connection: Client;

  constructor(config: EtcdConfig, { url, target }: EtcdConfig['endpoints'][number]) {
    this.url = url;
    const channelCredentials = channelCredentialsOf(config);
    const options = clientOptions(config);
    this.#open = () => new Client(target, channelCredentials, options);
    this.#connection = this.#open();
  }

  get connection(): Client {
    return this.#connection;
  }

  /**
   * Begins anew if `connection` is still the one in use. The calls on the old one run to their end. Without this a
   * connection attempt that hangs, or one that lost its peer without a word, would hold up all later calls.
   */
  renew(connection: Client): void {
    if (connection !== this.#connection) return;
    this.#connection = this.#open();
    connection.close();
  }

  close(): void {
    this.#connection.close();
  }
}

/** Whether calls on the connection can begin at once. Makes an idle one connect. */
export function isReady(connection: Client): boolean {
  return connection.getChannel().getConnectivityState(true) === connectivityState.READY;
}

/**
 * Resolves when the connection is there, and also when it has failed: the next call then says why. Rejects when neither
 * happens in time.
 */
export function connect(connection: Client, deadline: number): Promise<void> {
  const channel = connection.getChannel();
  const started = Date.now();
  const until = Math.min(deadline, started + CONNECT_TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.IDLE || state === connectivityState.CONNECTING) {
        channel.watchConnectivityState(state, until, (error) =>
          error === undefined ? look() : reject(connectTimeout(Date.now() - started)),
        );
      } else resolve();
    };
    look();
  });
}

/** One request, one answer, both still encoded. Rejects with gRPC's error, or with the signal's reason. */
export function unary(
  connection: Client,
  path: string,
  request: Buffer,
  metadata: Metadata,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      call.cancel();
      reject(signal?.reason);
    };
    // grpc-js records a stack for every call in case it fails: a tenth of the call's cost, for a stack that ends here.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const call = connection.makeUnaryRequest(path, same, same, request, metadata, { deadline }, (error, response) => {
      signal?.removeEventListener('abort', abort);
      if (error !== null) reject(error);
      else if (response !== undefined) resolve(response);
    });
    Error.stackTraceLimit = stackTraceLimit;
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Opens a stream. */
export function openStream(connection: Client, path: string, metadata: Metadata): ByteStream {
  return connection.makeBidiStreamRequest(path, same, same, metadata, {});
}

function same(bytes: Buffer): Buffer {
  return bytes;
}

const CONNECT_TIMEOUT = 'No connection established within';

function connectTimeout(ms: number): ServiceError {
  const details = `${CONNECT_TIMEOUT} ${ms} ms`;
  return Object.assign(new Error(details), { code: status.UNAVAILABLE, details, metadata: new Metadata() });
}

/** Whether `error` only says that there was no time to connect: an earlier one may know why. */
export function isConnectTimeout(error: ServiceError): boolean {
  return error.details.startsWith(CONNECT_TIMEOUT);
}

function channelCredentialsOf({ endpoints, tls }: EtcdConfig): ReturnType<typeof credentials.createSsl> {
  if (endpoints[0]?.secure !== true) return credentials.createInsecure();
  return credentials.createSsl(pem(tls.ca), pem(tls.key), pem(tls.cert));
}

function pem(value: string | Uint8Array | undefined): Buffer | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? Buffer.from(value) : Buffer.from(value);
}

function clientOptions(config: EtcdConfig): ClientOptions {
  const { serverName } = config.tls;
  return {
    'grpc.keepalive_time_ms': config.keepAliveIntervalMs,
    'grpc.keepalive_timeout_ms': config.keepAliveTimeoutMs,
    // etcd hangs up on clients that ping while they have no call.
    'grpc.keepalive_permit_without_calls': 0,
    // An answer may hold ten thousand values; the pages of a range keep it within bounds.
    'grpc.max_receive_message_length': -1,
    // Otherwise engines of one process would share connections, and closing one would not close its own.
    'grpc.use_local_subchannel_pool': 1,
    // The engine repeats calls itself; it knows which ones may be.
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    ...(serverName === undefined
      ? {}
      : { 'grpc.ssl_target_name_override': serverName, 'grpc.default_authority': serverName }),
  };
}
