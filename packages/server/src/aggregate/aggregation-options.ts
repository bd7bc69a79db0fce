/** How a server reaches the backends of APIServices. */

import type { RequestHeaderOptions } from '../access/authentication/front-proxy-authenticator.ts';

/** A certificate and its private key, both PEM. */
export interface FrontProxyPair {
  readonly cert: string;
  readonly key: string;
}

/** Options of aggregation. */
export interface AggregationOptions {
  /**
   * The certificate that is shown to backends, so that they trust the headers that name the user. Asked before each new connection;
   * another one replaces the connections. Default: none.
   */
  readonly proxyClient?: (() => FrontProxyPair) | undefined;
  /** PEM of the authorities of such certificates: backends read them in the ConfigMap `extension-apiserver-authentication`. Default: none. */
  readonly proxyClientCa?: string | undefined;
  /** The names of proxies and headers in that ConfigMap. Default: those of `RequestHeaderOptions`, and any name. */
  readonly requestHeader?: RequestHeaderOptions | undefined;
  /** Requests and watches that one backend answers at one time. More are refused with 429. Default: 500. */
  readonly maxRequestsPerBackend?: number | undefined;
  /** More ports of this machine that are never connected to, beside those that the server listens on. Default: none. */
  readonly refusedPorts?: (() => readonly number[]) | undefined;
}

/** The options with nothing left open that has a default. */
export interface AggregationConfig extends AggregationOptions {
  readonly maxRequestsPerBackend: number;
  readonly refusedPorts: () => readonly number[];
}

/** Throws a `RangeError` that names the option. */
export function aggregationConfig(options: AggregationOptions): AggregationConfig {
  const { maxRequestsPerBackend = 500, refusedPorts = () => [] } = options;
  if (!Number.isSafeInteger(maxRequestsPerBackend) || maxRequestsPerBackend < 1) {
    throw new RangeError(
      `aggregation.maxRequestsPerBackend must be a whole number of at least 1, not ${maxRequestsPerBackend}`,
    );
  }
  return { ...options, maxRequestsPerBackend, refusedPorts };
}
