/** Warnings about labels of nodes that were renamed. */

import { checkLabelValue } from '@listwatch/api';
import { type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemWarnings } from './item-warnings.ts';

const RENAMED: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** The warning about a label whose name is already in the path `field`. */
export function nodeLabelWarning(label: string, field: string): readonly string[] {
  const why = RENAMED.get(label);
  return why === undefined ? [] : [`${field}: ${why}`];
}

/** The warning about a label that is the value of `field`. */
export function namedLabelWarning(label: string, field: string): readonly string[] {
  const why = RENAMED.get(label);
  return why === undefined ? [] : [`${field}: ${label} is ${why}`];
}

/** The warnings about the expressions of a term; `withValues`: also about their values, which nothing else checks. */
export function nodeSelectorTermWarnings(term: JsonRecord, field: string, withValues: boolean): readonly string[] {
  return itemWarnings(recordsOf(term['matchExpressions']), ({ key, values }, index) => {
    const place = `${field}.matchExpressions[${index}]`;
    const wrong = itemWarnings(withValues ? listOf(values).map(textOf) : [], (value, at) =>
      checkLabelValue(value).map((complaint) => `${place}.values[${at}]: ${value} is invalid, ${complaint}`),
    );
    return [...namedLabelWarning(textOf(key), `${place}.key`), ...wrong];
  });
}
