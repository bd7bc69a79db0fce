/** Deletes everything in a namespace. One attempt; what is left is in its report. */

import { isMethodNotAllowed, isNotFound, type Resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { pods } from '../core-resources.ts';
import { deletePages } from './delete-pages.ts';
import type { DeletionReport, KindRemains } from './deletion-report.ts';
import type { ContentKind, NamespacedKinds } from './namespaced-kinds.ts';

/** Objects for each request of a list. */
const PAGE = 500;

/** Kinds that are emptied at once: they wait for the store most of the time. */
const KINDS_AT_ONCE = 5;

/** Kubernetes' guess for finalizers, in seconds. */
const FINALIZER_ESTIMATE = 15;

/** The namespace to empty. */
export interface ContentScope {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** When its deletion began, in milliseconds since 1970. */
  readonly deletedAt: number;
  readonly signal: AbortSignal;
}

/** Pods first, then the rest: what pods use stays while they run. */
export async function deleteContent(scope: ContentScope, found: NamespacedKinds): Promise<DeletionReport> {
  const { discovery } = found;
  const first = await deleteKinds(
    scope,
    found.kinds.filter(({ resource }) => isPods(resource)),
  );
  if (first.some(({ count }) => count > 0)) return { remains: first, discovery };
  const rest = await deleteKinds(
    scope,
    found.kinds.filter(({ resource }) => !isPods(resource)),
  );
  return { remains: [...first, ...rest], discovery };
}

function isPods({ group, plural }: Resource): boolean {
  return group === '' && plural === pods.plural;
}

async function deleteKinds(scope: ContentScope, kinds: readonly ContentKind[]): Promise<readonly KindRemains[]> {
  const remains: KindRemains[] = [];
  const waiting = kinds.values();
  const worker = async (): Promise<void> => {
    for (const kind of waiting) {
      const left = await deleteKind(scope, kind);
      if (left.count > 0 || left.error !== undefined) remains.push(left);
    }
  };
  await Promise.all(Array.from({ length: KINDS_AT_ONCE }, worker));
  return remains;
}

/** Rejects only when the signal is aborted: one kind must not keep the others from being deleted. */
async function deleteKind(scope: ContentScope, kind: ContentKind): Promise<KindRemains> {
  const { resource } = kind;
  let estimateSeconds = 0;
  try {
    estimateSeconds = await graceEstimate(scope, resource);
    await deleteObjects(scope, kind);
    if (!kind.verbs.includes('list')) return { resource, count: 0, finalizers: new Map(), estimateSeconds };
    return judged(scope, await remaining(scope, resource), estimateSeconds);
  } catch (error) {
    scope.signal.throwIfAborted();
    return { resource, count: 0, finalizers: new Map(), estimateSeconds, error };
  }
}

/** Finalizers and grace take time; anything else that is left should have been deleted. */
function judged({ namespace }: ContentScope, left: Left, estimateSeconds: number): KindRemains {
  const { resource, count, finalizers } = left;
  if (count === 0) return { ...left, estimateSeconds: 0 };
  if (estimateSeconds > 0) return { ...left, estimateSeconds };
  if (finalizers.size > 0) return { ...left, estimateSeconds: FINALIZER_ESTIMATE };
  const gvr = `${resource.group}/${resource.version}, Resource=${resource.plural}`;
  const error = new Error(`unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}`);
  return { resource, count, finalizers, estimateSeconds, error };
}

async function deleteObjects(scope: ContentScope, { resource, verbs }: ContentKind): Promise<void> {
  const { cluster, namespace, signal } = scope;
  if (verbs.includes('deletecollection')) {
    try {
      return await deletePages(cluster, { resource, namespace, signal });
    } catch (error) {
      // Discovery promised more than the server has.
      if (!isMethodNotAllowed(error) && !isNotFound(error)) throw error;
    }
  }
  if (!verbs.includes('list')) return;
  for await (const page of cluster.pages(resource, { namespace, projection: 'metadata', limit: PAGE, signal })) {
    for (const { metadata } of await page.items()) await deleteOne(scope, resource, metadata.name);
  }
}

async function deleteOne(
  { cluster, namespace, signal }: ContentScope,
  resource: Resource,
  name: string,
): Promise<void> {
  try {
    await cluster.delete(resource, { namespace, name }, { propagationPolicy: 'Background', signal });
  } catch (error) {
    if (!isNotFound(error) && !isMethodNotAllowed(error)) throw error;
  }
}

type Left = Pick<KindRemains, 'count' | 'finalizers' | 'resource'>;

async function remaining({ cluster, namespace, signal }: ContentScope, resource: Resource): Promise<Left> {
  const finalizers = new Map<string, number>();
  let count = 0;
  for await (const page of cluster.pages(resource, { namespace, projection: 'metadata', limit: PAGE, signal })) {
    for await (const { metadata } of page) {
      count++;
      for (const name of metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
    }
  }
  return { resource, count, finalizers };
}

/** The longest grace period of a running pod, in seconds; 0 once it has passed since the deletion of the namespace. */
async function graceEstimate(
  { cluster, namespace, deletedAt, signal }: ContentScope,
  resource: Resource,
): Promise<number> {
  if (!isPods(resource)) return 0;
  let longest = 0;
  for await (const page of cluster.pages(pods, { namespace, limit: PAGE, signal })) {
    for await (const { spec, status } of page) {
      if (status?.phase === 'Succeeded' || status?.phase === 'Failed') continue;
      longest = Math.max(longest, spec?.terminationGracePeriodSeconds ?? 0);
    }
  }
  return cluster.clock.now() - deletedAt >= longest * 1000 ? 0 : longest;
}
