/** An object as the graph of owners knows it. */

import {
  type ApiObject,
  apiVersionOf,
  FINALIZER,
  type ObjectMeta,
  type OwnerReference,
  type Resource,
} from '@listwatch/api';

/**
 * How far the deletion of an object is:
 * - `none`: it has not begun.
 * - `deleting`: it has begun, and others hold the object. It only goes on from here.
 * - `foreground`: the object waits until no dependent blocks it.
 * - `orphan`: the object waits until no dependent refers to it.
 */
export type DeletionStage = 'deleting' | 'foreground' | 'none' | 'orphan';

/** Immutable: a changed object is a new node. */
export interface GraphNode {
  readonly uid: string;
  readonly resource: Resource;
  /** `''` for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly deletion: DeletionStage;
}

const NO_OWNERS: readonly OwnerReference[] = Object.freeze([]);

/** The node of an object; undefined when it has no uid, and so cannot be told from its successor. */
export function graphNodeOf(resource: Resource, { metadata }: ApiObject): GraphNode | undefined {
  const { uid, name, namespace = '', ownerReferences: owners = NO_OWNERS } = metadata;
  if (uid === undefined || uid === '') return undefined;
  return { uid, resource, namespace, name, owners, deletion: deletionStage(metadata) };
}

/** How far the deletion is, by the metadata. */
export function deletionStage({ deletionTimestamp, finalizers = [] }: ObjectMeta): DeletionStage {
  if (deletionTimestamp === undefined) return 'none';
  if (finalizers.includes(FINALIZER.orphan)) return 'orphan';
  return finalizers.includes(FINALIZER.foregroundDeletion) ? 'foreground' : 'deleting';
}

/** Does a reference of an object in `namespace` name this owner by more than its uid? */
export function namesOwner(reference: OwnerReference, namespace: string, owner: GraphNode): boolean {
  return (
    isReachable(namespace, owner) &&
    reference.uid === owner.uid &&
    reference.name === owner.name &&
    reference.kind === owner.resource.kind &&
    reference.apiVersion === apiVersionOf(owner.resource)
  );
}

/** May an object in `namespace` refer to this owner: one of the cluster, or of the same namespace? */
export function isReachable(namespace: string, owner: GraphNode): boolean {
  return owner.namespace === '' || owner.namespace === namespace;
}

/** The same for two references that name the same object in the same way. A set of these keeps large lists linear. */
export function coordinatesKey({ uid, name, kind, apiVersion }: OwnerReference): string {
  return `${uid} ${name} ${kind} ${apiVersion}`;
}
