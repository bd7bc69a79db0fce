/** What tells the items of a list apart. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyList, ApplyType } from '../apply-type.ts';
import { compareByteOrder } from '../fields/byte-order.ts';
import { keyElement, valueElement } from '../fields/path-element.ts';
import { memberOf } from './members.ts';

/** Why an item has no place in its list. The message is that of Kubernetes. */
export class ItemProblem extends Error {}

/** Why an item has no place in its list; undefined when it has one. */
export function itemProblem({ keys, item: type }: ApplyList, item: unknown): string | undefined {
  if (keys.length === 0) return setProblem(item);
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isRecord(item)) return 'associative list with keys may not have non-map elements';
  for (const key of keys) if (keyValue(item, key, type) !== undefined) return undefined;
  const names = keys.map((key) => `"${key}"`).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

/** The step of a path to an item of a set or of a list with keys. Throws an {@link ItemProblem}. */
export function itemElement(list: ApplyList, item: unknown): string {
  const problem = itemProblem(list, item);
  if (problem !== undefined) throw new ItemProblem(problem);
  return list.keys.length > 0 && isRecord(item) ? keyedElement(list, item) : valueElement(item);
}

/** The same for items that pruning may have left null: those have a step that is in no set. */
export function itemElementOrNone(list: ApplyList, item: unknown): string {
  return item === null ? NO_ELEMENT : itemElement(list, item);
}

const NO_ELEMENT = '';

function keyedElement({ keys, item: type }: ApplyList, item: JsonRecord): string {
  const members: [string, unknown][] = [];
  for (const key of keys) {
    const value = keyValue(item, key, type);
    if (value !== undefined) members.push([key, value]);
  }
  if (members.length > 1) members.sort(([one], [other]) => compareByteOrder(one, other));
  return keyElement(members);
}

function keyValue(item: JsonRecord, key: string, type: ApplyType): unknown {
  const own = memberOf(item, key);
  return own === undefined ? type.map?.fields.get(key)?.default : own;
}

function setProblem(item: unknown): string | undefined {
  if (typeof item !== 'object') return undefined;
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  return item === null
    ? "associative list without keys has an element that's an explicit null"
    : "associative list without keys has an element that's a map type";
}
