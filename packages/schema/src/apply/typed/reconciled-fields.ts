/** Field sets after a change of the schema. */

import type { ApplyType } from '../apply-type.ts';
import { type FieldNode, type FieldSet, LEAF, setOfNodes } from '../fields/field-set.ts';

/**
 * The set for a type that may have become another one since it was written: what was owned below a value that is owned as a whole now
 * becomes the value. The same set when nothing changes. Worked out once: a set belongs to a version of a kind.
 */
export function reconciledFields(fields: FieldSet, type: ApplyType): FieldSet {
  if (fields.reconciled?.type !== type) fields.reconciled = { type, fields: reconcileBelow(fields, type) };
  return fields.reconciled.fields;
}

function reconcileBelow(fields: FieldSet, type: ApplyType): FieldSet {
  if (fields.isEmpty || (type.map === undefined && (type.scalar !== undefined || type.list === undefined)))
    return fields;
  const { map, list } = type;
  if (map?.isDeduced === true) return fields;
  let nodes: Map<string, FieldNode> | undefined;
  for (const [element, node] of fields.nodes) {
    const below = map === undefined ? list?.item : memberTypeAt(element, type);
    const reconciled = below === undefined ? node : reconcileNode(node, below);
    if (reconciled === node) continue;
    nodes ??= new Map(fields.nodes);
    nodes.set(element, reconciled);
  }
  return nodes === undefined ? fields : setOfNodes(nodes);
}

function reconcileNode(node: FieldNode, type: ApplyType): FieldNode {
  if (node.below.isEmpty) return node;
  if (isWhole(type)) return LEAF;
  const below = reconcileBelow(node.below, type);
  return below === node.below ? node : { isMember: node.isMember, below };
}

/** Of several parts the map counts first, then the scalar, which has nothing below it. */
function isWhole({ map, scalar, list }: ApplyType): boolean {
  if (map !== undefined) return map.isAtomic && !map.isDeduced;
  return scalar === undefined && list?.isAtomic === true;
}

function memberTypeAt(element: string, { map }: ApplyType): ApplyType | undefined {
  const field = element.startsWith('f:') ? map?.fields.get(element.slice(2)) : undefined;
  return field?.type ?? map?.element;
}
