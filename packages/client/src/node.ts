/** The entry for Node: everything of `index.ts`, and what needs files, sockets and processes. */

export { type ManifestFile, readManifestFiles } from './apply/manifest-files.ts';
export { ConfigError, type ConfigErrorCode } from './auth/config-error.ts';
export { type KubeContext, Kubeconfig, loadKubeconfig } from './auth/kubeconfig.ts';
export {
  type ClusterAddress,
  clusterAddress,
  connect,
  type KubeconfigOptions,
  type NodeConnectOptions,
  type NodeServerListOptions,
  type NodeServerOptions,
  type SocketConnectOptions,
} from './connect.ts';
export * from './index.ts';
export { type CopyFromOptions, type CopyResult, copyFrom } from './streams/copy-from.ts';
export { type CopyToOptions, copyTo } from './streams/copy-to.ts';
export { type ForwardedPort, type ForwardPortOptions, forwardPort } from './streams/forward-port.ts';
export type { TarEntryType } from './streams/tar/tar-header.ts';
export { createHttp1Transport, type Http1TransportOptions } from './transport/carriers/http1-transport.ts';
export { createHttp2Transport, type Http2TransportOptions } from './transport/carriers/http2-transport.ts';
export {
  createNegotiatedTransport,
  type NegotiatedTransportOptions,
} from './transport/carriers/negotiated-transport.ts';
export { type NodeWebSocketOptions, nodeWebSocket } from './transport/carriers/node-websocket.ts';
export type { SocketOptions } from './transport/dial/dial.ts';
export type { TlsSettings } from './transport/dial/tls-settings.ts';
export type { SocketTransport } from './transport/socket-transport.ts';
