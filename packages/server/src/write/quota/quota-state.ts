/** A ResourceQuota as it is checked: parsed once, with what it has used so far. */

import { listOf, recordOf, recordsOf, textOf } from '../../kinds/json/json-value.ts';
import type { KubeObject } from '../../kinds/resource-definition.ts';
import { type Amounts, amountMap } from '../admission/pod-resources.ts';
import type { ScopeRequirement, UsageRule } from './usage-rule.ts';

/** Immutable: what is used is replaced by `withUsed`. */
export class QuotaState {
  readonly object: KubeObject;
  readonly name: string;
  /** The limits that count are those that the quota controller has taken over into the status. */
  readonly hard: Amounts;
  readonly used: Amounts;
  readonly requirements: readonly ScopeRequirement[];
  readonly #names: Map<UsageRule, readonly string[]>;

  constructor(object: KubeObject, from?: QuotaState, used?: Amounts) {
    const status = recordOf(object['status']);
    this.object = object;
    this.name = object.metadata.name ?? '';
    this.hard = from?.hard ?? amountMap(status['hard']);
    this.used = used ?? amountMap(status['used']);
    this.requirements = from?.requirements ?? requirementsOf(object);
    this.#names = from === undefined ? new Map() : from.#names;
  }

  /** The limited names that concern a kind. */
  names(rule: UsageRule): readonly string[] {
    const known = this.#names.get(rule) ?? [...this.hard.keys()].filter(rule.concerns);
    if (rule.dependsOnOthers !== true) this.#names.set(rule, known);
    return known;
  }

  /** Does it count this object? */
  covers(rule: UsageRule, object: KubeObject): boolean {
    const isInScope = rule.isInScope ?? (() => false);
    return this.names(rule).length > 0 && this.requirements.every((one) => isInScope(object, one));
  }

  withUsed(used: Amounts): QuotaState {
    return new QuotaState(this.object, this, used);
  }
}

function requirementsOf(quota: KubeObject): readonly ScopeRequirement[] {
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
