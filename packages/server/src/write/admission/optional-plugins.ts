/** The admission plugins that are off by default. */

import { quote } from '@listwatch/api';
import type { MutatingStep } from '../../contract/dynamic-admission.ts';
import { NodeRestriction, type NodeRestrictionParts } from './nodes/node-restriction.ts';

/** By their names in Kubernetes. */
export type OptionalAdmissionPlugin = 'NodeRestriction';

/** Makes those that are named, in the order of Kubernetes. Throws a `TypeError` for one that does not exist. */
export function optionalPlugins(
  names: readonly OptionalAdmissionPlugin[],
  parts: NodeRestrictionParts,
): readonly MutatingStep[] {
  const unknown = names.find((name) => name !== 'NodeRestriction');
  if (unknown !== undefined) throw new TypeError(`admissionPlugins: there is no plugin ${quote(String(unknown))}`);
  return names.length === 0 ? [] : [new NodeRestriction(parts)];
}
