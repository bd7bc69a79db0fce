/** The rules of one role, compiled once for all that are bound to it. */

import type { AskedRight } from './asked-right.ts';
import { GrantedRule } from './granted-rule.ts';
import type { PolicyRule } from './policy-rule.ts';
import { RuleIndex } from './rule-index.ts';

/** Comparing each rule is cheaper than an index up to this weight. */
const LIGHT = 64;

/** Answers what its role allows. Immutable. */
export class RoleRules {
  readonly rules: readonly PolicyRule[];
  /** About how many values its rules have: what an index of them costs. */
  readonly weight: number;
  readonly compiled: readonly GrantedRule[];
  readonly #index: RuleIndex<true> | undefined;

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    this.weight = rules.reduce((sum, rule) => sum + ruleWeight(rule), 0);
    // Now, when this is the only role to compile: a question may be about thousands of them.
    this.compiled = rules.map((rule) => new GrantedRule(rule));
    this.#index = this.weight > LIGHT ? indexOf(this.compiled) : undefined;
  }

  allows(asked: AskedRight): boolean {
    if (this.#index !== undefined) return this.#index.find(asked) !== undefined;
    for (const rule of this.compiled) if (rule.allows(asked)) return true;
    return false;
  }
}

function indexOf(rules: readonly GrantedRule[]): RuleIndex<true> {
  const index = new RuleIndex<true>();
  for (const rule of rules) index.add(rule, true);
  return index;
}

/** The values of a rule, and one for itself. */
export function ruleWeight({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  return 1 + verbs.length + apiGroups.length + resources.length + resourceNames.length + nonResourceURLs.length;
}
