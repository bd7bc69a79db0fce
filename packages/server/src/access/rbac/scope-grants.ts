/** Who has which roles in one namespace, or in the whole cluster. */

import type { UserInfo } from '../../contract/api-request.ts';
import type { AskedRight } from './asked-right.ts';
import type { BoundRole } from './bound-role.ts';
import type { MergeBudget } from './merge-budget.ts';
import { SubjectGrants } from './subject-grants.ts';

/** By user and by group. Service accounts are users. */
export class ScopeGrants {
  readonly #budget: MergeBudget;
  readonly #users = new Map<string, SubjectGrants>();
  readonly #groups = new Map<string, SubjectGrants>();

  constructor(budget: MergeBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#users.size === 0 && this.#groups.size === 0;
  }

  add(binding: BoundRole): void {
    for (const subject of binding.subjects) {
      const user = binding.userName(subject);
      if (user !== undefined) this.#grantsIn(this.#users, user).add(binding);
      else if (subject.kind === 'Group') this.#grantsIn(this.#groups, subject.name).add(binding);
    }
  }

  remove(binding: BoundRole): void {
    for (const subject of binding.subjects) {
      const user = binding.userName(subject);
      if (user !== undefined) removeFrom(this.#users, user, binding);
      else if (subject.kind === 'Group') removeFrom(this.#groups, subject.name, binding);
    }
  }

  /** A binding that gives the user the right. */
  find(user: UserInfo, asked: AskedRight): BoundRole | undefined {
    const own = this.#users.get(user.name)?.find(asked);
    if (own !== undefined) return own;
    for (const group of user.groups) {
      const found = this.#groups.get(group)?.find(asked);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What the user has, by its name and by each of its groups. */
  *of({ name, groups }: UserInfo): Generator<SubjectGrants, undefined> {
    const own = this.#users.get(name);
    if (own !== undefined) yield own;
    for (const group of groups) {
      const grants = this.#groups.get(group);
      if (grants !== undefined) yield grants;
    }
  }

  #grantsIn(map: Map<string, SubjectGrants>, key: string): SubjectGrants {
    let grants = map.get(key);
    if (grants === undefined) {
      grants = new SubjectGrants(this.#budget);
      map.set(key, grants);
    }
    return grants;
  }
}

function removeFrom(map: Map<string, SubjectGrants>, key: string, binding: BoundRole): void {
  const grants = map.get(key);
  grants?.remove(binding);
  if (grants?.isEmpty === true) map.delete(key);
}
