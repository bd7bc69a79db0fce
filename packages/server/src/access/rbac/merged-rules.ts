/** The rules of many roles in one index, for a subject that has them all. */

import type { AskedRight } from './asked-right.ts';
import type { BoundRole } from './bound-role.ts';
import type { MergeBudget } from './merge-budget.ts';
import type { RoleEntry } from './role-entry.ts';
import { type IndexedRule, RuleIndex } from './rule-index.ts';

/** A role that a subject has, and the bindings that give it. None: it has the role no longer. */
export interface RoleGrant {
  readonly role: RoleEntry;
  readonly bindings: Set<BoundRole>;
}

/** Heavier roles have an index of their own, which all their holders share. */
const MAX_ROLE_WEIGHT = 1000;

/** Roles of one subject up to this weight are merged; roles beyond it are asked one by one. */
const MAX_WEIGHT = 100_000;

/** So much is merged for one question, in about 3 ms; roles that wait for the next one are asked one by one. */
const MERGED_AT_ONCE = 10_000;

/** The rules of one role in the index. */
interface MergedRole {
  readonly rules: readonly IndexedRule<RoleGrant>[];
  readonly weight: number;
}

/** Kept up to date role by role, when somebody asks: a changed role may have 10 000 subjects. */
export class MergedRules {
  readonly #budget: MergeBudget;
  readonly #index = new RuleIndex<RoleGrant>();
  readonly #merged = new Map<RoleGrant, MergedRole>();
  /** Roles that are not in the index. */
  readonly #separate = new Set<RoleGrant>();
  readonly #missing = new Set<RoleGrant>();
  /** Roles that are not merged yet. */
  readonly #waiting = new Set<RoleGrant>();
  /** Roles that may be others than they were. */
  readonly #stale = new Set<RoleGrant>();
  #weight = 0;

  constructor(budget: MergeBudget) {
    this.#budget = budget;
  }

  /** The roles that do not exist. */
  *missing(): Generator<RoleGrant, undefined> {
    this.#refresh();
    yield* this.#missing;
    for (const grant of this.#waiting) if (grant.role.rules === undefined) yield grant;
  }

  find(asked: AskedRight): RoleGrant | undefined {
    this.#refresh();
    const found = this.#index.find(asked);
    return found ?? firstAllowing(this.#separate, asked) ?? firstAllowing(this.#waiting, asked);
  }

  /** The subject got this role, or lost it, or its rules are others. */
  touch(grant: RoleGrant): void {
    this.#stale.add(grant);
    // A user that binds and unbinds without a question in between would fill the memory.
    if (grant.bindings.size === 0 && !this.#merged.has(grant)) this.#forget(grant);
  }

  /** Gives its memory back. It must not be asked any more. */
  release(): void {
    this.#budget.give(this.#weight);
  }

  #refresh(): void {
    for (const grant of this.#stale) {
      this.#forget(grant);
      if (grant.bindings.size > 0) this.#waiting.add(grant);
    }
    let weight = 0;
    for (const grant of this.#waiting) {
      this.#waiting.delete(grant);
      this.#add(grant);
      weight += Math.min(grant.role.rules?.weight ?? 1, MAX_ROLE_WEIGHT);
      if (weight > MERGED_AT_ONCE) return;
    }
  }

  #add(grant: RoleGrant): void {
    const { rules } = grant.role;
    if (rules === undefined) {
      this.#missing.add(grant);
      return;
    }
    const { weight } = rules;
    if (weight > MAX_ROLE_WEIGHT || this.#weight + weight > MAX_WEIGHT || !this.#budget.take(weight)) {
      this.#separate.add(grant);
      return;
    }
    this.#weight += weight;
    this.#merged.set(grant, { weight, rules: rules.compiled.map((rule) => this.#index.add(rule, grant)) });
  }

  #forget(grant: RoleGrant): void {
    this.#stale.delete(grant);
    this.#waiting.delete(grant);
    this.#missing.delete(grant);
    this.#separate.delete(grant);
    const merged = this.#merged.get(grant);
    if (merged === undefined) return;
    this.#merged.delete(grant);
    this.#weight -= merged.weight;
    this.#budget.give(merged.weight);
    for (const rule of merged.rules) this.#index.remove(rule);
  }
}

function firstAllowing(grants: ReadonlySet<RoleGrant>, asked: AskedRight): RoleGrant | undefined {
  for (const grant of grants) if (grant.role.rules?.allows(asked) === true) return grant;
  return undefined;
}

/** The element that has been in a set longest. */
export function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const value of set) return value;
  return undefined;
}
