/** One object as a signal: an informer of its name. */

import type { ApiObject } from '@listwatch/api';
import type { Cluster, ServedResource } from '@listwatch/client';
import { type InformerStatus, informer } from '@listwatch/runtime';
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ObjectAddress } from '../logic/address.ts';
import { sawVersion } from './history-line.ts';
import { usePage } from './page.ts';

export interface LiveObject {
  /** Undefined: not loaded yet, or it does not exist. */
  readonly object: ApiObject | undefined;
  /** Its last state, when it was deleted while the page showed it. */
  readonly deleted: ApiObject | undefined;
  readonly status: InformerStatus;
}

const LOADING: LiveObject = { object: undefined, deleted: undefined, status: { phase: 'syncing', since: 0 } };

/** Follows the object of an address. */
export function useLiveObject(kind: ServedResource, { namespace, name }: ObjectAddress): LiveObject {
  const { cluster } = usePage();
  const state = useSignal(LOADING);
  useEffect(() => {
    const stop = new AbortController();
    state.value = LOADING;
    void follow(cluster, kind, { namespace, name }, state, stop.signal);
    return () => stop.abort();
  }, [cluster, kind.group, kind.version, kind.plural, namespace, name]);
  return state.value;
}

async function follow(
  cluster: Cluster,
  kind: ServedResource,
  { namespace, name }: Pick<ObjectAddress, 'name' | 'namespace'>,
  state: Signal<LiveObject>,
  stop: AbortSignal,
): Promise<void> {
  const cache = informer(cluster, kind, {
    namespace: namespace === '' ? undefined : namespace,
    fieldSelector: `metadata.name=${name}`,
    signal: stop,
    backoff: { initialMs: 500, maxMs: 4000 },
    onWarning: () => {},
  });
  cache.synced.catch(() => {});
  const statuses = async (): Promise<void> => {
    for await (const status of cache.statuses({ signal: stop })) state.value = { ...state.value, status };
  };
  const changes = async (): Promise<void> => {
    for await (const change of cache.changes({ signal: stop })) {
      sawVersion(change.object.metadata.resourceVersion ?? '');
      state.value =
        change.type === 'delete'
          ? { ...state.value, object: undefined, deleted: change.object }
          : { ...state.value, object: change.object, deleted: undefined };
    }
  };
  await Promise.allSettled([statuses(), changes()]);
}

export const noObject: Signal<LiveObject> = signal(LOADING);
