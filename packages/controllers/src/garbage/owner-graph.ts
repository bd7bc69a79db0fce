/** Who owns whom, as far as the watches have shown it. Does no I/O: each change says what has to be looked at. */

import { groupResourceText, type OwnerReference, type Resource } from '@listwatch/api';
import { coordinatesKey, type GraphNode, isReachable, namesOwner } from './graph-node.ts';
import { type OwnerKind, OwnerKindCounts } from './owner-kind-counts.ts';

/** What a change of the graph asks for. A uid may be named twice. */
export interface GraphEffects {
  /** Objects that may have to be deleted, or whose own deletion may go on. */
  readonly toDelete: readonly string[];
  /** Owners whose dependents have to be orphaned. */
  readonly toOrphan: readonly string[];
  /** References to owners in other namespaces. */
  readonly misplaced: readonly MisplacedReference[];
  /** Kinds that are named as owners for the first time. */
  readonly newOwnerKinds: readonly OwnerKind[];
  /** Is some kind not named as an owner any more? */
  readonly droppedOwnerKind: boolean;
}

/** A reference to an owner in another namespace. */
export interface MisplacedReference {
  readonly dependent: GraphNode;
  readonly reference: OwnerReference;
}

interface Effects {
  readonly toDelete: string[];
  readonly toOrphan: string[];
  readonly misplaced: MisplacedReference[];
  readonly newOwnerKinds: OwnerKind[];
  droppedOwnerKind: boolean;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Objects by uid. An owner that has not been seen has dependents here and no node; Kubernetes calls it a virtual node.
 * All costs are those of the object's own references and, for owners that come, go or begin to wait, of its dependents.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** The dependents of a uid, whether that has been seen or not. Never empty. */
  readonly #dependents = new Map<string, Set<string>>();
  /** How many dependents block the foreground deletion of a uid. */
  readonly #blocking = new Map<string, number>();
  readonly #ownerKinds = new OwnerKindCounts();

  /** How many objects are known. */
  get size(): number {
    return this.#nodes.size;
  }

  /** The kinds that are named as owners. */
  get ownerKinds(): readonly OwnerKind[] {
    return this.#ownerKinds.current;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** The uids of the objects that refer to a uid. Changes with the graph. */
  dependentsOf(uid: string): ReadonlySet<string> {
    return this.#dependents.get(uid) ?? NOBODY;
  }

  /** How many dependents block the foreground deletion of a uid. */
  blockingDependents(uid: string): number {
    return this.#blocking.get(uid) ?? 0;
  }

  /** Takes in an object that was seen. */
  apply(node: GraphNode): GraphEffects {
    const effects = noEffects();
    const { uid } = node;
    const previous = this.#nodes.get(uid);
    this.#nodes.set(uid, node);
    if (previous?.owners !== node.owners) this.#relink(node, previous?.owners ?? [], effects);
    if (previous === undefined) this.#seen(node, effects);
    if (previous?.deletion === node.deletion) return effects;
    if (node.deletion === 'orphan') effects.toOrphan.push(uid);
    if (node.deletion === 'foreground') {
      for (const dependent of this.dependentsOf(uid)) effects.toDelete.push(dependent);
      effects.toDelete.push(uid);
    }
    return effects;
  }

  /** Takes out an object that is gone. */
  remove(uid: string): GraphEffects {
    const effects = noEffects();
    const node = this.#nodes.get(uid);
    if (node === undefined) return effects;
    this.#nodes.delete(uid);
    this.#unlink(node, effects);
    for (const dependent of this.dependentsOf(uid)) effects.toDelete.push(dependent);
    return effects;
  }

  /** Drops the objects of a resource that is watched no more. They are not gone, so nothing follows from it. */
  forget(resource: Resource): void {
    const name = groupResourceText(resource);
    for (const node of this.#nodes.values()) {
      if (groupResourceText(node.resource) !== name) continue;
      this.#nodes.delete(node.uid);
      this.#unlink(node, noEffects());
    }
  }

  /**
   * The uids that wait in the foreground and, directly or through others that wait, block this one. An owner of `uid`
   * among them waits for `uid` too: neither will ever go.
   */
  waitingBelow(uid: string): ReadonlySet<string> {
    const found = new Set<string>();
    const open = [uid];
    for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
      for (const dependent of this.dependentsOf(owner)) {
        const node = this.#nodes.get(dependent);
        if (node?.deletion !== 'foreground' || found.has(dependent) || !blocks(node, owner)) continue;
        found.add(dependent);
        open.push(dependent);
      }
    }
    return found;
  }

