/** Talks to any Kubernetes API server. This door opens everywhere; on Node `node.ts` adds files, sockets and processes. */

export { basicCredentials, bearerCredentials } from './auth/fixed-credentials.ts';
export { sleep, systemClock } from './clock.ts';
export type {
  Cluster,
  DecodeOptions,
  DeleteOptions,
  GetOptions,
  ListPage,
  ListQuery,
  NewObject,
  ObjectTarget,
  Patch,
  PatchOptions,
  ProjectionOptions,
  SubresourceOptions,
  WatchQuery,
  WatchStream,
  WriteOptions,
} from './cluster.ts';
export { type BrowserServerOptions, connect } from './connect-browser.ts';
export type { ConnectOptions, ServerOptions, TransportConnectOptions } from './connect-options.ts';
export { type ClusterOptions, createCluster } from './create-cluster.ts';
export { type LinkedSignal, linkSignal } from './link-signal.ts';
export { assemble, type FeatureOptions } from './transport/assemble.ts';
export { auth, type Credentials } from './transport/auth.ts';
export { decorate } from './transport/decorate.ts';
export type { TimingOptions } from './transport/exchanges.ts';
export {
  createFetchTransport,
  type FetchFunction,
  type FetchInit,
  type FetchResponse,
  type FetchTransportOptions,
} from './transport/fetch-transport.ts';
export { type Impersonation, impersonate } from './transport/impersonate.ts';
export { logging, type RequestRecord } from './transport/logging.ts';
export { createLoopbackTransport, type LoopbackHandler } from './transport/loopback-transport.ts';
export { rateLimit } from './transport/rate-limit.ts';
export { type RetryOptions, retry } from './transport/retry.ts';
export { type RateLimit, TokenBucket } from './transport/token-bucket.ts';
export type { Transport, TransportDecorator, TransportRequest, TransportResponse } from './transport/transport.ts';
export { isTransportError, TransportError, type TransportErrorCode } from './transport/transport-error.ts';
export { type ServerWarning, warnings } from './transport/warnings.ts';
export {
  createWebSocketTransport,
  type OpenWebSocket,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from './transport/websocket-transport.ts';
