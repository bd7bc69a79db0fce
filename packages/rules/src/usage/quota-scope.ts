/** The scopes of a quota, which select the objects that it counts. */

import { listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { CountedObject } from './counted-object.ts';
import type { ScopeRequirement, UsageRule } from './usage-rule.ts';

/** The requirements in `scopes` and `scopeSelector` of a ResourceQuota. */
export function scopeRequirements(quota: CountedObject): readonly ScopeRequirement[] {
  const { scopes, scopeSelector } = recordOf(quota['spec']);
  return [
    ...listOf(scopes).map((scope) => ({ scope: textOf(scope), operator: 'Exists', values: [] })),
    ...recordsOf(recordOf(scopeSelector)['matchExpressions']).map(({ scopeName, operator, values }) => ({
      scope: textOf(scopeName),
      operator: textOf(operator),
      values: listOf(values).map(textOf),
    })),
  ];
}

/** Does the object match all requirements? */
export function isInScopes(rule: UsageRule, object: CountedObject, requirements: readonly ScopeRequirement[]): boolean {
  const isInScope = rule.isInScope ?? (() => false);
  return requirements.every((one) => isInScope(object, one));
}
