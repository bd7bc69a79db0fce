/** Asks a server what it serves. */

import { type AbortOptions, groupVersionPath, statusErrorFromResponse } from '@listwatch/api';
import { type Cluster, TransportError } from '@listwatch/client';
import { type GroupVersion, readAggregated, readGroupVersions, readResourceList } from './discovery-documents.ts';
import type { ServedResource } from './served-resource.ts';

const AGGREGATED = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
/** Servers before 1.26 answer with the old documents. */
const ACCEPT = [...AGGREGATED, 'application/json'].join(',');

/** What `discover` needs of a cluster. */
export type DiscoveredCluster = Pick<Cluster, 'transport'>;

/** Everything that is served, the core group first, preferred versions before others. Rejects as a cluster's methods do. */
export async function discover(
  cluster: DiscoveredCluster,
  options: AbortOptions = {},
): Promise<readonly ServedResource[]> {
  const parts = await Promise.all(['/api', '/apis'].map((path) => discoverBelow(cluster, path, options)));
  return parts.flat();
}

async function discoverBelow(
  cluster: DiscoveredCluster,
  path: string,
  options: AbortOptions,
): Promise<readonly ServedResource[]> {
  const document = await getJson(cluster, path, options);
  return readAggregated(document) ?? oneByOne(cluster, readGroupVersions(document), options);
}

/** A group whose own server is down must not hide the others; when all are down, that is what is told. */
async function oneByOne(
  cluster: DiscoveredCluster,
  versions: readonly GroupVersion[],
  options: AbortOptions,
): Promise<readonly ServedResource[]> {
  const asked = versions.map(async (version) =>
    readResourceList(await getJson(cluster, groupVersionPath(version), options), version),
  );
  const answers = await Promise.allSettled(asked);
  options.signal?.throwIfAborted();
  const [refused] = answers.filter((answer) => answer.status === 'rejected');
  if (refused !== undefined && answers.every(({ status }) => status === 'rejected')) throw refused.reason;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

async function getJson({ transport }: DiscoveredCluster, path: string, { signal }: AbortOptions): Promise<unknown> {
  const headers = { accept: ACCEPT, 'user-agent': 'listwatch' };
  const { status, headers: answered, body } = await transport.send({ method: 'GET', path, headers, signal });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk.slice());
  const text = Buffer.concat(chunks).toString('utf8');
  if (status >= 400) {
    throw statusErrorFromResponse({ code: status, body: text, contentType: answered['content-type'], method: 'GET' });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const shown = JSON.stringify(text.slice(0, 80));
    throw new TransportError('PROTOCOL', `GET ${path} was answered with ${shown}, which is no API`, { cause });
  }
}
