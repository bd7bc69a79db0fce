/** A ResourceQuota for checks: parsed once, with its current usage. */

import { recordOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { type Amounts, amountMap } from './pod-resources.ts';
import { isInScopes, scopeRequirements } from './quota-scope.ts';
import type { ScopeRequirement, UsageRule } from './usage-rule.ts';

/** Immutable: `withUsed` returns a copy with another usage. */
export class QuotaState {
  readonly object: KubeObject;
  readonly name: string;
  /** The limits of the status, which the quota controller has copied from the spec. */
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
    this.requirements = from?.requirements ?? scopeRequirements(object);
    this.#names = from === undefined ? new Map() : from.#names;
  }

  /** The limited names that concern a kind. */
  names(rule: UsageRule): readonly string[] {
    const known = this.#names.get(rule) ?? [...this.hard.keys()].filter(rule.concerns);
    if (rule.dependsOnOthers !== true) this.#names.set(rule, known);
    return known;
  }

  /** Does the quota count this object? */
  covers(rule: UsageRule, object: KubeObject): boolean {
    return this.names(rule).length > 0 && isInScopes(rule, object, this.requirements);
  }

  withUsed(used: Amounts): QuotaState {
    return new QuotaState(this.object, this, used);
  }
}
