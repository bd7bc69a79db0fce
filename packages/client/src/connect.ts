/** `connect` on Node: kubeconfig, service account, or an address. */

import { systemClock } from '@listwatch/api';
import { assembleCluster } from './assemble-cluster.ts';
import type { ClusterAccess } from './auth/cluster-access.ts';
import { ConfigError } from './auth/config-error.ts';
import { type Kubeconfig, kubeconfigPaths, loadKubeconfig } from './auth/kubeconfig.ts';
import type { Cluster } from './cluster.ts';
import {
  CONNECT_NAMES,
  type ConnectOptions,
  checkServer,
  clusterName,
  credentialsOf,
  orderedServers,
  type ServerListOptions,
  type ServerOptions,
  type ServerOrder,
  type TransportConnectOptions,
} from './connect-options.ts';
import { checkOptionNames, type OptionNames } from './request/option-names.ts';
import { createHttp1Transport } from './transport/carriers/http1-transport.ts';
import { createHttp2Transport } from './transport/carriers/http2-transport.ts';
import { createNegotiatedTransport } from './transport/carriers/negotiated-transport.ts';
import { environmentProxy } from './transport/dial/environment-proxy.ts';
import type { TlsSettings } from './transport/dial/tls-settings.ts';
import { createFailoverTransport } from './transport/failover/failover-transport.ts';
import { gzipAnswers, isPacked } from './transport/layers/gzip-answers.ts';
import type { SocketTransport } from './transport/socket-transport.ts';

/** Options of connections over sockets. */
export interface SocketConnectOptions extends ConnectOptions {
  /** Default: HTTP/2 where the server speaks it. */
  readonly protocol?: 'http/1.1' | 'http/2' | undefined;
  /**
   * Request lists in gzip: about a tenth of the bytes, at the cost of CPU on the server. Default: the kubeconfig's setting, else
   * true unless the server is on this machine.
   */
  readonly compression?: boolean | undefined;
}

