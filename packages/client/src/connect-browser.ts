/** `connect` in a browser: to a server by its address, over fetch. */

import { assembleCluster } from './assemble-cluster.ts';
import type { Cluster } from './cluster.ts';
import {
  CONNECT_NAMES,
  checkServer,
  clusterName,
  credentialsOf,
  orderedServers,
  type ServerListOptions,
  type ServerOptions,
  type TransportConnectOptions,
} from './connect-options.ts';
import { checkOptionNames } from './request/option-names.ts';
import { createFetchTransport } from './transport/carriers/fetch-transport.ts';
import { createWebSocketTransport } from './transport/carriers/websocket-transport.ts';
import { createFailoverTransport } from './transport/failover/failover-transport.ts';
import type { Transport } from './transport/transport.ts';

export interface BrowserServerOptions extends ServerOptions {
  /**
   * How watches travel. Browsers open six connections of HTTP/1.1 to a server, and each watch over fetch holds one; over
   * HTTP/2 they share one. Default: `fetch`.
   */
  readonly watchOver?: 'fetch' | 'websocket' | undefined;
}

/** To several servers of one cluster by their addresses. */
export interface BrowserServerListOptions extends ServerListOptions, Pick<BrowserServerOptions, 'watchOver'> {}

/** Connects. Nothing is sent before the first request. */
export async function connect(
  options: BrowserServerListOptions | BrowserServerOptions | TransportConnectOptions,
): Promise<Cluster> {
  checkOptionNames('connect', options, { ...CONNECT_NAMES, watchOver: true });
  const credentials = credentialsOf(options);
  if ('transport' in options) {
    const { transport, server = transport.name } = options;
    return assembleCluster(transport, { server }, credentials, options);
  }
  const servers = serversOf(options);
  const carriers = servers.map((server) => createCarrier(server, options));
  const [only, ...others] = carriers;
  const server = clusterName(servers);
  if (only !== undefined && others.length === 0) return assembleCluster(only, { server }, credentials, options);
  const failover = createFailoverTransport(carriers, { clock: options.clock, names: servers });
  return assembleCluster(failover, { server, servers: () => failover.servers }, credentials, options);
}

function serversOf(options: BrowserServerListOptions | BrowserServerOptions): readonly string[] {
  if ('servers' in options) {
    if ('server' in options) throw new TypeError('pass server or servers, not both');
    return orderedServers(options);
  }
  checkServer(options.server);
  return [options.server];
}

function createCarrier(
  server: string,
  { clock, headersTimeoutMs, watchOver = 'fetch' }: Omit<BrowserServerOptions, 'server'>,
): Transport {
  const next = createFetchTransport({ server, clock, headersTimeoutMs });
  return watchOver === 'fetch' ? next : createWebSocketTransport({ server, next, clock, headersTimeoutMs });
}
