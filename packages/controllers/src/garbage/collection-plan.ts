/** What is to be done about an object: pure functions of the graph and of what the server says. */

import { FINALIZER, type ObjectMeta, type OwnerReference, type PropagationPolicy } from '@listwatch/api';
import { type GraphNode, namesOwner } from './graph-node.ts';
import type { OwnerGraph } from './owner-graph.ts';

/** What the graph alone can say about an object. */
export type CollectionAttempt =
  /** Nothing is to be done, or the next event says what. */
  | { readonly type: 'wait' }
  /** Nothing blocks it any more: its finalizer `foregroundDeletion` has to go. */
  | { readonly type: 'finish' }
  /** It and these owners wait for each other: its references must not block them any more. */
  | { readonly type: 'unblock'; readonly owners: ReadonlySet<string> }
  /** The server has to be asked about the object and those of its owners that the graph does not know. */
  | { readonly type: 'check' };

type ReadGraph = Pick<OwnerGraph, 'blockingDependents' | 'dependentsOf' | 'get' | 'waitingBelow'>;

const WAIT: CollectionAttempt = { type: 'wait' };

/** The next step for an object. */
export function attemptFor(graph: ReadGraph, node: GraphNode): CollectionAttempt {
  switch (node.deletion) {
    case 'deleting':
    case 'orphan':
      return WAIT;
    case 'foreground':
      return attemptToFinish(graph, node);
    case 'none': {
      const isSettled = node.owners.every((reference) => ownerInGraph(graph, node, reference) === 'solid');
      return isSettled ? WAIT : { type: 'check' };
    }
  }
}

function attemptToFinish(graph: ReadGraph, { uid, owners }: GraphNode): CollectionAttempt {
  if (graph.blockingDependents(uid) === 0) return { type: 'finish' };
  const blocked = owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
  if (blocked.length === 0) return WAIT;
  const below = graph.waitingBelow(uid);
  const circle = blocked.map((reference) => reference.uid).filter((owner) => below.has(owner));
  return circle.length === 0 ? WAIT : { type: 'unblock', owners: new Set(circle) };
}

/**
 * The state of an owner:
 * - `solid`: it is there and keeps its dependents.
 * - `waiting`: it is being deleted in the foreground, and its dependents with it.
 * - `absent`: there is no such object.
 */
export type OwnerState = 'absent' | 'solid' | 'waiting';

/** The state of an owner, if the graph knows it; undefined: ask the server. */
export function ownerInGraph(
  graph: Pick<OwnerGraph, 'get'>,
  { namespace }: GraphNode,
  reference: OwnerReference,
): OwnerState | undefined {
  const owner = graph.get(reference.uid);
  // A graph that lags cannot mislead: what the owner does next brings its dependents up again.
  if (owner === undefined || !namesOwner(reference, namespace, owner)) return undefined;
  return owner.deletion === 'foreground' ? 'waiting' : 'solid';
}

/** A reference, and the state of the owner that it means. */
export interface ClassifiedReference {
  readonly reference: OwnerReference;
  readonly state: OwnerState;
}

/** What becomes of an object. */
export type Collection =
  | { readonly type: 'keep' }
  /** Some owner keeps it: these references have to go. */
  | { readonly type: 'narrow'; readonly dropped: readonly OwnerReference[] }
  | { readonly type: 'delete'; readonly policy: PropagationPolicy };

/** Decides by the object's latest state and the states of all its owners. */
export function decideCollection(
  latest: ObjectMeta,
  owners: readonly ClassifiedReference[],
  hasDependents: boolean,
): Collection {
  if (owners.length === 0) return { type: 'keep' };
  const dropped = owners.filter(({ state }) => state !== 'solid').map(({ reference }) => reference);
  if (dropped.length === 0) return { type: 'keep' };
  // A waiting owner goes too: it would wait for ever for a dependent that stays.
  if (dropped.length < owners.length) return { type: 'narrow', dropped };
  const isAwaited = owners.some(({ state }) => state === 'waiting');
  return { type: 'delete', policy: isAwaited && hasDependents ? 'Foreground' : policyOf(latest) };
}

/** A policy that the object already carries stays. */
function policyOf({ finalizers = [] }: ObjectMeta): PropagationPolicy {
  if (finalizers.includes(FINALIZER.orphan)) return 'Orphan';
  return finalizers.includes(FINALIZER.foregroundDeletion) ? 'Foreground' : 'Background';
}
