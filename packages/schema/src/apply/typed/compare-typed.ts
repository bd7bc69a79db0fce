/** What differs between two values of one type. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyList, ApplyMap, ApplyType } from '../apply-type.ts';
import { type FieldNode, LEAF, setOfNodes } from '../fields/field-set.ts';
import { equalValues } from '../fields/json-equality.ts';
import { fieldElement } from '../fields/path-element.ts';
import { bothChanges, ChangeLevel, type Comparison, comparisonOf, type TypedDifference } from './change-level.ts';
import { itemElement } from './item-element.ts';
import { hasNoMembers, memberOf, memberType } from './members.ts';
import { partFor, type TypePart } from './type-part.ts';

/** Compares values that fit their type. Parts that are one and the same object are not looked at. */
export function compareTyped(left: unknown, right: unknown, type: ApplyType): Comparison {
  return comparisonOf(typedDifference(left, right, type));
}

/** Undefined stands for an absent value; null is a value. */
export function typedDifference(left: unknown, right: unknown, type: ApplyType): TypedDifference | undefined {
  if (left === right) return undefined;
  if (right === undefined) return { removed: wholeNode(left, type) };
  if (left === undefined) return { added: wholeNode(right, type) };
  const leftPart = partFor(type, left);
  const rightPart = partFor(type, right);
  const change = compareAs(left, right, type, rightPart);
  // An untyped value has become another sort of value: what was below it is compared, too.
  return leftPart === rightPart ? change : bothChanges(compareAs(left, right, type, leftPart), change);
}

function compareAs(
  left: unknown,
  right: unknown,
  { map, list }: ApplyType,
  part: TypePart,
): TypedDifference | undefined {
  if (part === 'map' && map !== undefined && !map.isAtomic) {
    const before = isRecord(left) && !hasNoMembers(left) ? left : undefined;
    const after = isRecord(right) && !hasNoMembers(right) ? right : undefined;
    if (before !== undefined || after !== undefined) return compareMembers(before ?? {}, after ?? {}, map);
  }
  if (part === 'list' && list !== undefined && !list.isAtomic) {
    const before = Array.isArray(left) && left.length > 0 ? left : undefined;
    const after = Array.isArray(right) && right.length > 0 ? right : undefined;
    if (before !== undefined || after !== undefined) return compareItems(before ?? [], after ?? [], list);
  }
  return equalValues(left, right) ? undefined : MODIFIED;
}

const MODIFIED: TypedDifference = { modified: LEAF };

function compareMembers(left: JsonRecord, right: JsonRecord, map: ApplyMap): TypedDifference | undefined {
  const level = new ChangeLevel();
  for (const name of Object.keys(left)) {
    const before = left[name];
    const after = memberOf(right, name);
    if (before !== after) compareMember(level, name, before, after, map);
  }
  for (const name of Object.keys(right)) {
    if (memberOf(left, name) === undefined) compareMember(level, name, undefined, right[name], map);
  }
  return level.change();
}

function compareMember(level: ChangeLevel, name: string, left: unknown, right: unknown, map: ApplyMap): void {
  const type = memberType(map, name);
  const change = type === undefined ? undefined : typedDifference(left, right, type);
  if (change !== undefined) level.put(fieldElement(name), change);
}

function compareItems(
  left: readonly unknown[],
  right: readonly unknown[],
  list: ApplyList,
): TypedDifference | undefined {
  const level = new ChangeLevel();
  const before = itemsByElement(left, list);
  const after = itemsByElement(right, list);
  for (const [element, items] of before) {
    const change = compareTwins(items, after.get(element) ?? NO_ITEMS, list.item);
    if (change !== undefined) level.put(element, change);
  }
  for (const [element, items] of after) {
    if (before.has(element)) continue;
    const change = compareTwins(NO_ITEMS, items, list.item);
    if (change !== undefined) level.put(element, change);
  }
  return level.change();
}

const NO_ITEMS: readonly unknown[] = [];

/** Items with one key. Lists may have several of them, which are owned as a whole. */
export function compareTwins(
  left: readonly unknown[],
  right: readonly unknown[],
  type: ApplyType,
): TypedDifference | undefined {
  if (left.length <= 1 && right.length <= 1) return typedDifference(left[0], right[0], type);
  if (left.length >= 2 && right.length >= 2) return equalValues(left, right) ? undefined : MODIFIED;
  const change = typedDifference(
    left.length >= 2 ? undefined : left[0],
    right.length >= 2 ? undefined : right[0],
    type,
  );
  return bothChanges(change, left.length >= 2 ? { removed: LEAF } : { added: LEAF });
}

/** The items of each element, in their order. */
export function itemsByElement(items: readonly unknown[], list: ApplyList): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const twins = found.get(element);
    if (twins === undefined) found.set(element, [item]);
    else twins.push(item);
  }
  return found;
}

/** The path of a value and all paths below it, containers included. */
export function wholeNode(value: unknown, type: ApplyType): FieldNode {
  const { map, list } = type;
  const part = partFor(type, value);
  if (part === 'map' && map !== undefined && !map.isAtomic && isRecord(value)) {
    const nodes = new Map<string, FieldNode>();
    for (const name of Object.keys(value)) {
      const member = value[name];
      const below = memberType(map, name);
      if (member !== undefined && below !== undefined) nodes.set(fieldElement(name), wholeNode(member, below));
    }
    return { isMember: true, below: setOfNodes(nodes) };
  }
  if (part === 'list' && list !== undefined && !list.isAtomic && Array.isArray(value)) {
    const nodes = new Map<string, FieldNode>();
    for (const item of value) {
      const element = itemElement(list, item);
      nodes.set(element, nodes.has(element) ? LEAF : wholeNode(item, list.item));
    }
    return { isMember: true, below: setOfNodes(nodes) };
  }
  return LEAF;
}
