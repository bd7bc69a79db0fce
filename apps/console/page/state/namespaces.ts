/** The names of the namespaces, watched while some view shows them. */

import { namespaces } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePage } from './page.ts';

export const namespaceNames: Signal<readonly string[]> = signal([]);

/** Who may not list namespaces gets none, and types into the address. */
export function useNamespaces(): void {
  const { cluster } = usePage();
  useEffect(() => {
    const stop = new AbortController();
    const cache = informer(cluster, namespaces, { projection: 'metadata', signal: stop.signal, onWarning: () => {} });
    cache.synced.catch(() => {});
    const follow = async (): Promise<void> => {
      for await (const change of cache.changes({ signal: stop.signal })) {
        if (change.type !== 'update') namespaceNames.value = [...cache.store.keys()].toSorted();
      }
    };
    follow().catch(() => {});
    return () => stop.abort();
  }, [cluster]);
}
