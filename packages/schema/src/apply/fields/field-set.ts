/** A set of paths in an object: what one manager owns. */

import type { JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';
import { elementText, fieldElement, sortedElements } from './path-element.ts';

/** A path: the keys of FieldsV1 from the root, such as `['f:spec', 'k:{"name":"a"}']`. */
export type ManagedFieldPath = readonly string[];

/** A step of the trie: the path that ends here is a member, or there are members below it, or both. */
export interface FieldNode {
  readonly isMember: boolean;
  readonly below: FieldSet;
}

type Nodes = ReadonlyMap<string, FieldNode>;

/**
 * An immutable set of paths, as a trie. The root is never a member.
 *
 * @example
 * FieldSet.of(fieldPath('spec', 'replicas')).print(); // { 'f:spec': { 'f:replicas': {} } }
 */
export class FieldSet {
  /** The set without paths. */
  static readonly EMPTY: FieldSet = new FieldSet(new Map());

  /** By keys of FieldsV1. Never changed. */
  readonly nodes: Nodes;
  #printed: JsonRecord | undefined;
  /** The set for the type that it was last compared with: see `reconciledFields`. */
  reconciled: { readonly type: ApplyType; readonly fields: FieldSet } | undefined;

  /** Takes the nodes as they are: keys are canonical, and no node is empty. */
  constructor(nodes: Nodes) {
    this.nodes = nodes;
  }

  /** The set of these paths. */
  static of(...paths: readonly ManagedFieldPath[]): FieldSet {
    let set = FieldSet.EMPTY;
    for (const path of paths) set = set.union(setOfPath(path));
    return set;
  }

  /** The members of all sets. */
  static union(sets: readonly FieldSet[]): FieldSet {
    if (sets.length <= 2) return sets.reduce((one, other) => one.union(other), FieldSet.EMPTY);
    const nodes = new Map<string, FieldNode[]>();
    for (const set of sets) {
      for (const [element, node] of set.nodes) {
        const twins = nodes.get(element);
        if (twins === undefined) nodes.set(element, [node]);
        else twins.push(node);
      }
    }
    return setOfNodes(new Map([...nodes].map(([element, twins]) => [element, unitedNode(twins)])));
  }

  get isEmpty(): boolean {
    return this.nodes.size === 0;
  }

  /** FieldsV1 as Kubernetes writes it. Made once and shared: never change it. */
  print(): JsonRecord {
    if (this.#printed !== undefined) return this.#printed;
    this.#printed = printLevel(this, false);
    return this.#printed;
  }

  /** Is the path itself a member? */
  has(path: ManagedFieldPath): boolean {
    let nodes = this.nodes;
    let node: FieldNode | undefined;
    for (const element of path) {
      node = nodes.get(element);
      if (node === undefined) return false;
      nodes = node.below.nodes;
    }
    return node?.isMember === true;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    const [large, small] = this.nodes.size >= other.nodes.size ? [this, other] : [other, this];
    return large.#changed(small.nodes, (mine, theirs) => {
      if (mine === undefined) return theirs;
      const below = mine.below.union(theirs.below);
      const isMember = mine.isMember || theirs.isMember;
      return isMember === mine.isMember && below === mine.below ? mine : { isMember, below };
    });
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    const [large, small] = this.nodes.size >= other.nodes.size ? [this, other] : [other, this];
    const nodes = new Map<string, FieldNode>();
    for (const [element, node] of small.nodes) {
      const twin = large.nodes.get(element);
      if (twin === undefined) continue;
      const common = nodeOf(node.isMember && twin.isMember, node.below.intersection(twin.below));
      if (common !== undefined) nodes.set(element, common);
    }
    return setOfNodes(nodes);
  }

  /** Without the members of the other set; what is below those stays. */
  difference(other: FieldSet): FieldSet {
    if (other === this) return FieldSet.EMPTY;
    return this.#changed(other.nodes, (mine, theirs) =>
      mine === undefined ? undefined : keptNode(mine, theirs, mine.below.difference(theirs.below)),
    );
  }

  /** Without the members of the other set and all that is below them. */
  without(other: FieldSet): FieldSet {
    return this.#changed(other.nodes, (mine, theirs) => {
      if (mine === undefined) return undefined;
      return keptNode(mine, theirs, theirs.isMember ? FieldSet.EMPTY : mine.below.without(theirs.below));
    });
  }

  /** Only the members that have no members below them. */
  leaves(): FieldSet {
    return new FieldSet(
      new Map(
        [...this.nodes].map(([element, { below }]) => [
          element,
          below.isEmpty ? LEAF : { isMember: false, below: below.leaves() },
        ]),
      ),
    );
  }

  equals(other: FieldSet): boolean {
    if (other === this) return true;
    if (other.nodes.size !== this.nodes.size) return false;
    for (const [element, { isMember, below }] of this.nodes) {
      const twin = other.nodes.get(element);
      if (twin === undefined || twin.isMember !== isMember || !below.equals(twin.below)) return false;
    }
    return true;
  }

  /** Are all members of this set members of the other one? */
  isWithin(other: FieldSet): boolean {
    if (other === this) return true;
    for (const [element, { isMember, below }] of this.nodes) {
      const twin = other.nodes.get(element);
      if (twin === undefined || (isMember && !twin.isMember) || !below.isWithin(twin.below)) return false;
    }
    return true;
  }

  /** The paths: at each level its own members first, in the order of FieldsV1. */
  paths(): ManagedFieldPath[] {
    const found: ManagedFieldPath[] = [];
    collectPaths(this, [], found);
    return found;
  }

  /** The elements of the first level in their order. */
  sortedElements(): string[] {
    return sortedElements(this.nodes.keys());
  }

  /** This set with other nodes where `change` says so; undefined drops a node. The same set when nothing changes. */
  #changed(others: Nodes, change: (mine: FieldNode | undefined, theirs: FieldNode) => FieldNode | undefined): FieldSet {
    let nodes: Map<string, FieldNode> | undefined;
    const put = (element: string, theirs: FieldNode): void => {
      const mine = this.nodes.get(element);
      const changed = change(mine, theirs);
      if (changed === mine) return;
      nodes ??= new Map(this.nodes);
      if (changed === undefined) nodes.delete(element);
      else nodes.set(element, changed);
    };
    for (const [element, theirs] of others) put(element, theirs);
    return nodes === undefined ? this : setOfNodes(nodes);
  }
}

