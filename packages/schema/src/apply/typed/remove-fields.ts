/** Removes fields from a value. */

import { isRecord, type JsonRecord, setMember } from '@listwatch/api/values';
import type { ApplyList, ApplyMap, ApplyType } from '../apply-type.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { itemElementOrNone } from './item-element.ts';
import { copyOf, hasNoMembers, memberType } from './members.ts';
import { partFor } from './type-part.ts';

/**
 * The value without the members of a set. A container that loses its last part, or that is owned as a whole and has members below it,
 * becomes null. Gives back the value itself when nothing is removed.
 */
export function removeFields(value: unknown, fields: FieldSet, type: ApplyType): unknown {
  const part = partFor(type, value);
  if (part === 'map' && type.map !== undefined) {
    return isRecord(value) && !hasNoMembers(value) && !type.map.isAtomic
      ? removeMembers(value, fields, type.map)
      : null;
  }
  if (part === 'list' && type.list !== undefined) {
    return Array.isArray(value) && value.length > 0 && !type.list.isAtomic
      ? removeItems(value, fields, type.list)
      : null;
  }
  return value;
}

function removeMembers(record: JsonRecord, fields: FieldSet, map: ApplyMap): JsonRecord | null {
  let kept: Record<string, unknown> | undefined;
  for (const [element, { isMember, below }] of fields.nodes) {
    const name = element.slice(2);
    if (element !== fieldElement(name) || !Object.hasOwn(record, name)) continue;
    const type = memberType(map, name);
    const value = record[name];
    const left = isMember || type === undefined ? undefined : removeFields(value, below, type);
    if (left === value) continue;
    kept ??= copyOf(record);
    if (left === undefined) Reflect.deleteProperty(kept, name);
    else setMember(kept, name, left);
  }
  if (kept === undefined) return record;
  return hasNoMembers(kept) ? null : kept;
}

function removeItems(items: readonly unknown[], fields: FieldSet, list: ApplyList): readonly unknown[] | null {
  let isChanged = false;
  const kept: unknown[] = [];
  for (const item of items) {
    const node = fields.nodes.get(itemElementOrNone(list, item));
    if (node?.isMember === true) {
      isChanged = true;
      continue;
    }
    const left = node === undefined ? item : removeFields(item, node.below, list.item);
    isChanged ||= left !== item;
    kept.push(left);
  }
  if (!isChanged) return items;
  return kept.length === 0 ? null : kept;
}
