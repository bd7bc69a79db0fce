/** One rule of a Role or ClusterRole. */

import { listOf, recordsOf, textOf } from '@listwatch/api/values';

/** All lists may be empty; an empty `resourceNames` stands for every name. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** In verbs, groups, resources and paths: all of them. */
export const ANYTHING = '*';

/** The rules of a stored role. */
export function policyRules(rules: unknown): readonly PolicyRule[] {
  return recordsOf(rules).map((rule) => {
    const texts = (name: string): readonly string[] => listOf(rule[name]).map(textOf);
    return {
      verbs: texts('verbs'),
      apiGroups: texts('apiGroups'),
      resources: texts('resources'),
      resourceNames: texts('resourceNames'),
      nonResourceURLs: texts('nonResourceURLs'),
    };
  });
}
