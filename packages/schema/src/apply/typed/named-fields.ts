/** A set with the fields that lead to its members. */

import type { ApplyType } from '../apply-type.ts';
import { type FieldNode, type FieldSet, setOfNodes } from '../fields/field-set.ts';

/** The set and every declared field above its members: not entries of maps, not items of lists. */
export function namedFields(fields: FieldSet, type: ApplyType | undefined): FieldSet {
  if (fields.isEmpty) return fields;
  const nodes = new Map<string, FieldNode>();
  let isChanged = false;
  for (const [element, node] of fields.nodes) {
    const field = element.startsWith('f:') ? type?.map?.fields.get(element.slice(2)) : undefined;
    const below = namedFields(node.below, field?.type ?? typeBelow(element, type));
    const isMember = node.isMember || field !== undefined;
    const isSame = isMember === node.isMember && below === node.below;
    isChanged ||= !isSame;
    nodes.set(element, isSame ? node : { isMember, below });
  }
  return isChanged ? setOfNodes(nodes) : fields;
}

function typeBelow(element: string, type: ApplyType | undefined): ApplyType | undefined {
  if (element.startsWith('f:')) return type?.map?.element;
  return element.startsWith('k:') ? type?.list?.item : undefined;
}
