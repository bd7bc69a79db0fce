/** The owners of an object and what it owns, followed by metadata alone. */

import type { ApiObject, OwnerReference } from '@listwatch/api';
import type { Cluster, ServedResource } from '@listwatch/client';
import { informer } from '@listwatch/runtime';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePage } from './page.ts';
import { findKindOf, servedKinds } from './served-kinds.ts';

/** An object of the tree. */
export interface TreeNode {
  readonly kind: ServedResource;
  readonly object: ApiObject;
  readonly children: readonly TreeNode[];
}

export interface ShownOwnerGraph {
  /** From the object's owner upwards. `object` is undefined when it cannot be found. */
  readonly owners: readonly { readonly reference: OwnerReference; readonly kind: ServedResource | undefined }[];
  readonly owned: readonly TreeNode[];
  /** Kinds that have not answered yet. */
  readonly waiting: number;
}

/** What the kinds of Kubernetes own; these are watched. Other kinds are looked through once, and watched when they have something. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  CronJob: ['Job'],
  DaemonSet: ['Pod', 'ControllerRevision'],
  Deployment: ['ReplicaSet'],
  Job: ['Pod'],
  Node: ['Lease'],
  ReplicaSet: ['Pod'],
  ReplicationController: ['Pod'],
  Service: ['EndpointSlice'],
  StatefulSet: ['Pod', 'ControllerRevision', 'PersistentVolumeClaim'],
};

const CONCURRENT_LISTS = 4;
const MAX_DEPTH = 8;

/** Follows what an object owns. */
export function useOwnerGraph(object: ApiObject | undefined): ShownOwnerGraph {
  const { cluster } = usePage();
  const state = useSignal<Omit<ShownOwnerGraph, 'owners'>>({ owned: [], waiting: 1 });
  const uid = object?.metadata.uid;
  const namespace = object?.metadata.namespace;
  useEffect(() => {
    if (uid === undefined || object === undefined) return undefined;
    const stop = new AbortController();
    state.value = { owned: [], waiting: 1 };
    void new GraphFollower(cluster, uid, namespace, state, stop.signal).run(object.kind ?? '');
    return () => stop.abort();
  }, [cluster, uid, namespace]);
  const owners = (object?.metadata.ownerReferences ?? []).map((reference) => ({
    reference,
    kind: findKindOf(reference.apiVersion, reference.kind),
  }));
  return { ...state.value, owners };
}

class GraphFollower {
  readonly #cluster: Cluster;
  readonly #uid: string;
  readonly #namespace: string | undefined;
  readonly #state: Signal<Omit<ShownOwnerGraph, 'owners'>>;
  readonly #stop: AbortSignal;
  /** Objects with owners, by uid. */
  readonly #objects = new Map<string, { readonly kind: ServedResource; readonly object: ApiObject }>();
  readonly #followed = new Set<ServedResource>();
  #waiting = 0;

  constructor(
    cluster: Cluster,
    uid: string,
    namespace: string | undefined,
    state: Signal<Omit<ShownOwnerGraph, 'owners'>>,
    stop: AbortSignal,
  ) {
    this.#cluster = cluster;
    this.#uid = uid;
    this.#namespace = namespace;
    this.#state = state;
    this.#stop = stop;
  }

  async run(kindName: string): Promise<void> {
    const kinds = (servedKinds.value ?? []).filter(
      ({ isPreferred, namespaced, kind }) =>
        isPreferred && kind !== 'Event' && (this.#namespace === undefined || namespaced),
    );
    const usual = usualKinds(kindName);
    for (const kind of kinds) if (usual.has(kind.kind)) this.#follow(kind);
    const others = kinds.filter((kind) => !this.#followed.has(kind)).values();
    this.#waiting += 1;
    await Promise.all(Array.from({ length: CONCURRENT_LISTS }, () => this.#look(others)));
    this.#waiting -= 1;
    this.#publish();
  }

  /** Looks through kinds once; a kind that has a dependent is followed. */
  async #look(kinds: Iterable<ServedResource>): Promise<void> {
    for (const kind of kinds) {
      if (this.#stop.aborted) return;
      try {
        const query = {
          namespace: this.#namespace,
          projection: 'metadata' as const,
          resourceVersion: '0',
          signal: this.#stop,
        };
        const { items } = await this.#cluster.list(kind, query);
        if (items.some(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === this.#uid)))
          this.#follow(kind);
      } catch {
        // Not allowed, or gone: nothing of it can be shown.
      }
    }
  }

  #follow(kind: ServedResource): void {
    this.#followed.add(kind);
    this.#waiting += 1;
    const cache = informer(this.#cluster, kind, {
      namespace: this.#namespace,
      projection: 'metadata',
      signal: this.#stop,
      onWarning: () => {},
    });
    const loaded = (): void => {
      this.#waiting -= 1;
      this.#publish();
    };
    cache.synced.then(loaded, loaded);
    const follow = async (): Promise<void> => {
      for await (const change of cache.changes({ signal: this.#stop })) {
        const { uid = '', ownerReferences } = change.object.metadata;
        if (change.type === 'delete') this.#objects.delete(uid);
        else if (ownerReferences !== undefined) this.#objects.set(uid, { kind, object: change.object });
        else continue;
        this.#publish();
      }
    };
    follow().catch(() => {});
  }

  #publish(): void {
    if (this.#stop.aborted) return;
    const byOwner = new Map<string, { readonly kind: ServedResource; readonly object: ApiObject }[]>();
    for (const entry of this.#objects.values()) {
      for (const { uid } of entry.object.metadata.ownerReferences ?? []) {
        byOwner.set(uid, [...(byOwner.get(uid) ?? []), entry]);
      }
    }
    const below = (uid: string, depth: number): readonly TreeNode[] =>
      (depth > MAX_DEPTH ? [] : (byOwner.get(uid) ?? [])).map((entry) => ({
        ...entry,
        children: below(entry.object.metadata.uid ?? '', depth + 1),
      }));
    this.#state.value = { owned: below(this.#uid, 1), waiting: this.#waiting };
  }
}

/** Kinds that are usually below a kind, on all levels. */
function usualKinds(kind: string, found: Set<string> = new Set()): ReadonlySet<string> {
  for (const owned of USUAL[kind] ?? []) {
    found.add(owned);
    usualKinds(owned, found);
  }
  return found;
}

/** All objects of a tree. */
export function flatten(nodes: readonly TreeNode[]): readonly TreeNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}