/** To a server by its address. */
export interface NodeServerOptions extends ServerOptions, SocketConnectOptions {
  /** PEM of the authorities to trust. Default: those that Node trusts. */
  readonly caData?: string | undefined;
  /** PEM of a client certificate and its key. */
  readonly certData?: string | undefined;
  readonly keyData?: string | undefined;
  /** The name that the server's certificate must have, when it is not the name in the address. */
  readonly tlsServerName?: string | undefined;
  /** Skip TLS certificate verification. An attacker on the network can then read everything, including the token. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly proxyUrl?: string | undefined;
}

/** To several servers of one cluster by their addresses. */
export interface NodeServerListOptions extends ServerListOptions, Omit<NodeServerOptions, 'server'> {}

/** By a kubeconfig, or as the service account of this pod. */
export interface KubeconfigOptions extends SocketConnectOptions {
  /** A file. Default: those of `KUBECONFIG`, else `~/.kube/config`; where there is none, the service account. */
  readonly kubeconfig?: string | undefined;
  /** Instead of a file: the kubeconfig itself, from a secret or an environment variable. Paths in it must be absolute. */
  readonly kubeconfigText?: string | undefined;
  /** Default: the current one. */
  readonly context?: string | undefined;
  /** The order in which the servers of the cluster are preferred, if there are several. Default: `random`. */
  readonly serverOrder?: ServerOrder | undefined;
}

export type NodeConnectOptions =
  | KubeconfigOptions
  | NodeServerListOptions
  | NodeServerOptions
  | TransportConnectOptions;

const NODE_NAMES: OptionNames<KubeconfigOptions & NodeServerListOptions & NodeServerOptions & TransportConnectOptions> =
  {
    ...CONNECT_NAMES,
    kubeconfig: true,
    kubeconfigText: true,
    context: true,
    caData: true,
    certData: true,
    keyData: true,
    tlsServerName: true,
    insecureSkipTlsVerify: true,
    proxyUrl: true,
    protocol: true,
    compression: true,
  };

const OF_KUBECONFIG = ['kubeconfig', 'kubeconfigText', 'context'] as const;
const OF_ADDRESS = [
  ...(['token', 'credentials', 'caData', 'certData', 'keyData', 'tlsServerName'] as const),
  ...(['insecureSkipTlsVerify', 'proxyUrl'] as const),
];

/** An option that is passed over would mean another cluster, or another user, than the one that is asked for. */
function checkCombination(options: NodeConnectOptions): void {
  const given = (names: readonly string[]): string | undefined =>
    Object.entries(options).find(([name, value]) => value !== undefined && names.includes(name))?.[0];
  const address = given(['transport', 'server', 'servers']);
  const ofOther = given(address === undefined ? OF_ADDRESS : OF_KUBECONFIG);
  if (ofOther === undefined) return;
  throw new TypeError(
    address === undefined
      ? `${ofOther} requires server or servers: a kubeconfig has its own`
      : `${address} cannot be combined with ${ofOther}: a kubeconfig has its own server`,
  );
}

/** Connects. Reads files now, so that errors in them show now; contacts the server with the first request. */
export async function connect(options: NodeConnectOptions = {}): Promise<Cluster> {
  checkOptionNames('connect', options, NODE_NAMES);
  checkCombination(options);
  if ('transport' in options) {
    const { transport, server = transport.name } = options;
    return assembleCluster(transport, { server }, credentialsOf(options), options);
  }
  const access = await accessOf(options);
  // A missing certificate file must fail here, not at the first request.
  await access.tls();
  const carriers = access.servers.map((server) => createCarrier(server, access, options));
  if (access.credentials !== undefined) {
    access.credentials.onCertificate = () => {
      for (const carrier of carriers) carrier.reconnect();
    };
  }
  const { namespace = access.namespace, impersonate = access.impersonate } = options;
  const [only, ...others] = carriers;
  const failover = createFailoverTransport(carriers, { clock: options.clock, names: access.servers });
  const isSingle = only !== undefined && others.length === 0;
  const transport = isSingle ? only : failover;
  const packed = isPacked(access, options) ? gzipAnswers()(transport) : transport;
  const address = { server: clusterName(access.servers), servers: isSingle ? undefined : () => failover.servers };
  return assembleCluster(packed, address, access.credentials, { ...options, namespace, impersonate });
}

/** Where a cluster is, and how its certificate is checked: for programs that connect by themselves. There is no login in it. */
export interface ClusterAddress {
  /** In the order of preference; all of the same cluster. */
  readonly servers: readonly string[];
  /** The authority and the name to expect, without a certificate of the client. Asked again for each connection: files may change. */
  readonly tls: () => Promise<Omit<TlsSettings, 'cert' | 'key'>>;
  readonly proxy: string | undefined;
}

/** The address that `connect` would use. Rejects with a `ConfigError`. */
export async function clusterAddress(
  options: KubeconfigOptions | NodeServerListOptions | NodeServerOptions = {},
): Promise<ClusterAddress> {
  checkCombination(options);
  const { servers, tls, proxy } = await accessOf(options);
  return {
    servers,
    tls: async () => {
      const { ca, serverName, insecure } = await tls();
      return { ca, serverName, insecure };
    },
    proxy,
  };
}

function accessOf(options: KubeconfigOptions | NodeServerListOptions | NodeServerOptions): Promise<ClusterAccess> {
  if ('server' in options && 'servers' in options) throw new TypeError('pass server or servers, not both');
  if ('server' in options) {
    checkServer(options.server);
    return Promise.resolve(serverAccess([options.server], options));
  }
  if ('servers' in options) return Promise.resolve(serverAccess(orderedServers(options), options));
  return describedAccess(options);
}

/** Where another server can take over, a silent one is given up sooner. */
const SEVERAL_SERVERS = { connectTimeoutMs: 5_000, pingAfterMs: 5_000, pongWithinMs: 5_000 } as const;

function createCarrier(server: string, access: ClusterAccess, options: SocketConnectOptions): SocketTransport {
  const { clock, headersTimeoutMs, protocol } = options;
  const { servers, tls, proxy = environmentProxy(server, process.env) } = access;
  const limits = servers.length > 1 ? SEVERAL_SERVERS : {};
  const settings = { server, tls, proxy, clock, headersTimeoutMs, ...limits };
  if (protocol === 'http/1.1') return createHttp1Transport(settings);
  return protocol === 'http/2' ? createHttp2Transport(settings) : createNegotiatedTransport(settings);
}

function serverAccess(servers: readonly string[], options: Omit<NodeServerOptions, 'server'>): ClusterAccess {
  const { caData: ca, certData: cert, keyData: key, tlsServerName: serverName } = options;
  if ((cert === undefined) !== (key === undefined)) throw new TypeError('certData and keyData belong together');
  const credentials = credentialsOf(options);
  return {
    servers,
    namespace: undefined,
    tls: async () => ({ ca, cert, key, serverName, insecure: options.insecureSkipTlsVerify }),
    proxy: options.proxyUrl,
    compression: undefined,
    credentials: credentials && {
      headers: (how) => credentials.headers(how),
      renew: (refused, how) => credentials.renew(refused, how),
    },
    impersonate: undefined,
  };
}

async function describedAccess({
  kubeconfig,
  kubeconfigText,
  context,
  serverOrder,
  clock = systemClock,
}: KubeconfigOptions): Promise<ClusterAccess> {
  const config = await loadKubeconfig({ path: kubeconfig, text: kubeconfigText });
  // kubectl treats an empty kubeconfig as none, too.
  const named = kubeconfig !== undefined || kubeconfigText !== undefined || context !== undefined;
  if (config !== undefined && (named || describes(config))) {
    // Loaded when needed: a program with a token of its own starts no exec plugin.
    const { kubeconfigAccess } = await import('./auth/kubeconfig-access.ts');
    return kubeconfigAccess(config.context(context), clock, serverOrder);
  }
  const { inClusterAccess } = await import('./auth/in-cluster.ts');
  const access = await inClusterAccess({ clock });
  if (access !== undefined) return access;
  const looked = kubeconfigPaths({}).join(', ');
  throw new ConfigError(
    'NO_CONFIG',
    `no cluster is described: ${looked} ${config === undefined ? 'is not there' : 'names none'}, and this is no pod. ` +
      'Set KUBECONFIG, or connect with { kubeconfig }, { kubeconfigText }, { server } or { servers }',
  );
}

function describes(config: Kubeconfig): boolean {
  return config.currentContext !== undefined || config.contextNames.length > 0;
}
