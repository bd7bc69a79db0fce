/** All roles that one user or group has in one scope. */

import type { AskedRight } from './asked-right.ts';
import type { BoundRole } from './bound-role.ts';
import type { MergeBudget } from './merge-budget.ts';
import { first, MergedRules, type RoleGrant } from './merged-rules.ts';
import type { RoleEntry } from './role-entry.ts';

/** With more roles than this their rules are merged; with fewer each role is asked, whose rules all its holders share. */
const MANY_ROLES = 16;

/** Most subjects have a few roles; a group of all users may have thousands. */
export class SubjectGrants {
  readonly #budget: MergeBudget;
  readonly #grants = new Map<RoleEntry, RoleGrant>();
  #merged: MergedRules | undefined;

  constructor(budget: MergeBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#grants.size === 0;
  }

  add(binding: BoundRole): void {
    const { role } = binding;
    const known = this.#grants.get(role);
    if (known !== undefined) {
      known.bindings.add(binding);
      return;
    }
    const grant: RoleGrant = { role, bindings: new Set([binding]) };
    this.#grants.set(role, grant);
    role.holders.add(this);
    this.#merged?.touch(grant);
  }

  remove(binding: BoundRole): void {
    const { role } = binding;
    const grant = this.#grants.get(role);
    if (grant === undefined) return;
    grant.bindings.delete(binding);
    if (grant.bindings.size > 0) return;
    this.#grants.delete(role);
    role.holders.delete(this);
    this.#merged?.touch(grant);
    if (!this.isEmpty) return;
    this.#merged?.release();
    this.#merged = undefined;
  }

  /** The rules of a role are others now. */
  changed(role: RoleEntry): void {
    const grant = this.#grants.get(role);
    if (grant !== undefined) this.#merged?.touch(grant);
  }

  /** Is the subject bound to this role? */
  has(role: RoleEntry): boolean {
    return this.#grants.has(role);
  }

  /** A binding that gives the right. */
  find(asked: AskedRight): BoundRole | undefined {
    // Merged when the subject sends a request: a binding may name thousands of subjects that never do.
    if (this.#merged === undefined && this.#grants.size > MANY_ROLES) this.#merge();
    if (this.#merged !== undefined) return firstBinding(this.#merged.find(asked));
    for (const grant of this.#grants.values()) {
      if (grant.role.rules?.allows(asked) === true) return firstBinding(grant);
    }
    return undefined;
  }

  /** The roles that it is bound to and that do not exist. */
  *missing(): Generator<RoleEntry, undefined> {
    for (const { role } of this.#merged?.missing() ?? this.#grants.values()) if (role.rules === undefined) yield role;
  }

  *bindings(): Generator<BoundRole, undefined> {
    for (const { bindings } of this.#grants.values()) yield* bindings;
  }

  /** Its bindings of one role. */
  bindingsOf(role: RoleEntry): Iterable<BoundRole> {
    return this.#grants.get(role)?.bindings ?? [];
  }

  #merge(): void {
    this.#merged = new MergedRules(this.#budget);
    for (const grant of this.#grants.values()) this.#merged.touch(grant);
  }
}

function firstBinding(grant: RoleGrant | undefined): BoundRole | undefined {
  return grant && first(grant.bindings);
}
