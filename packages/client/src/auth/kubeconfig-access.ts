/** From a context of a kubeconfig to everything that is needed to reach its cluster. */

import type { Clock } from '@listwatch/api';
import { orderedServers, type ServerOrder } from '../connect-options.ts';
import { PROXY_PROTOCOLS } from '../transport/dial/proxy.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { ConfigError } from './config-error.ts';
import type { ExecClusterInfo } from './exec-plugin.ts';
import type { KubeContext } from './kubeconfig.ts';
import { userCredentials, userImpersonation } from './kubeconfig-user.ts';
import { type PemSource, pemSource } from './pem.ts';
import type { YamlNode } from './yaml-node.ts';

/** Name of the extension that a cluster may carry for exec plugins. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/** Name of the extension that lists further servers of a cluster. kubectl passes over it and uses `server`. */
const SERVERS_EXTENSION = 'listwatch.dev/servers';

export async function kubeconfigAccess(
  context: KubeContext,
  clock: Clock,
  serverOrder?: ServerOrder,
): Promise<ClusterAccess> {
  const { cluster, user } = context;
  const server = serverOf(cluster);
  const ca = pemSource(cluster, 'certificate-authority');
  const insecure = cluster.flag('insecure-skip-tls-verify');
  if (insecure && ca !== undefined) {
    throw cluster.invalid('has a certificate-authority and insecure-skip-tls-verify; only one can be meant');
  }
  const caData = await ca?.();
  const clusterInfo = (): ExecClusterInfo => execClusterInfo(cluster, server, caData);
  const proxy = proxyOf(cluster);
  const credentials = user && (await userCredentials({ ...user, clock, proxy, clusterInfo }));
  const pair = user === undefined ? undefined : certificateSources(user.node);
  return {
    servers: orderedServers({ servers: [server, ...furtherServers(cluster)], serverOrder }),
    namespace: context.namespace,
    proxy,
    compression: cluster.flag('disable-compression') ? false : undefined,
    credentials,
    impersonate: user && userImpersonation(user.node),
    tls: async () => {
      const { cert, key } = (await credentials?.certificate?.()) ?? {
        cert: await pair?.cert(),
        key: await pair?.key(),
      };
      return { ca: await ca?.(), cert, key, insecure, serverName: cluster.text('tls-server-name') };
    },
  };
}

function serverOf(cluster: YamlNode): string {
  const server = cluster.text('server');
  if (server === undefined) throw cluster.invalid('has no server');
  if (!isServerUrl(server)) {
    throw (cluster.get('server') ?? cluster).invalid(`is not an address as https://host:port: ${server}`);
  }
  return server;
}

function furtherServers(cluster: YamlNode): readonly string[] {
  const extension = extensionOf(cluster, SERVERS_EXTENSION);
  const servers = extension?.texts('servers') ?? [];
  const wrong = servers.find((server) => !isServerUrl(server));
  if (wrong === undefined) return servers;
  throw (extension?.get('servers') ?? cluster).invalid(`has what is not an address as https://host:port: ${wrong}`);
}

function isServerUrl(text: string): boolean {
  return /^https?:\/\//u.test(text) && URL.canParse(text);
}

function extensionOf(cluster: YamlNode, name: string): YamlNode | undefined {
  return cluster
    .list('extensions')
    .find((entry) => entry.text('name') === name)
    ?.get('extension');
}

function proxyOf(cluster: YamlNode): string | undefined {
  const proxy = cluster.text('proxy-url');
  if (proxy === undefined || (URL.canParse(proxy) && PROXY_PROTOCOLS.has(new URL(proxy).protocol))) return proxy;
  throw (cluster.get('proxy-url') ?? cluster).invalid('is not the address of an http, https or socks5 proxy');
}

function certificateSources(user: YamlNode): { readonly cert: PemSource; readonly key: PemSource } | undefined {
  const cert = pemSource(user, 'client-certificate');
  const key = pemSource(user, 'client-key');
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  const [has, lacks] = cert === undefined ? ['client-key', 'client-certificate'] : ['client-certificate', 'client-key'];
  throw new ConfigError('FILE_INVALID', `${user.place}: the user has a ${has} but no ${lacks}`);
}

/** In the words of ExecCredential. */
function execClusterInfo(cluster: YamlNode, server: string, ca: string | undefined): ExecClusterInfo {
  const facts = {
    server,
    'tls-server-name': cluster.text('tls-server-name'),
    'insecure-skip-tls-verify': cluster.flag('insecure-skip-tls-verify') || undefined,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca, 'latin1').toString('base64'),
    'proxy-url': cluster.text('proxy-url'),
    config: extensionOf(cluster, EXEC_EXTENSION)?.value,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
