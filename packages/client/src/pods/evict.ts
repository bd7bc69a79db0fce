/** Asks for a Pod to go, as `kubectl drain` does: the server refuses when a disruption budget does not allow it. */

import { type ApiObject, resource } from '@listwatch/api';
import type { Cluster, DeleteOptions, ObjectTarget } from '../cluster.ts';
import { deleteBody } from '../request/delete-body.ts';
import { checkOptionNames } from '../request/option-names.ts';
import { DELETE_NAMES, TARGET_NAMES } from '../request/request-options.ts';

/** Options of `evict`. */
export type EvictOptions = DeleteOptions;

interface Eviction extends ApiObject {
  readonly deleteOptions?: object;
}

/** An Eviction is posted to its Pod. */
const evictions = resource<Eviction>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });

/**
 * Evicts a Pod (policy/v1). Resolves when the server has accepted it; the Pod goes within its grace period. Rejects with 429
 * (`isTooManyRequests`) while a disruption budget does not allow it: try again later, after `retryAfterMs` if that is set.
 *
 * @example
 * await evict(cluster, { namespace: 'default', name: 'web-1' }, { gracePeriodSeconds: 30 });
 */
export async function evict(
  cluster: Pick<Cluster, 'create' | 'namespace'>,
  target: ObjectTarget,
  options: EvictOptions = {},
): Promise<void> {
  checkOptionNames('evict', target, TARGET_NAMES);
  checkOptionNames('evict', options, DELETE_NAMES);
  const { signal, dryRun, ...rest } = options;
  const { name, namespace = cluster.namespace } = target;
  const deleteOptions = deleteBody(rest);
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    ...(deleteOptions === undefined ? {} : { deleteOptions }),
  };
  await cluster.create(evictions, eviction, { subresource: 'eviction', dryRun, signal });
}
