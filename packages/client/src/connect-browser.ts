/** `connect` in a browser: to a server by its address, over fetch. */

import { assembleCluster } from './assemble-cluster.ts';
import type { Cluster } from './cluster.ts';
import {
  CONNECT_NAMES,
  checkServer,
  credentialsOf,
  type ServerOptions,
  type TransportConnectOptions,
} from './connect-options.ts';
import { checkOptionNames } from './request/option-names.ts';
import { createFetchTransport } from './transport/carriers/fetch-transport.ts';
import { createWebSocketTransport } from './transport/carriers/websocket-transport.ts';

export interface BrowserServerOptions extends ServerOptions {
  /**
   * How watches travel. Browsers open six connections of HTTP/1.1 to a server, and each watch over fetch holds one; over
   * HTTP/2 they share one. Default: `fetch`.
   */
  readonly watchOver?: 'fetch' | 'websocket' | undefined;
}

/** Connects. Nothing is sent before the first request. */
export async function connect(options: BrowserServerOptions | TransportConnectOptions): Promise<Cluster> {
  checkOptionNames('connect', options, { ...CONNECT_NAMES, watchOver: true });
  const credentials = credentialsOf(options);
  if ('transport' in options) {
    return assembleCluster(options.transport, options.server ?? options.transport.name, credentials, options);
  }
  const { server, clock, headersTimeoutMs, watchOver = 'fetch' } = options;
  checkServer(server);
  const next = createFetchTransport({ server, clock, headersTimeoutMs });
  const transport = watchOver === 'fetch' ? next : createWebSocketTransport({ server, next, clock, headersTimeoutMs });
  return assembleCluster(transport, server, credentials, options);
}
