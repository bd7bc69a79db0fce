/** Opens the socket to a server: TCP, through a proxy where there is one, and TLS. Every failure is `CONNECT`. */

import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type AbortOptions, type CancelTimer, type Clock, ListWatchError } from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';
import { TransportError } from '../transport-error.ts';
import { ConnectAttempt, type DialTarget, endpointOf, ready } from './connect-attempt.ts';
import { connectThroughProxy } from './proxy.ts';
import { type TlsSettings, tlsConnectOptions } from './tls-settings.ts';

/** What the transports on sockets are told of their server. */
export interface SocketOptions {
  /** `https://host:port`, with the path below which the API stands, if there is one. */
  readonly server: string;
  /** Asked anew for each connection: certificates rotate. */
  readonly tls?: TlsSettings | (() => Promise<TlsSettings>) | undefined;
  /** `http:`, `https:` or `socks5:`, with `user:password@` where it wants them. */
  readonly proxy?: string | undefined;
  /** How long a connection may take, with all its handshakes. Default: 30 000, as client-go's dialer. */
  readonly connectTimeoutMs?: number | undefined;
}

export interface DialOptions extends AbortOptions, SocketOptions {
  readonly clock: Clock;
  /** The protocols that we speak, for TLS. */
  readonly alpn: readonly string[];
}

const CONNECT_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 30_000;

/** Opens one. */
export async function dial(options: DialOptions): Promise<Socket> {
  const { signal } = options;
  signal?.throwIfAborted();
  const url = new URL(options.server);
  const ms = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const attempt = new ConnectAttempt();
  const cancel: CancelTimer = options.clock.after(ms, () => attempt.fail(new Error(`no connection within ${ms} ms`)));
  const off = onAbort(signal, () => attempt.fail(new Error('given up')));
  try {
    const endpoint = endpointOf(url);
    const socket = await attempt.run(open(endpoint, options, attempt));
    if (url.protocol !== 'https:') return socket;
    const settings = typeof options.tls === 'function' ? await options.tls() : (options.tls ?? {});
    return await attempt.run(secure(socket, endpoint.host, settings, options.alpn, attempt));
  } catch (error) {
    attempt.destroy();
    signal?.throwIfAborted();
    // A certificate file that is not there is no matter of the network.
    if (error instanceof ListWatchError) throw error;
    throw new TransportError('CONNECT', `cannot connect to ${url.origin}: ${reasonOf(error)}`, { cause: error });
  } finally {
    cancel();
    off();
  }
}

async function open(endpoint: DialTarget, { proxy }: DialOptions, attempt: ConnectAttempt): Promise<Socket> {
  const socket =
    proxy === undefined
      ? await ready(attempt.add(connectTcp(endpoint)), 'connect')
      : await connectThroughProxy(new URL(proxy), endpoint, attempt);
  // The last resort against a dead peer: HTTP/1.1 has no ping.
  return socket.setKeepAlive(true, KEEP_ALIVE_MS).setNoDelay(true);
}

function secure(
  socket: Socket,
  host: string,
  settings: TlsSettings,
  alpn: readonly string[],
  attempt: ConnectAttempt,
): Promise<Socket> {
  const tls = connectTls({ ...tlsConnectOptions(settings, host), socket, ALPNProtocols: [...alpn] });
  return ready(attempt.add(tls), 'secureConnect');
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ');
  return error instanceof Error ? error.message : String(error);
}
