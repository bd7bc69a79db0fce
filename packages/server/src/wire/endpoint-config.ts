/** The server options that connections depend on. */

import type { ReadDeadlineConfig } from './read-deadline.ts';
import type { TrustedRoots } from './trusted-roots.ts';

/** Limits and times of connections; see `HttpServerOptions`. */
export interface EndpointConfig extends ReadDeadlineConfig {
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxConcurrentStreams: number;
  readonly maxHeaderBytes: number;
  readonly requestTimeoutMs: number;
  /** Which authority a client certificate must come from, when there are two. */
  readonly trustedRoots: TrustedRoots | undefined;
  /** Receives the errors of listening sockets: a connection could not be accepted. */
  readonly onConnectionError: (error: unknown) => void;
}
