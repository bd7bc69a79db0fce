/** The contract of a usage rule: how objects of one kind count against the quotas of their namespace. */

import { Quantity } from '@listwatch/api/values';
import type { CountedObject, CountedWrite } from './counted-object.ts';
import type { Amounts } from './pod-resources.ts';

/** One line of `scopes` or `scopeSelector` of a quota. */
export interface ScopeRequirement {
  readonly scope: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** How a kind is counted. */
export interface UsageRule {
  /** Can this write change the usage? */
  readonly counts: (write: CountedWrite) => boolean;
  /** Does the resource name of a quota apply to this kind? */
  readonly concerns: (name: string) => boolean;
  /** Does the result of `concerns` depend on other objects? Default: no, and results are cached. */
  readonly dependsOnOthers?: boolean;
  /** The usage of an object, by resource name. */
  readonly usage: (object: CountedObject) => Amounts;
  /** Is the object in the scope? Default: in none, so that a quota with scopes does not count the kind. */
  readonly isInScope?: (object: CountedObject, requirement: ScopeRequirement) => boolean;
  /** The amounts that an object lacks although the quota limits them: the text after `must specify `. Default: none. */
  readonly missing?: (object: CountedObject, names: readonly string[]) => string | undefined;
}

/** `count/deployments.apps`, as quotas name the objects of a kind. */
export function countName(group: string, plural: string): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`;
}

/** The rule of most kinds: objects are counted when they are created. */
export function objectCount(...names: readonly string[]): UsageRule {
  const usage: Amounts = new Map(names.map((name) => [name, Quantity.of(1)]));
  return {
    counts: ({ old, subresource }) => old === undefined && subresource === '',
    concerns: (name) => usage.has(name),
    usage: () => usage,
  };
}

/** Do the names of an object match a requirement on them? Without names only negative requirements match. */
export function namesMatch(names: readonly string[], { operator, values }: ScopeRequirement): boolean {
  switch (operator) {
    case 'In':
      return names.some((name) => values.includes(name));
    case 'NotIn':
      return names.length === 0 || names.some((name) => !values.includes(name));
    case 'Exists':
      return names.length > 0;
    case 'DoesNotExist':
      return names.length === 0;
    default:
      return false;
  }
}
