/** Asks for a Pod to go, as `kubectl drain` does: the server refuses when a disruption budget does not allow it. */

import { resource, resourcePath } from '@listwatch/api';
import type { Cluster, DeleteOptions, ObjectTarget } from '../cluster.ts';
import { deleteBody } from '../request/delete-body.ts';
import { transportRequest } from '../request/json-request.ts';
import { withQuery } from '../request/list-path.ts';
import { namedFailure, type RequestSubject } from '../request/named-failure.ts';
import { checkOptionNames } from '../request/option-names.ts';
import { readOver } from '../request/read-body.ts';
import { DELETE_NAMES, TARGET_NAMES } from '../request/request-options.ts';
import { exchange } from '../request/send-request.ts';
import { writeQuery } from '../request/write-query.ts';

/** Options of `evict`. */
export type EvictOptions = DeleteOptions;

/** What `evict` needs of a cluster. */
export type EvictingCluster = Pick<Cluster, 'namespace' | 'server' | 'transport' | 'userAgent'>;

const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const podEviction = resource({ version: 'v1', plural: 'pods/eviction', kind: 'Eviction', namespaced: true });

/**
 * Evicts a Pod (policy/v1). Resolves when the server has accepted it; the Pod goes within its grace period. Rejects with 429
 * (`isTooManyRequests`) while a disruption budget does not allow it: try again later, after `retryAfterMs` if that is set.
 *
 * @example
 * await evict(cluster, { namespace: 'default', name: 'web-1' }, { gracePeriodSeconds: 30 });
 */
export async function evict(cluster: EvictingCluster, target: ObjectTarget, options: EvictOptions = {}): Promise<void> {
  checkOptionNames('evict', target, TARGET_NAMES);
  checkOptionNames('evict', options, DELETE_NAMES);
  const { signal, dryRun, ...rest } = options;
  const { name, namespace = cluster.namespace } = target;
  const path = withQuery(resourcePath(pods, { namespace, name, subresource: 'eviction' }), writeQuery({ dryRun }));
  const deleteOptions = deleteBody(rest);
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
  const request = transportRequest({ method: 'POST', path, body, signal }, cluster.userAgent);
  const subject: RequestSubject = { verb: 'create', resource: podEviction, server: cluster.server, namespace, name };
  try {
    // The 429 of a budget may take hours to go away: the caller decides, not a layer that waits without a word.
    const answer = await exchange(cluster.transport, { ...request, maxRetries: 0 }, subject);
    await readOver(answer.body);
  } catch (error) {
    throw namedFailure(error, subject);
  }
}
