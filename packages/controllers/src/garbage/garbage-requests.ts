/** The requests of the garbage collector. None of them can touch another object of the same name. */

import {
  type ApiObject,
  isConflict,
  isNotFound,
  isUnexpectedResponse,
  type ObjectMeta,
  type OwnerReference,
  type PropagationPolicy,
  type Resource,
} from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { GraphNode } from './graph-node.ts';

/** The metadata of a stored object. */
export interface StoredMeta extends ObjectMeta {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An object that is there, or `gone`: there is none, or another one with its name. */
export type Outcome = 'done' | 'gone';

/** What becomes of an owner reference. */
export type ReferenceChange = (reference: OwnerReference) => OwnerReference | undefined;

/** As client-go's retry of conflicts. */
const MAX_CONFLICTS = 5;

/** Sends requests until its signal is aborted. They reject as those of a cluster. */
export class GarbageRequests {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;

  constructor(cluster: Cluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
  }

  /** The metadata of the object of this name; undefined when there is none. */
  async read(resource: Resource, namespace: string, name: string): Promise<StoredMeta | undefined> {
    const options = { projection: 'metadata', signal: this.#signal } as const;
    try {
      const { metadata } = await this.#cluster.get<ApiObject>(resource, target(namespace, name), options);
      const { uid = '', resourceVersion = '' } = metadata;
      return { ...metadata, uid, resourceVersion };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** The metadata of this very object; undefined when it is gone. */
  async readNode({ resource, namespace, name, uid }: GraphNode): Promise<StoredMeta | undefined> {
    const found = await this.read(resource, namespace, name);
    return found?.uid === uid ? found : undefined;
  }

  /** Deletes the object if it still has the state that was decided upon. */
  async delete(node: GraphNode, latest: StoredMeta, policy: PropagationPolicy): Promise<Outcome> {
    const { uid, resourceVersion } = latest;
    try {
      return await this.#delete(node, policy, { uid, resourceVersion });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const now = await this.readNode(node);
      if (now === undefined) return 'gone';
      // Other changes must not starve the collector; changed owners need a new decision.
      if (!sameReferences(now.ownerReferences, latest.ownerReferences)) throw error;
      return this.#delete(node, policy, { uid });
    }
  }

  /** Replaces each owner reference by what `change` makes of it, and drops it for undefined. */
  changeReferences(node: GraphNode, change: ReferenceChange, latest?: StoredMeta): Promise<Outcome> {
    const changed = ({ ownerReferences = [] }: StoredMeta): object | undefined => {
      const next = ownerReferences.map(change);
      if (next.every((reference, index) => reference === ownerReferences[index])) return undefined;
      return { ownerReferences: next.filter((reference) => reference !== undefined) };
    };
    return this.#change(node, changed, latest);
  }

  /** Removes a finalizer, if the object has it. */
  removeFinalizer(node: GraphNode, finalizer: string): Promise<Outcome> {
    return this.#change(node, ({ finalizers = [] }) => {
      return finalizers.includes(finalizer) ? { finalizers: finalizers.filter((one) => one !== finalizer) } : undefined;
    });
  }

  async #change(
    node: GraphNode,
    change: (latest: StoredMeta) => object | undefined,
    known?: StoredMeta,
  ): Promise<Outcome> {
    for (let conflicts = 0; ; conflicts += 1) {
      const latest = (conflicts === 0 ? known : undefined) ?? (await this.readNode(node));
      if (latest === undefined) return 'gone';
      const fields = change(latest);
      if (fields === undefined) return 'done';
      // The server refuses the patch for another uid, and for any other version, whose lists it would overwrite.
      const { uid, resourceVersion } = latest;
      const body = { metadata: { uid, resourceVersion, ...fields } };
      try {
        const { resource, namespace, name } = node;
        await this.#cluster.patch(resource, target(namespace, name), { type: 'merge', body }, { signal: this.#signal });
        return 'done';
      } catch (error) {
        if (isAbsent(error)) return 'gone';
        if (!isConflict(error) || conflicts >= MAX_CONFLICTS) throw error;
      }
    }
  }

  async #delete(
    { resource, namespace, name }: GraphNode,
    propagationPolicy: PropagationPolicy,
    preconditions: { readonly uid: string; readonly resourceVersion?: string },
  ): Promise<Outcome> {
    try {
      const options = { propagationPolicy, preconditions, signal: this.#signal };
      await this.#cluster.delete(resource, target(namespace, name), options);
      return 'done';
    } catch (error) {
      if (isAbsent(error)) return 'gone';
      throw error;
    }
  }
}

/** A 404 that no API server wrote says nothing about the object: a proxy's page, or a resource that is not served. */
function isAbsent(error: unknown): boolean {
  return isNotFound(error) && !isUnexpectedResponse(error);
}

function target(namespace: string, name: string): { readonly name: string; readonly namespace?: string } {
  return namespace === '' ? { name } : { name, namespace };
}

function sameReferences(left: readonly OwnerReference[] = [], right: readonly OwnerReference[] = []): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
