/** The versions of one object: the newest by a watch that is left open, older ones in pages. */

import { type ApiObject, isExpired, isGone } from '@listwatch/api';
import type { Cluster, ServedResource } from '@listwatch/client';
import { type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { ObjectAddress } from '../logic/address.ts';
import { errorText } from '../logic/error-text.ts';
import { hasOlder, hasRoom, type ObjectVersion, withNewer, withOlder } from '../logic/version-list.ts';
import { hasServerHistory, historyLine } from './history-line.ts';
import { pause } from './json-lines.ts';
import { usePage } from './page.ts';

export interface ShownVersions {
  /** Oldest first. */
  readonly versions: readonly ObjectVersion[];
  readonly problem: string;
  /** `none`: the first version is the first that is kept. */
  readonly older: 'full' | 'loading' | 'more' | 'none';
  readonly loadOlder: () => void;
}

/**
 * The server reads all changes of a watch's range to find those of one object. A history may have millions: the watch begins
 * this many versions back. Before that, each version is read by its own, a page at a time.
 */
const WATCHED_VERSIONS = 20_000;
const PAGE = 50;

type VersionsState = Omit<ShownVersions, 'loadOlder'>;

const NONE: VersionsState = { versions: [], problem: '', older: 'none' };

/** Follows the versions of an object while `isNeeded`: they are not free. */
export function useObjectVersions(kind: ServedResource, address: ObjectAddress, isNeeded: boolean): ShownVersions {
  const { cluster } = usePage();
  const { namespace, name } = address;
  const [follower, setFollower] = useState<VersionFollower>();
  const isReady = historyLine.value !== undefined && isNeeded;
  useEffect(() => {
    if (!isReady) return undefined;
    const next = new VersionFollower(cluster, kind, { namespace, name });
    setFollower(next);
    return () => {
      next.close();
      setFollower(undefined);
    };
  }, [cluster, kind.group, kind.version, kind.plural, namespace, name, isReady, hasServerHistory.value]);
  return { ...(follower?.state.value ?? NONE), loadOlder: () => void follower?.loadOlder() };
}

class VersionFollower {
  readonly state: Signal<VersionsState> = signal(NONE);
  readonly #cluster: Cluster;
  readonly #kind: ServedResource;
  readonly #selection: { readonly namespace: string | undefined; readonly fieldSelector: string };
  readonly #stop = new AbortController();

  constructor(cluster: Cluster, kind: ServedResource, { namespace, name }: Pick<ObjectAddress, 'name' | 'namespace'>) {
    this.#cluster = cluster;
    this.#kind = kind;
    this.#selection = {
      namespace: namespace === '' ? undefined : namespace,
      fieldSelector: `metadata.name=${name}`,
    };
    void this.#follow();
  }

  close(): void {
    this.#stop.abort();
  }

  /** Goes back from the first version: what was the object right before it? */
  async loadOlder(): Promise<void> {
    if (this.state.value.older !== 'more') return;
    this.#set({ older: 'loading' });
    try {
      for (let read = 0; read < PAGE && this.#olderOf(this.state.value.versions) === 'more'; read += 1) {
        const first = Number(this.state.value.versions[0]?.resourceVersion);
        const object = await this.#stateAt(String(first - 1));
        this.#set({ versions: withOlder(this.state.value.versions, object), problem: '' });
      }
      this.#set({ older: this.#olderOf(this.state.value.versions) });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      // What is older has left the history while it was read.
      const isOver = isExpired(error) || isGone(error);
      this.#set(isOver ? { older: 'none' } : { older: 'more', problem: errorText(error) });
    }
  }

  #olderOf(versions: readonly ObjectVersion[]): ShownVersions['older'] {
    if (!hasOlder(versions, historyLine.peek()?.oldest ?? 0)) return 'none';
    return hasRoom(versions) ? 'more' : 'full';
  }

  #set(next: Partial<VersionsState>): void {
    this.state.value = { ...this.state.value, ...next };
  }

  #add(type: ObjectVersion['type'], object: ApiObject): void {
    const versions = withNewer(this.state.value.versions, type, object);
    const older = this.state.value.older === 'loading' ? 'loading' : this.#olderOf(versions);
    this.#set({ versions, problem: '', older });
  }

  async #stateAt(resourceVersion: string): Promise<ApiObject | undefined> {
    const query = { ...this.#selection, resourceVersion, resourceVersionMatch: 'Exact' as const };
    const { items } = await this.#cluster.list(this.#kind, { ...query, signal: this.#stop.signal });
    return items[0];
  }

  async #follow(): Promise<void> {
    const { signal: stop } = this.#stop;
    let from = '';
    while (!stop.aborted) {
      try {
        if (from === '') {
          const { oldest = 0, newest = 0 } = historyLine.peek() ?? {};
          from = String(Math.max(oldest, newest - WATCHED_VERSIONS));
          const object = await this.#stateAt(from);
          if (object !== undefined) this.#add('oldest', object);
        }
        const query = { ...this.#selection, resourceVersion: from, allowWatchBookmarks: true, signal: stop };
        for await (const event of this.#cluster.watch(this.#kind, query)) {
          if (event.type === 'ERROR') throw new Error(event.object.message ?? 'the watch failed');
          from = event.object.metadata.resourceVersion ?? from;
          if (event.type !== 'BOOKMARK') this.#add(TYPES[event.type], event.object);
        }
      } catch (error) {
        if (stop.aborted) return;
        this.#set({ problem: errorText(error) });
        // What was kept is gone: begin with what is kept now.
        if (isExpired(error) || isGone(error)) from = '';
        await pause(2000, stop);
      }
    }
  }
}

const TYPES = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;
