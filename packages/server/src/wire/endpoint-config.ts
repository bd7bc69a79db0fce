/** What the endpoints need of the server's options. */

import type { Clock } from '@listwatch/api';

/** Limits and times of connections; see `HttpServerOptions`. */
export interface EndpointConfig {
  readonly clock: Clock;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxConcurrentStreams: number;
  readonly maxHeaderBytes: number;
  readonly requestTimeoutMs: number;
}
