/** Asks a server what it serves. */

import {
  type AbortOptions,
  apiVersionOf,
  groupVersionPath,
  isForbidden,
  isNotFound,
  serviceUnavailable,
} from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { Cluster } from '../cluster.ts';
import { transportRequest } from '../request/json-request.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { readJsonBody } from '../request/read-body.ts';
import { exchange } from '../request/send-request.ts';
import { isTransportError, TransportError } from '../transport/transport-error.ts';
import {
  type GroupVersion,
  readAggregated,
  readGroupVersions,
  readResourceList,
  withPreferred,
} from './discovery-documents.ts';
import type { ServedResource } from './served-resource.ts';

/** What `discover` needs of a cluster. */
export type DiscoveredCluster = Pick<Cluster, 'transport' | 'userAgent'>;

/** A version of a group that could not be discovered: its own server is down, for example. */
export interface DiscoveryFailure extends GroupVersion {
  readonly error: unknown;
}

/** What a server serves. */
export interface Discovery {
  /** The core group first; of each group the preferred version before the others. */
  readonly resources: readonly ServedResource[];
  /** Groups that are missing from `resources`, or may be out of date there. */
  readonly failures: readonly DiscoveryFailure[];
}

/** The options of `discover`. */
export type DiscoverOptions = AbortOptions;

const DISCOVER_NAMES: OptionNames<DiscoverOptions> = { signal: true };

const AGGREGATED = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
/** Servers before 1.26 answer with the old documents. */
const ACCEPT = AGGREGATED.concat('application/json').join(',');

/** A cluster with a thousand custom types has some megabytes. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** As client-go: one group whose server hangs or asks for patience must not hold the others back for long. */
const LIMITS = { headersTimeoutMs: 32_000, maxRetries: 1 } as const;

/** How many versions of an old server are asked for at a time. */
const CONCURRENT_REQUESTS = 10;

/**
 * Everything that is served. A group that cannot be discovered is reported and does not hide the others. Rejects as a
 * cluster's methods do when nothing can be discovered.
 *
 * @example
 * const { resources, failures } = await discover(cluster);
 */
export async function discover(cluster: DiscoveredCluster, options: DiscoverOptions = {}): Promise<Discovery> {
  checkOptionNames('discover', options, DISCOVER_NAMES);
  const roots = await Promise.allSettled(['/api', '/apis'].map((path) => discoverBelow(cluster, path, options)));
  options.signal?.throwIfAborted();
  const refusals = roots.flatMap((root) => (root.status === 'rejected' ? [root.reason as unknown] : []));
  // As client-go: a server may have only one of the two, or not show it to everyone.
  const fatal = refusals.find((error) => !isNotFound(error) && !isForbidden(error));
  if (fatal !== undefined) throw fatal;
  if (refusals.length === roots.length) throw refusals[0];
  const parts = roots.flatMap((root) => (root.status === 'fulfilled' ? [root.value] : []));
  const resources = parts.flatMap((part) => part.resources);
  const failures = parts.flatMap((part) => part.failures);
  const [first] = failures;
  if (resources.length === 0 && first !== undefined) throw first.error;
  return { resources: withPreferred(resources), failures };
}

async function discoverBelow(cluster: DiscoveredCluster, path: string, options: AbortOptions): Promise<Discovery> {
  const document = await getDocument(cluster, path, options);
  const aggregated = readAggregated(document);
  if (aggregated === undefined) return oneByOne(cluster, readGroupVersions(document), options);
  const failures = aggregated.stale.map((version) => {
    const error = serviceUnavailable(`the server of ${apiVersionOf(version)} cannot be reached`);
    return { ...version, error };
  });
  return { resources: aggregated.resources, failures };
}

async function oneByOne(
  cluster: DiscoveredCluster,
  versions: readonly GroupVersion[],
  options: AbortOptions,
): Promise<Discovery> {
  const found = new Map<GroupVersion, readonly ServedResource[]>();
  const failures: DiscoveryFailure[] = [];
  const waiting = versions.values();
  const work = async (): Promise<void> => {
    for (const version of waiting) {
      try {
        const document = await getDocument(cluster, groupVersionPath(version), options);
        found.set(version, readResourceList(document, version));
      } catch (error) {
        options.signal?.throwIfAborted();
        failures.push({ ...version, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_REQUESTS, versions.length) }, work));
  return { resources: versions.flatMap((version) => found.get(version) ?? []), failures };
}

async function getDocument(
  { transport, userAgent }: DiscoveredCluster,
  path: string,
  { signal }: AbortOptions,
): Promise<JsonRecord> {
  const request = transportRequest({ method: 'GET', path, accept: ACCEPT, signal }, userAgent);
  const { body } = await exchange(transport, { ...request, ...LIMITS }, {});
  try {
    return await readJsonBody(body, MAX_DOCUMENT_BYTES);
  } catch (error) {
    if (!isTransportError(error)) throw error;
    throw new TransportError(error.code, `GET ${path}: ${error.message}`, { cause: error });
  }
}