  #relink(node: GraphNode, before: readonly OwnerReference[], effects: Effects): void {
    const { uid, owners } = node;
    for (const owner of uidsOf(owners)) this.#addDependent(owner, uid);
    for (const reference of owners) {
      const kind = this.#ownerKinds.add(reference);
      if (kind !== undefined) effects.newOwnerKinds.push(kind);
    }
    const blocking = blockedUids(owners);
    const blockedBefore = blockedUids(before);
    for (const owner of blocking) if (!blockedBefore.has(owner)) this.#block(owner, 1);
    for (const owner of blockedBefore) if (!blocking.has(owner)) this.#unblock(owner, effects);
    const current = uidsOf(owners);
    for (const owner of uidsOf(before)) if (!current.has(owner)) this.#deleteDependent(owner, uid);
    this.#dropKinds(before, effects);
    const known = new Set(before.map(coordinatesKey));
    let isDoubtful = false;
    for (const reference of owners) {
      if (known.has(coordinatesKey(reference))) continue;
      isDoubtful = this.#isDoubtful(node, reference, effects) || isDoubtful;
    }
    if (isDoubtful) effects.toDelete.push(uid);
  }

  /** Must a new reference be checked? An owner that is not known, is another one, or waits for its dependents to go. */
  #isDoubtful(node: GraphNode, reference: OwnerReference, effects: Effects): boolean {
    const owner = this.#nodes.get(reference.uid);
    if (owner === undefined) return true;
    if (!isReachable(node.namespace, owner)) effects.misplaced.push({ dependent: node, reference });
    if (!namesOwner(reference, node.namespace, owner)) return true;
    if (owner.deletion === 'orphan') effects.toOrphan.push(owner.uid);
    return owner.deletion === 'foreground';
  }

  /** An owner is seen for the first time: dependents that mean another object must be checked. */
  #seen(owner: GraphNode, effects: Effects): void {
    for (const uid of this.dependentsOf(owner.uid)) {
      const dependent = this.#nodes.get(uid);
      if (dependent === undefined || uid === owner.uid) continue;
      const wrong = dependent.owners.filter(
        (reference) => reference.uid === owner.uid && !namesOwner(reference, dependent.namespace, owner),
      );
      const [reference] = wrong;
      if (reference === undefined) continue;
      effects.toDelete.push(uid);
      if (!isReachable(dependent.namespace, owner)) effects.misplaced.push({ dependent, reference });
    }
  }

  #unlink(node: GraphNode, effects: Effects): void {
    for (const owner of uidsOf(node.owners)) this.#deleteDependent(owner, node.uid);
    for (const owner of blockedUids(node.owners)) this.#unblock(owner, effects);
    this.#dropKinds(node.owners, effects);
  }

  #dropKinds(references: readonly OwnerReference[], effects: Effects): void {
    for (const reference of references) {
      if (this.#ownerKinds.delete(reference)) effects.droppedOwnerKind = true;
    }
  }

  #addDependent(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    if (known === undefined) this.#dependents.set(owner, new Set([dependent]));
    else known.add(dependent);
  }

  #deleteDependent(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    known?.delete(dependent);
    if (known?.size === 0) this.#dependents.delete(owner);
  }

  #block(owner: string, change: number): number {
    const count = this.blockingDependents(owner) + change;
    if (count === 0) this.#blocking.delete(owner);
    else this.#blocking.set(owner, count);
    return count;
  }

  /** One dependent less: an owner that waited for the last of them can go on. */
  #unblock(owner: string, effects: Effects): void {
    const count = this.#block(owner, -1);
    if (count === 0 && this.#nodes.get(owner)?.deletion === 'foreground') effects.toDelete.push(owner);
  }
}

function noEffects(): Effects {
  return { toDelete: [], toOrphan: [], misplaced: [], newOwnerKinds: [], droppedOwnerKind: false };
}

function uidsOf(references: readonly OwnerReference[]): ReadonlySet<string> {
  return references.length === 0 ? NOBODY : new Set(references.map(({ uid }) => uid));
}

function blockedUids(references: readonly OwnerReference[]): ReadonlySet<string> {
  if (references.length === 0) return NOBODY;
  return uidsOf(references.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true));
}

function blocks({ owners }: GraphNode, owner: string): boolean {
  return owners.some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true);
}
