/** The fields of a value: what a manager owns who applies it. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ApplyList, ApplyMap, ApplyType } from '../apply-type.ts';
import { type FieldNode, FieldSet, LEAF, nodeOf, setOfNodes } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';
import { itemElementOrNone } from './item-element.ts';
import { hasNoMembers } from './members.ts';
import { partFor } from './type-part.ts';

/** The fields of a value that fits its type. */
export function fieldSetOf(value: unknown, type: ApplyType): FieldSet {
  return fieldsBelow(value, type).below;
}

/** What is below a value, and whether its own path is a field. */
function fieldsBelow(value: unknown, type: ApplyType): FieldNode {
  const part = partFor(type, value);
  if (part === 'map' && type.map !== undefined) {
    if (type.map.isAtomic) return LEAF;
    return isRecord(value) ? { isMember: false, below: mapFields(value, type.map) } : NOTHING;
  }
  if (part === 'list' && type.list !== undefined) {
    if (type.list.isAtomic) return LEAF;
    return Array.isArray(value) ? { isMember: false, below: listFields(value, type.list) } : NOTHING;
  }
  return LEAF;
}

const NOTHING: FieldNode = { isMember: false, below: FieldSet.EMPTY };

function mapFields(record: JsonRecord, map: ApplyMap): FieldSet {
  const nodes = new Map<string, FieldNode>();
  for (const name of Object.keys(record)) {
    const value = record[name];
    const field = map.fields.get(name);
    const type = field?.type ?? map.element;
    if (value === undefined || type === undefined) continue;
    const isOwned = field === undefined || value === null || (isRecord(value) && hasNoMembers(value));
    const found = fieldsBelow(value, type);
    const node = nodeOf(found.isMember || isOwned, found.below);
    if (node !== undefined) nodes.set(fieldElement(name), node);
  }
  return setOfNodes(nodes);
}

function listFields(items: readonly unknown[], list: ApplyList): FieldSet {
  const nodes = new Map<string, FieldNode>();
  for (const item of items) {
    const element = itemElementOrNone(list, item);
    // Of items with one key, only the path that they share is a field.
    const node = nodes.has(element) ? LEAF : nodeOf(true, fieldsBelow(item, list.item).below);
    if (node !== undefined) nodes.set(element, node);
  }
  return setOfNodes(nodes);
}
