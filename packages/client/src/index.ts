/** A client for any Kubernetes API server. This entry works everywhere; on Node `node.ts` adds files, sockets and processes. */

export { sleep, systemClock } from '@listwatch/api';
export { type ApplyConflict, applyConflicts } from './apply/apply-conflicts.ts';
export { ApplyError, type FailedDocument, isApplyError } from './apply/apply-error.ts';
export {
  type AppliedCluster,
  type ApplyObjectOptions,
  type ApplyOutcome,
  type ApplyResult,
  applyObject,
} from './apply/apply-object.ts';
export { type AppliedDocument, type ApplyYamlOptions, applyYaml, type YamlCluster } from './apply/apply-yaml.ts';
export type { Manifest, ManifestSource } from './apply/manifest.ts';
export { type ExtractOwnedOptions, extractOwned } from './apply/owned-fields.ts';
export { type DumpYamlOptions, dumpYaml, loadYaml } from './apply/yaml-text.ts';
export { basicCredentials, bearerCredentials } from './auth/fixed-credentials.ts';
export type {
  ApplyOptions,
  Cluster,
  DecodedObject,
  DecodeOptions,
  DeleteOptions,
  GetOptions,
  ListPage,
  ListQuery,
  NewMetadata,
  NewObject,
  ObjectDecoder,
  ObjectTarget,
  PatchOptions,
  ProjectionOptions,
  SubresourceOptions,
  WatchQuery,
  WatchStream,
  WriteOptions,
} from './cluster.ts';
export { type BrowserServerListOptions, type BrowserServerOptions, connect } from './connect-browser.ts';
export type {
  ConnectOptions,
  ServerListOptions,
  ServerOptions,
  ServerOrder,
  TransportConnectOptions,
} from './connect-options.ts';
export { type ClusterOptions, createCluster, decorateCluster } from './create-cluster.ts';
export {
  type DiscoveredCluster,
  type DiscoverOptions,
  type Discovery,
  type DiscoveryFailure,
  discover,
} from './discovery/discover.ts';
export type { GroupVersion } from './discovery/discovery-documents.ts';
export { isNoMatch, NoMatchError } from './discovery/no-match-error.ts';
export { type MappedCluster, type RestMapper, type RestMapperOptions, restMapper } from './discovery/rest-mapper.ts';
export type { ServedResource, ServedSubresource } from './discovery/served-resource.ts';
export { type LinkedSignal, linkSignal } from './link-signal.ts';
export type {
  AppliedObject,
  DeepPartial,
  MergePart,
  Patch,
  PatchOperation,
  StrategicDirectives,
  StrategicPart,
} from './object-part.ts';
export { type CreatedToken, type CreateTokenOptions, createToken } from './pods/create-token.ts';
export { type EvictingCluster, type EvictOptions, evict } from './pods/evict.ts';
export { type LogCluster, type LogLineOptions, type LogStream, type PodLogOptions, podLogs } from './pods/pod-logs.ts';
export { type GetScaleOptions, getScale, type Scale, type SetScaleOptions, setScale } from './pods/scale.ts';
export {
  metrics,
  type NodeUsage,
  type NodeUsageQuery,
  type PodUsage,
  type PodUsageQuery,
  type Usage,
  type UsageMetrics,
} from './pods/usage-metrics.ts';
export { type ProxyClient, type ProxyTarget, proxied } from './raw/proxied.ts';
export type { RawAnswer } from './raw/raw-answer.ts';
export type { RawRequest } from './raw/raw-request.ts';
export type { ByteStream, ReadAllOptions } from './streams/byte-stream.ts';
export type { TerminalSize } from './streams/channel-protocol.ts';
export type { CommandExit, CommandOutput, CommandSession } from './streams/command-session.ts';
export { type AttachOptions, attach, type ExecOptions, exec } from './streams/exec.ts';
export type { StreamCluster } from './streams/open-messages.ts';
export type { ByteSink, ByteSource } from './streams/outgoing-bytes.ts';
export { type ChoosingCluster, type ChosenPod, choosePod, type PodSource } from './streams/pod-choice.ts';
export { type ConnectPortOptions, connectPort, type PortConnection } from './streams/port-connection.ts';
export { isStreamError, StreamError, type StreamErrorCode } from './streams/stream-error.ts';
export type { MessageWebSocketLike } from './transport/carriers/browser-message-socket.ts';
export type { OpenMessageWebSocket } from './transport/carriers/browser-upgrades.ts';
export {
  createFetchTransport,
  type FetchFunction,
  type FetchInit,
  type FetchResponse,
  type FetchTransportOptions,
} from './transport/carriers/fetch-transport.ts';
export { createLoopbackTransport, type LoopbackHandler } from './transport/carriers/loopback-transport.ts';
export {
  createWebSocketTransport,
  type OpenWebSocket,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from './transport/carriers/websocket-transport.ts';
export type { TimingOptions } from './transport/exchange/pending-requests.ts';
export {
  createFailoverTransport,
  type FailoverOptions,
  type FailoverTransport,
} from './transport/failover/failover-transport.ts';
export type { ServerReport } from './transport/failover/server-report.ts';
export { assemble, type FeatureOptions } from './transport/layers/assemble.ts';
export { auth, type Credentials } from './transport/layers/auth.ts';
export { decorate } from './transport/layers/decorate.ts';
export { type Impersonation, impersonate } from './transport/layers/impersonate.ts';
export { logging, type RequestRecord } from './transport/layers/logging.ts';
export { rateLimit } from './transport/layers/rate-limit.ts';
export { type RetryOptions, retry } from './transport/layers/retry.ts';
export { type RateLimit, TokenBucket } from './transport/layers/token-bucket.ts';
export { type ServerWarning, warnings } from './transport/layers/warnings.ts';
export type { MessageListener, MessageSocket, UpgradeOffer } from './transport/message-socket.ts';
export type { Transport, TransportDecorator, TransportRequest, TransportResponse } from './transport/transport.ts';
export { isTransportError, TransportError, type TransportErrorCode } from './transport/transport-error.ts';
