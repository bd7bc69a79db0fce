/** How many objects of each kind are in a namespace. */

import type { Cluster, ServedResource } from '@listwatch/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePage } from './page.ts';
import { servedKinds } from './served-kinds.ts';

export interface KindCount {
  readonly kind: ServedResource;
  readonly count: number;
}

export interface NamespaceContent {
  readonly counts: readonly KindCount[];
  /** Have all kinds answered? */
  readonly isComplete: boolean;
}

const CONCURRENT_LISTS = 4;

/** Counts once, by lists of one object. `undefined`: nothing is counted. */
export function useNamespaceContent(namespace: string | undefined): NamespaceContent {
  const { cluster } = usePage();
  const content = useSignal<NamespaceContent>({ counts: [], isComplete: false });
  useEffect(() => {
    if (namespace === undefined) return undefined;
    const stop = new AbortController();
    const kinds = (servedKinds.value ?? []).filter(({ isPreferred, namespaced }) => isPreferred && namespaced).values();
    const count = async (): Promise<void> => {
      for (const kind of kinds) {
        const found = await countOf(cluster, kind, namespace, stop.signal);
        if (stop.signal.aborted) return;
        if (found > 0) content.value = { ...content.value, counts: [...content.value.counts, { kind, count: found }] };
      }
    };
    const countAll = async (): Promise<void> => {
      await Promise.all(Array.from({ length: CONCURRENT_LISTS }, count));
      content.value = { ...content.value, isComplete: true };
    };
    void countAll();
    return () => stop.abort();
  }, [cluster, namespace]);
  return content.value;
}

/** 0 when the kind may not be listed. */
async function countOf(cluster: Cluster, kind: ServedResource, namespace: string, stop: AbortSignal): Promise<number> {
  try {
    const query = { namespace, projection: 'metadata' as const, limit: 1, signal: stop };
    const { items, metadata } = await cluster.list(kind, query);
    return items.length + (metadata.remainingItemCount ?? 0);
  } catch {
    return 0;
  }
}