/** A member with nothing below it. */
export const LEAF: FieldNode = Object.freeze({ isMember: true, below: FieldSet.EMPTY });

/** The set of these nodes. */
export function setOfNodes(nodes: Nodes): FieldSet {
  return nodes.size === 0 ? FieldSet.EMPTY : new FieldSet(nodes);
}

/** A node; undefined when it would be empty. */
export function nodeOf(isMember: boolean, below: FieldSet): FieldNode | undefined {
  if (below.isEmpty) return isMember ? LEAF : undefined;
  return { isMember, below };
}

function unitedNode(nodes: readonly FieldNode[]): FieldNode {
  const [first] = nodes;
  if (nodes.length === 1 && first !== undefined) return first;
  const isMember = nodes.some((node) => node.isMember);
  return { isMember, below: FieldSet.union(nodes.map(({ below }) => below)) };
}

function keptNode(mine: FieldNode, theirs: FieldNode, below: FieldSet): FieldNode | undefined {
  const isMember = mine.isMember && !theirs.isMember;
  return isMember === mine.isMember && below === mine.below ? mine : nodeOf(isMember, below);
}

function setOfPath(path: ManagedFieldPath): FieldSet {
  let set = FieldSet.EMPTY;
  for (const element of path.toReversed()) {
    set = new FieldSet(new Map([[element, set.isEmpty ? LEAF : { isMember: false, below: set }]]));
  }
  return set;
}

const NOTHING: JsonRecord = {};

function printLevel(set: FieldSet, withSelf: boolean): JsonRecord {
  const fields: Record<string, JsonRecord> = {};
  if (withSelf) fields['.'] = NOTHING;
  for (const element of set.sortedElements()) {
    const node = set.nodes.get(element);
    if (node === undefined) continue;
    // Every key has a colon in its second place: `__proto__` is none.
    fields[element] = node.below.isEmpty ? NOTHING : printLevel(node.below, node.isMember);
  }
  return fields;
}

function collectPaths(set: FieldSet, prefix: ManagedFieldPath, found: ManagedFieldPath[]): void {
  const elements = set.sortedElements();
  for (const element of elements) {
    if (set.nodes.get(element)?.isMember === true) found.push([...prefix, element]);
  }
  for (const element of elements) {
    const below = set.nodes.get(element)?.below;
    if (below !== undefined && !below.isEmpty) collectPaths(below, [...prefix, element], found);
  }
}

/** The path of nested fields. */
export function fieldPath(...names: readonly string[]): ManagedFieldPath {
  return names.map(fieldElement);
}

/** A path as messages show it: `.spec.containers[name="a"].image`. */
export function managedFieldPathText(path: ManagedFieldPath): string {
  return path.map((element) => elementText(element)).join('');
}
