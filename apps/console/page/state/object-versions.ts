/** The versions of one object that are kept: a watch from the oldest version, left open. */

import { type ApiObject, isExpired, isGone } from '@listwatch/api';
import type { Cluster, ServedResource } from '@listwatch/client';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ObjectAddress } from '../logic/address.ts';
import { errorText } from '../logic/error-text.ts';
import { changedBy } from '../logic/field-managers.ts';
import { hasServerHistory, historyLine } from './history-line.ts';
import { pause } from './json-lines.ts';
import { usePage } from './page.ts';

export interface ObjectVersion {
  readonly resourceVersion: string;
  readonly type: 'added' | 'deleted' | 'modified' | 'oldest';
  readonly object: ApiObject;
  /** Who made it, where the server says so. */
  readonly managers: readonly string[];
}

export interface ObjectVersions {
  /** Oldest first. */
  readonly versions: readonly ObjectVersion[];
  readonly problem: string;
  /** Are there more than are kept here? */
  readonly truncated: boolean;
}

const NONE: ObjectVersions = { versions: [], problem: '', truncated: false };
const MAX_VERSIONS = 1000;

/** Follows the versions of an object. */
export function useObjectVersions(kind: ServedResource, { namespace, name }: ObjectAddress): ObjectVersions {
  const { cluster } = usePage();
  const state = useSignal(NONE);
  const isKnown = historyLine.value !== undefined;
  useEffect(() => {
    state.value = NONE;
    if (!isKnown) return undefined;
    const stop = new AbortController();
    void follow(cluster, kind, { namespace, name }, state, stop.signal);
    return () => stop.abort();
  }, [cluster, kind.group, kind.version, kind.plural, namespace, name, isKnown, hasServerHistory.value]);
  return state.value;
}

async function follow(
  cluster: Cluster,
  kind: ServedResource,
  { namespace, name }: Pick<ObjectAddress, 'name' | 'namespace'>,
  state: Signal<ObjectVersions>,
  stop: AbortSignal,
): Promise<void> {
  const selection = {
    namespace: namespace === '' ? undefined : namespace,
    fieldSelector: `metadata.name=${name}`,
    signal: stop,
  };
  let from = '';
  while (!stop.aborted) {
    try {
      if (from === '') {
        from = String(historyLine.value?.oldest ?? 0);
        const query = { ...selection, resourceVersion: from, resourceVersionMatch: 'Exact' as const };
        const { items } = await cluster.list(kind, query);
        for (const object of items) add(state, 'oldest', object);
      }
      const query = { ...selection, resourceVersion: from, allowWatchBookmarks: true };
      for await (const event of cluster.watch(kind, query)) {
        if (event.type === 'ERROR') throw new Error(event.object.message ?? 'the watch failed');
        from = event.object.metadata.resourceVersion ?? from;
        if (event.type !== 'BOOKMARK') add(state, TYPES[event.type], event.object);
      }
    } catch (error) {
      if (stop.aborted) return;
      const message = errorText(error);
      state.value = { ...state.value, problem: message };
      // What was kept is gone: begin with what is kept now.
      if (isExpired(error) || isGone(error)) from = '';
      await pause(2000, stop);
    }
  }
}

const TYPES = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

function add(state: Signal<ObjectVersions>, type: ObjectVersion['type'], object: ApiObject): void {
  const { versions } = state.value;
  const resourceVersion = object.metadata.resourceVersion ?? '';
  if (versions.at(-1)?.resourceVersion === resourceVersion && type !== 'deleted') return;
  const before = versions.at(-1);
  const managers =
    type === 'oldest' || type === 'deleted'
      ? []
      : changedBy(
          before?.type === 'deleted' ? [] : before?.object.metadata.managedFields,
          object.metadata.managedFields,
        );
  const all = [...versions, { resourceVersion, type, object, managers }];
  state.value = {
    versions: all.slice(-MAX_VERSIONS),
    problem: '',
    truncated: all.length > MAX_VERSIONS || state.value.truncated,
  };
}
