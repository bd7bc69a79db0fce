/** Compares large objects in steps. The result is that of `compareTyped`. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { Steps } from '../../crd/steps.ts';
import type { ApplyList, ApplyMap, ApplyType } from '../apply-type.ts';
import { type FieldNode, LEAF, setOfNodes } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { type Change, ChangeLevel, type Comparison, comparisonOf } from './change-level.ts';
import { compareTwins, compareValues, itemsByElement, wholeNode } from './compare-typed.ts';
import { itemElement } from './item-element.ts';
import { hasNoMembers, memberOf, memberType } from './members.ts';
import { partFor } from './type-part.ts';

/** So many members and items are compared in one step. */
const STEP_ELEMENTS = 500;

/** Counts the elements of a step. */
interface Pace {
  elements: number;
}

/** Compares values that fit their type. */
export function* compareSteps(left: unknown, right: unknown, type: ApplyType): Steps<Comparison> {
  return comparisonOf(yield* valueSteps(left, right, type, { elements: 0 }));
}

function* valueSteps(left: unknown, right: unknown, type: ApplyType, pace: Pace): Steps<Change | undefined> {
  if (left === right) return undefined;
  if (right === undefined) return { removed: yield* wholeSteps(left, type, pace) };
  if (left === undefined) return { added: yield* wholeSteps(right, type, pace) };
  const part = partFor(type, right);
  // An untyped value that has become another sort of value.
  if (part !== partFor(type, left)) return compareValues(left, right, type);
  const { map, list } = type;
  if (part === 'map' && map !== undefined && !map.isAtomic && isRecord(left) && isRecord(right)) {
    if (!hasNoMembers(left) || !hasNoMembers(right)) return yield* memberSteps(left, right, map, pace);
  }
  if (part === 'list' && list !== undefined && !list.isAtomic) {
    const before: readonly unknown[] = Array.isArray(left) ? left : [];
    const after: readonly unknown[] = Array.isArray(right) ? right : [];
    if (before.length > 0 || after.length > 0) return yield* itemSteps(before, after, list, pace);
  }
  return compareValues(left, right, type);
}

function* memberSteps(left: JsonRecord, right: JsonRecord, map: ApplyMap, pace: Pace): Steps<Change | undefined> {
  const level = new ChangeLevel();
  for (const name of Object.keys(left)) {
    const before = left[name];
    const after = memberOf(right, name);
    const type = before === after ? undefined : memberType(map, name);
    const change = type && (yield* valueSteps(before, after, type, pace));
    if (change !== undefined) level.put(fieldElement(name), change);
    if (isStepDone(pace)) yield;
  }
  for (const name of Object.keys(right)) {
    if (memberOf(left, name) !== undefined) continue;
    const type = memberType(map, name);
    const change = type && (yield* valueSteps(undefined, right[name], type, pace));
    if (change !== undefined) level.put(fieldElement(name), change);
    if (isStepDone(pace)) yield;
  }
  return level.change();
}

function* itemSteps(
  left: readonly unknown[],
  right: readonly unknown[],
  list: ApplyList,
  pace: Pace,
): Steps<Change | undefined> {
  const level = new ChangeLevel();
  const before = itemsByElement(left, list);
  const after = itemsByElement(right, list);
  for (const [element, items] of before) {
    const twins = after.get(element) ?? NO_ITEMS;
    const areSingle = items.length <= 1 && twins.length <= 1;
    const change = areSingle
      ? yield* valueSteps(items[0], twins[0], list.item, pace)
      : compareTwins(items, twins, list.item);
    if (change !== undefined) level.put(element, change);
    if (isStepDone(pace)) yield;
  }
  for (const [element, items] of after) {
    if (before.has(element)) continue;
    const change =
      items.length <= 1
        ? yield* valueSteps(undefined, items[0], list.item, pace)
        : compareTwins(NO_ITEMS, items, list.item);
    if (change !== undefined) level.put(element, change);
    if (isStepDone(pace)) yield;
  }
  return level.change();
}

/** The path of a value and all paths below it. */
function* wholeSteps(value: unknown, type: ApplyType, pace: Pace): Steps<FieldNode> {
  const { map, list } = type;
  const part = partFor(type, value);
  const nodes = new Map<string, FieldNode>();
  if (part === 'map' && map !== undefined && !map.isAtomic && isRecord(value)) {
    for (const name of Object.keys(value)) {
      const member = value[name];
      const below = memberType(map, name);
      if (member === undefined || below === undefined) continue;
      const isDeep = typeof member === 'object';
      nodes.set(fieldElement(name), isDeep ? yield* wholeSteps(member, below, pace) : wholeNode(member, below));
      if (isStepDone(pace)) yield;
    }
    return { isMember: true, below: setOfNodes(nodes) };
  }
  if (part !== 'list' || list === undefined || list.isAtomic || !Array.isArray(value)) return wholeNode(value, type);
  for (const item of value) {
    const element = itemElement(list, item);
    nodes.set(element, nodes.has(element) ? LEAF : yield* wholeSteps(item, list.item, pace));
    if (isStepDone(pace)) yield;
  }
  return { isMember: true, below: setOfNodes(nodes) };
}

const NO_ITEMS: readonly unknown[] = [];

function isStepDone(pace: Pace): boolean {
  pace.elements += 1;
  if (pace.elements < STEP_ELEMENTS) return false;
  pace.elements = 0;
  return true;
}
