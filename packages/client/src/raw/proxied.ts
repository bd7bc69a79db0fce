/** Requests to what runs in the cluster, through its server: nothing but the server must be reached. */

import type { Cluster } from '../cluster.ts';
import type { RawAnswer } from './raw-answer.ts';
import type { RawRequest } from './raw-request.ts';

/** What is reached. */
export interface ProxyTarget {
  readonly resource: 'nodes' | 'pods' | 'services';
  readonly name: string;
  /** Default: the cluster's. */
  readonly namespace?: string | undefined;
  /** A number, or of a Service its name. Default: the first port; of a node the kubelet's. */
  readonly port?: number | string | undefined;
  /** Default: `http`; of a kubelet always `https`. */
  readonly scheme?: 'http' | 'https' | undefined;
}

/** Sends requests to one target. */
export interface ProxyClient {
  raw(path: string, options?: RawRequest): Promise<RawAnswer>;
}

/**
 * A client of a Pod, a Service or a node behind the server's proxy. The path is that of the target.
 *
 * @example
 * const web = proxied(cluster, { resource: 'services', name: 'web', port: 80 });
 * const health = await (await web.raw('/healthz')).text();
 */
export function proxied(cluster: Pick<Cluster, 'namespace' | 'raw'>, target: ProxyTarget): ProxyClient {
  const prefix = proxyPath(target, cluster.namespace);
  return { raw: (path, options) => cluster.raw(prefix + (path.startsWith('/') ? path : `/${path}`), options) };
}

const RESOURCES: ReadonlySet<string> = new Set(['nodes', 'pods', 'services']);

function proxyPath({ resource, name, namespace, port, scheme }: ProxyTarget, fallback: string): string {
  if (!RESOURCES.has(resource)) throw new TypeError(`nodes, pods and services have a proxy, not ${resource}`);
  if (typeof name !== 'string' || name === '') throw new TypeError('a proxy needs the name of its target');
  const withPort = port === undefined ? name : `${name}:${port}`;
  const whole = scheme === undefined ? withPort : `${scheme}:${port === undefined ? `${name}:` : withPort}`;
  const scope = resource === 'nodes' ? '' : `/namespaces/${encodeURIComponent(namespace ?? fallback)}`;
  return `/api/v1${scope}/${resource}/${encodeURIComponent(whole).replaceAll('%3A', ':')}/proxy`;
}
