/** Collects what differs below a value. */

import { type FieldNode, FieldSet, nodeOf, setOfNodes } from '../fields/field-set.ts';

/** The fields that two values do not share. */
export interface Comparison {
  /** Only in the second. */
  readonly added: FieldSet;
  /** Only in the first. */
  readonly removed: FieldSet;
  /** In both, with other values. */
  readonly modified: FieldSet;
}

/** What differs at a value and below it. Undefined: nothing. */
export interface TypedDifference {
  readonly added?: FieldNode | undefined;
  readonly removed?: FieldNode | undefined;
  readonly modified?: FieldNode | undefined;
}

/** Nothing differs. */
export const SAME: Comparison = { added: FieldSet.EMPTY, removed: FieldSet.EMPTY, modified: FieldSet.EMPTY };

/** Does nothing differ? */
export function isEmptyComparison({ added, removed, modified }: Comparison): boolean {
  return added.isEmpty && removed.isEmpty && modified.isEmpty;
}

const CHANGES = ['added', 'removed', 'modified'] as const;

/** The members of one object or the items of one list. */
export class ChangeLevel {
  readonly #nodes: Partial<Record<keyof Comparison, Map<string, FieldNode>>> = {};

  put(element: string, change: TypedDifference): void {
    for (const kind of CHANGES) {
      const node = change[kind];
      if (node === undefined) continue;
      this.#nodes[kind] ??= new Map();
      this.#nodes[kind].set(element, node);
    }
  }

  /** What was put, below one value. Undefined when that is nothing. */
  change(): TypedDifference | undefined {
    const { added, removed, modified } = this.#nodes;
    if (added === undefined && removed === undefined && modified === undefined) return undefined;
    return { added: inside(added), removed: inside(removed), modified: inside(modified) };
  }
}

/** Both changes of one value. */
export function bothChanges(
  one: TypedDifference | undefined,
  other: TypedDifference | undefined,
): TypedDifference | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    added: bothNodes(one.added, other.added),
    removed: bothNodes(one.removed, other.removed),
    modified: bothNodes(one.modified, other.modified),
  };
}

/** What is below the value of a change. */
export function comparisonOf(change: TypedDifference | undefined): Comparison {
  if (change === undefined) return SAME;
  const { added, removed, modified } = change;
  return { added: belowOf(added), removed: belowOf(removed), modified: belowOf(modified) };
}

function belowOf(node: FieldNode | undefined): FieldSet {
  return node?.below ?? FieldSet.EMPTY;
}

function inside(nodes: Map<string, FieldNode> | undefined): FieldNode | undefined {
  return nodes === undefined ? undefined : nodeOf(false, setOfNodes(nodes));
}

function bothNodes(one: FieldNode | undefined, other: FieldNode | undefined): FieldNode | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { isMember: one.isMember || other.isMember, below: one.below.union(other.below) };
}
