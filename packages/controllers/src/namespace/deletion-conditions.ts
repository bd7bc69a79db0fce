/** The conditions that tell why a namespace is still terminating, in the words of Kubernetes. */

import type { NamespaceCondition } from '../core-resources.ts';
import type { DeletionReport } from './deletion-report.ts';

/** What a condition says, without its time. */
type Finding = Pick<NamespaceCondition, 'message' | 'reason' | 'type'> & { readonly status: 'False' | 'True' };

/** The conditions in their order, as they are when nothing is wrong. */
const FINE: readonly Finding[] = [
  fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
  fine(
    'NamespaceDeletionGroupVersionParsingFailure',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ),
  fine(
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ),
  fine('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
  fine('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
];

function fine(type: string, reason: string, message: string): Finding {
  return { type, status: 'False', reason, message };
}

/** The conditions after an attempt; the same array when nothing has changed. Conditions of others stay. */
export function deletionConditions(
  old: readonly NamespaceCondition[],
  report: DeletionReport,
  now: string,
): readonly NamespaceCondition[] {
  const troubles = new Map(troublesOf(report).map((finding) => [finding.type, finding]));
  const conditions = [...old];
  let isChanged = false;
  for (const ok of FINE) {
    const found = troubles.get(ok.type) ?? ok;
    const at = conditions.findIndex(({ type }) => type === ok.type);
    const before = conditions[at];
    if (before !== undefined && isSame(before, found)) continue;
    isChanged = true;
    // Only a change of the status is a transition.
    const lastTransitionTime = before?.status === found.status ? (before.lastTransitionTime ?? now) : now;
    conditions.splice(at < 0 ? conditions.length : at, 1, { ...found, lastTransitionTime });
  }
  return isChanged ? conditions : old;
}

function isSame(before: NamespaceCondition, found: Finding): boolean {
  return before.status === found.status && before.reason === found.reason && before.message === found.message;
}

function troublesOf({ remains, discovery }: DeletionReport): readonly Finding[] {
  const errors = remains.flatMap(({ error }) => (error === undefined ? [] : [messageOf(error)]));
  const kinds = remains.filter(({ count }) => count > 0);
  const finalizers = new Map<string, number>();
  for (const one of kinds) {
    for (const [name, count] of one.finalizers) finalizers.set(name, (finalizers.get(name) ?? 0) + count);
  }
  return [
    ...trouble('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', discovery?.message),
    ...trouble(
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      listed(errors, `Failed to delete all resource types, ${errors.length} remaining`),
    ),
    ...trouble(
      'NamespaceContentRemaining',
      'SomeResourcesRemain',
      listed(
        // A kind of the core group ends with a dot, as in Kubernetes.
        kinds.map(({ resource, count }) => `${resource.plural}.${resource.group} has ${count} resource instances`),
        'Some resources are remaining',
      ),
    ),
    ...trouble(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      listed(
        Array.from(finalizers, ([name, count]) => `${name} in ${count} resource instances`),
        'Some content in the namespace has finalizers remaining',
      ),
    ),
  ];
}

function trouble(type: string, reason: string, message: string | undefined): readonly Finding[] {
  return message === undefined ? [] : [{ type, status: 'True', reason, message }];
}

/** Sorted, so that the same findings give the same text. */
function listed(items: readonly string[], lead: string): string | undefined {
  return items.length === 0 ? undefined : `${lead}: ${items.toSorted().join(', ')}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
