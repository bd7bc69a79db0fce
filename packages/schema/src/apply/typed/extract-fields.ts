/** Takes fields out of a value. */

import { isRecord, type JsonRecord, setMember } from '@listwatch/api/values';
import type { ApplyList, ApplyMap, ApplyType } from '../apply-type.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { itemElement } from './item-element.ts';
import { hasNoMembers, memberType } from './members.ts';
import { partFor } from './type-part.ts';

/** Only what is a member of the set, and what leads to it. Null when that is nothing. */
export function extractFields(value: unknown, fields: FieldSet, type: ApplyType): unknown {
  const part = partFor(type, value);
  if (part === 'map' && type.map !== undefined) {
    if (!isRecord(value)) return null;
    return hasNoMembers(value) || type.map.isAtomic ? value : extractMembers(value, fields, type.map);
  }
  if (part === 'list' && type.list !== undefined) {
    if (!Array.isArray(value)) return null;
    return value.length === 0 || type.list.isAtomic ? value : extractItems(value, fields, type.list);
  }
  return value;
}

function extractMembers(record: JsonRecord, fields: FieldSet, map: ApplyMap): JsonRecord | null {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(record)) {
    const node = fields.nodes.get(fieldElement(name));
    const type = memberType(map, name);
    if (node === undefined || type === undefined) continue;
    // Below a member Kubernetes goes on with the set of this level, not with what is below the member.
    setMember(found, name, extractFields(record[name], node.isMember ? fields : node.below, type));
  }
  return hasNoMembers(found) ? null : found;
}

function extractItems(items: readonly unknown[], fields: FieldSet, list: ApplyList): readonly unknown[] | null {
  const found: unknown[] = [];
  for (const item of items) {
    const node = fields.nodes.get(itemElement(list, item));
    if (node === undefined) continue;
    found.push(node.below.isEmpty ? item : extractFields(item, node.below, list.item));
  }
  return found.length === 0 ? null : found;
}
