/** Finds out whether the owner that a reference names exists. */

import { checkPathSegment, isNotFound, type OwnerReference, type Resource } from '@listwatch/api';
import { isNoMatch, type RestMapper } from '@listwatch/client';
import type { AbsentOwners } from './absent-owners.ts';
import { type OwnerState, ownerInGraph } from './collection-plan.ts';
import type { GarbageRequests, StoredMeta } from './garbage-requests.ts';
import { deletionStage, type GraphNode } from './graph-node.ts';
import type { OwnerGraph } from './owner-graph.ts';
import type { OwnerKind } from './owner-kind-counts.ts';

/**
 * What a lookup finds:
 * - `unknownKind`: the server does not serve the kind, so nobody can say.
 * - `unreachable`: the dependent is of the cluster and the owner's kind is namespaced, or no path can have the owner's name
 *   (`../x`), so that it cannot be asked for. As in kube-controller-manager such a dependent stays.
 * - `isUnseen`: the owner is there, and the graph does not know it yet.
 */
export type OwnerFinding =
  | { readonly type: 'known'; readonly state: OwnerState; readonly isUnseen: boolean }
  | { readonly type: 'unknownKind' }
  | { readonly type: 'unreachable' };

const ABSENT: OwnerFinding = { type: 'known', state: 'absent', isUnseen: false };

/** What it works with. */
export interface OwnerLookupParts {
  readonly graph: OwnerGraph;
  readonly absent: AbsentOwners;
  readonly mapper: RestMapper;
  readonly requests: GarbageRequests;
  readonly signal: AbortSignal;
}

/** Asks the graph, then what is known to be absent, then the server. */
export class OwnerLookup {
  readonly #parts: OwnerLookupParts;

  constructor(parts: OwnerLookupParts) {
    this.#parts = parts;
  }

  /** The resource of a kind; undefined when it is not served. */
  async resourceOf({ apiVersion, kind }: OwnerKind): Promise<Resource | undefined> {
    const { mapper, signal } = this.#parts;
    try {
      return await mapper.kind(apiVersion, kind, { signal });
    } catch (error) {
      if (isNoMatch(error)) return undefined;
      throw error;
    }
  }

  /** The state of the owner that a reference of this object means. */
  async find(dependent: GraphNode, reference: OwnerReference): Promise<OwnerFinding> {
    const { graph, absent } = this.#parts;
    const known = ownerInGraph(graph, dependent, reference);
    if (known !== undefined) return { type: 'known', state: known, isUnseen: false };
    const { apiVersion, kind, name, uid } = reference;
    const coordinates = { apiVersion, kind, name, uid };
    const isAbsent = ['', dependent.namespace].some((namespace) => absent.has({ ...coordinates, namespace }));
    if (isAbsent) return ABSENT;
    const resource = await this.resourceOf(reference);
    if (resource === undefined) return { type: 'unknownKind' };
    if (resource.namespaced && dependent.namespace === '') return { type: 'unreachable' };
    // A request for it would throw, and be tried again for ever.
    if (name === '' || checkPathSegment(name).length > 0) return { type: 'unreachable' };
    const namespace = resource.namespaced ? dependent.namespace : '';
    const owner = await this.#read(resource, namespace, name);
    if (owner?.uid !== uid) {
      absent.add({ ...coordinates, namespace });
      return ABSENT;
    }
    const state = deletionStage(owner) === 'foreground' ? 'waiting' : 'solid';
    return { type: 'known', state, isUnseen: graph.get(uid) === undefined };
  }

  async #read(resource: Resource, namespace: string, name: string): Promise<StoredMeta | undefined> {
    const { requests, mapper } = this.#parts;
    try {
      return await requests.read(resource, namespace, name);
    } catch (error) {
      // The resource may be served no more: the next attempt asks again.
      if (isNotFound(error)) mapper.invalidate();
      throw error;
    }
  }
}
