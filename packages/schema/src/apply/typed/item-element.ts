/** What tells the items of a list apart. */

import { isRecord } from '../../decode/json-record.ts';
import type { ApplyList } from '../apply-type.ts';
import { compareBytes } from '../fields/byte-order.ts';
import { keyElement, valueElement } from '../fields/path-element.ts';
import { memberOf } from './members.ts';

/** Why an item has no place in its list. The message is that of Kubernetes. */
export class ItemProblem extends Error {}

/** The step of a path to an item of a set or of a list with keys. Throws an {@link ItemProblem}. */
export function itemElement(list: ApplyList, item: unknown): string {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** The same for items that pruning may have left null: those have a step that is in no set. */
export function itemElementOrNone(list: ApplyList, item: unknown): string {
  return item === null ? NO_ELEMENT : itemElement(list, item);
}

const NO_ELEMENT = '';

function keyedElement({ keys, item: type }: ApplyList, item: unknown): string {
  if (item === null) throw new ItemProblem('associative list with keys may not have a null element');
  if (!isRecord(item)) throw new ItemProblem('associative list with keys may not have non-map elements');
  const members: [string, unknown][] = [];
  for (const key of keys) {
    const own = memberOf(item, key);
    const value = own === undefined ? type.map?.fields.get(key)?.default : own;
    if (value !== undefined) members.push([key, value]);
  }
  if (members.length === 0) {
    const names = keys.map((key) => `"${key}"`).join(' ');
    throw new ItemProblem(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  if (members.length > 1) members.sort(([one], [other]) => compareBytes(one, other));
  return keyElement(members);
}

function setElement(item: unknown): string {
  if (Array.isArray(item)) throw new ItemProblem('not supported: associative list with lists as elements');
  if (item === null) throw new ItemProblem("associative list without keys has an element that's an explicit null");
  if (isRecord(item)) throw new ItemProblem("associative list without keys has an element that's a map type");
  return valueElement(item);
}
