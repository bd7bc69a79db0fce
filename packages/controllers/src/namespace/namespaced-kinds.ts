/** The kinds that a namespace can have objects of. */

import { apiVersionOf } from '@listwatch/api';
import { type Cluster, type DiscoveryFailure, discover, type ServedResource } from '@listwatch/client';

/** A kind whose objects can be deleted. */
export interface ContentKind {
  readonly resource: ServedResource;
  readonly verbs: readonly string[];
}

/** What discovery has found. */
export interface NamespacedKinds {
  readonly kinds: readonly ContentKind[];
  /** Why kinds may be missing. */
  readonly discovery?: Error | undefined;
}

/** Asks the server for them. A failure is part of the answer: what is known is deleted all the same. */
export async function discoverNamespacedKinds(cluster: Cluster, signal: AbortSignal): Promise<NamespacedKinds> {
  try {
    const { resources, failures } = await discover(cluster, { signal });
    const deletable = resources.filter(
      ({ namespaced, isPreferred, verbs }) => namespaced && isPreferred && verbs.includes('delete'),
    );
    const kinds = deletable.map((resource) => ({ resource, verbs: resource.verbs }));
    return { kinds, discovery: failures.length === 0 ? undefined : incomplete(failures) };
  } catch (error) {
    signal.throwIfAborted();
    return { kinds: [], discovery: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** In the words of Kubernetes. */
function incomplete(failures: readonly DiscoveryFailure[]): Error {
  const groups = failures.map((one) => `${apiVersionOf(one)}: ${textOf(one.error)}`).toSorted();
  const why = `unable to retrieve the complete list of server APIs: ${groups.join(', ')}`;
  return new Error(`Discovery failed for some groups, ${failures.length} failing: ${why}`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
