/** Follows roles and bindings of the upstream, only to hear that they change: access is never decided by them here. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { resolveWatcherOptions, runWatcher, type WatcherOutput } from '@listwatch/runtime/internal';

const GROUP = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const KINDS: readonly Resource[] = [
  resource({ ...GROUP, plural: 'roles', kind: 'Role', namespaced: true }),
  resource({ ...GROUP, plural: 'rolebindings', kind: 'RoleBinding', namespaced: true }),
  resource({ ...GROUP, plural: 'clusterroles', kind: 'ClusterRole', namespaced: false }),
  resource({ ...GROUP, plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false }),
];

/** What hears of changes. */
export interface RbacSignalOptions {
  readonly cluster: Pick<Cluster, 'clock' | 'pages' | 'server' | 'watch'>;
  /** Rights may have changed. */
  readonly onChange: () => void;
}

/** Where the relay may not read these kinds, decisions end by their age alone. */
export class RbacSignal {
  readonly #options: RbacSignalOptions;
  readonly #stop = new AbortController();
  /** The kinds that are followed now. */
  readonly #live = new Set<Resource>();

  constructor(options: RbacSignalOptions) {
    this.#options = options;
  }

  /** Is every change heard of? */
  get isLive(): boolean {
    return this.#live.size === KINDS.length;
  }

  start(): void {
    for (const kind of KINDS) void this.#follow(kind);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #follow(kind: Resource): Promise<void> {
    const { cluster, onChange } = this.#options;
    const deliver = ({ type }: WatcherOutput<ApiObject>): undefined => {
      if (type === 'error') this.#live.delete(kind);
      if (type === 'initDone' || type === 'bookmark' || type === 'steady') this.#live.add(kind);
      // A new list may hide changes that were never told.
      if (type === 'changes' || type === 'initDone') onChange();
    };
    const config = resolveWatcherOptions<ApiObject>({ projection: 'metadata', listSemantic: 'any' });
    // It ends with its signal, or with the client.
    await runWatcher(cluster, kind, config, { deliver }, this.#stop.signal).catch(() => this.#live.delete(kind));
  }
}
