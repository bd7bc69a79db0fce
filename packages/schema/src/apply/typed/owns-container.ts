/** Whether a set owns a container that has parts of its own. */

import { isRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { hasNoMembers, memberOf, memberType } from './members.ts';

/**
 * Is the last step of a path in the set an object or a list that is owned part by part and is not empty in the value? Somebody has applied
 * it empty, and what is in it now may belong to nobody. Also true where that is too dear to find out.
 */
export function ownsContainer(value: unknown, fields: FieldSet, type: ApplyType): boolean {
  const { map, list } = type;
  if (map !== undefined && isRecord(value)) {
    for (const [element, { below }] of fields.nodes) {
      const name = element.slice(2);
      const member = memberOf(value, name);
      const inner = memberType(map, name);
      if (member === undefined || inner === undefined) continue;
      if (below.isEmpty ? hasParts(member, inner) : ownsContainer(member, below, inner)) return true;
    }
    return false;
  }
  if (list === undefined || !Array.isArray(value)) return false;
  if (list.item.map?.isAtomic !== false) return false;
  // Items have their keys below them, unless all keys have defaults.
  return [...fields.nodes.values()].some(({ below }) => below.isEmpty || mayOwnContainer(below, list.item));
}

function hasParts(value: unknown, { map, list }: ApplyType): boolean {
  if (isRecord(value)) return map?.isAtomic === false && !hasNoMembers(value);
  return Array.isArray(value) && list?.isAtomic === false && value.length > 0;
}

/** The same for an item that is not looked for in its list. */
function mayOwnContainer(fields: FieldSet, { map, list }: ApplyType): boolean {
  for (const [element, { below }] of fields.nodes) {
    const type = element.startsWith('f:') && map !== undefined ? memberType(map, element.slice(2)) : list?.item;
    if (type === undefined) continue;
    const isContainer = type.map?.isAtomic === false || type.list?.isAtomic === false;
    if (below.isEmpty ? isContainer : mayOwnContainer(below, type)) return true;
  }
  return false;
}
