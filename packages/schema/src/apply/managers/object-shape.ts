/** The shape of a created object: all that its field set depends on, which is its names, keys and types, but not its values. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';
import { LONGEST_SHAPE } from '../fields/created-sets.ts';
import { equalValues } from '../fields/json-equality.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { itemElement, itemProblem } from '../typed/item-element.ts';
import { memberOf, memberType } from '../typed/members.ts';

const contexts = new WeakMap<OwnershipContext, number>();
const types = new WeakMap<ApplyType, number>();
let lastNumber = 0;

/**
 * A text that two objects share only if a creation gives both the same field set. Undefined for an object that is too large, or whose
 * lists have items without keys. `zero` is what the object is compared with.
 */
export function objectShape(
  context: OwnershipContext,
  type: ApplyType,
  object: JsonRecord,
  zero: JsonRecord,
): string | undefined {
  const shape = new Shape();
  shape.add(object, type, zero);
  return shape.isOver ? undefined : `${numberOf(contexts, context)} ${numberOf(types, type)} ${shape.text}`;
}

function numberOf<T extends object>(numbers: WeakMap<T, number>, of: T): number {
  const known = numbers.get(of);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(of, lastNumber);
  return lastNumber;
}

class Shape {
  text = '';
  /** Too long, or not to be told by a shape. */
  isOver = false;

  add(value: unknown, type: ApplyType | undefined, zero: unknown): void {
    if (this.text.length > LONGEST_SHAPE) this.isOver = true;
    if (this.isOver) return;
    if (Array.isArray(value)) this.#addItems(value, type, zero);
    else if (isRecord(value)) this.#addMembers(value, type, zero);
    else this.text += SORTS[value === null ? 'null' : typeof value] + equality(value, zero);
  }

  /** Names come with their lengths, so that no name can look like several. */
  #addMembers(record: JsonRecord, type: ApplyType | undefined, zero: unknown): void {
    const map = type?.map;
    const before = isRecord(zero) ? zero : undefined;
    this.text += map?.isAtomic === true ? `{${equality(record, zero)}` : '{';
    for (const name of Object.keys(record)) {
      if (this.isOver) return;
      this.text += `${name.length}:${name}`;
      const member = before === undefined ? undefined : memberOf(before, name);
      this.add(record[name], map && memberType(map, name), member);
    }
    this.text += '}';
  }

  #addItems(items: readonly unknown[], type: ApplyType | undefined, zero: unknown): void {
    const list = type?.list;
    // No kind starts with items.
    if (Array.isArray(zero) && zero.length > 0) this.isOver = true;
    this.text += `[${equality(items, zero)}`;
    for (const item of items) {
      if (this.isOver) return;
      const key = list === undefined || list.isAtomic ? undefined : textKey(list, item);
      // A letter: the lengths of elements begin with digits. The type of the list says which field the key is.
      if (key !== undefined) this.text += `k${key.length}:${key}`;
      else if (list !== undefined && !list.isAtomic) {
        const element = elementOf(list, item);
        if (element === undefined) this.isOver = true;
        else this.text += `${element.length}:${element}`;
      }
      this.add(item, list?.item, undefined);
    }
    this.text += ']';
  }
}

const SORTS: Readonly<Record<string, string>> = {
  null: 'z',
  string: 's',
  number: 'n',
  bigint: 'i',
  boolean: 'b',
  undefined: 'u',
};

/** Is it what the object started with? Nothing when it did not start with the field. */
function equality(value: unknown, zero: unknown): string {
  if (zero === undefined) return '';
  return equalValues(zero, value) ? '=' : '~';
}

/** The key of nearly all items: one text. The element that it stands for need not be written. */
function textKey({ keys }: NonNullable<ApplyType['list']>, item: unknown): string | undefined {
  const [name = ''] = keys;
  if (keys.length !== 1 || !isRecord(item)) return undefined;
  const key = memberOf(item, name);
  return typeof key === 'string' ? key : undefined;
}

function elementOf(list: NonNullable<ApplyType['list']>, item: unknown): string | undefined {
  return itemProblem(list, item) === undefined ? itemElement(list, item) : undefined;
}
