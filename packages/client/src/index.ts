/** Talks to any Kubernetes API server. This door opens everywhere; on Node `node.ts` adds files, sockets and processes. */

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
export { type ClusterOptions, createCluster } from './create-cluster.ts';
export { type LinkedSignal, linkSignal } from './link-signal.ts';
export type { Transport, TransportDecorator, TransportRequest, TransportResponse } from './transport/transport.ts';
export { isTransportError, TransportError, type TransportErrorCode } from './transport/transport-error.ts';
