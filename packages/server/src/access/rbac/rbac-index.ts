/** All roles and bindings, ready to decide. Start here. */

import { recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { UserInfo } from '../../contract/api-request.ts';
import type { AccessAttributes } from '../../contract/authorization.ts';
import { type AskedRight, askedRight } from './asked-right.ts';
import { BoundRole } from './bound-role.ts';
import type { GrantedRule } from './granted-rule.ts';
import { MergeBudget } from './merge-budget.ts';
import { type PolicyRule, policyRules } from './policy-rule.ts';
import { RoleEntry, type RoleIdentity } from './role-entry.ts';
import { RoleRules, ruleWeight } from './role-rules.ts';
import { ScopeGrants } from './scope-grants.ts';

/** The rules that a user has, and the roles that it is bound to and that do not exist. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly string[];
  /** Are these all? */
  readonly isComplete: boolean;
}

/** A list of rules ends at this weight: a user with a thousand roles of 1 MB has more than a server can answer with. */
const MAX_LISTED_WEIGHT = 100_000;

/** How much is in an index. */
export interface RbacCounts {
  readonly roles: number;
  readonly bindings: number;
}

/** Changed object by object; every question is about the state now. */
export class RbacIndex {
  readonly #roles = new Map<string, RoleEntry>();
  readonly #bindings = new Map<string, BoundRole>();
  readonly #budget = new MergeBudget();
  readonly #cluster = new ScopeGrants(this.#budget);
  readonly #namespaces = new Map<string, ScopeGrants>();
  readonly #onLess: ((bindings: Iterable<BoundRole>) => void) | undefined;

  /** `onLess` hears of bindings that may give less than before, or nothing. */
  constructor(onLess?: (bindings: Iterable<BoundRole>) => void) {
    this.#onLess = onLess;
  }

  get counts(): RbacCounts {
    return { roles: this.#roles.size, bindings: this.#bindings.size };
  }

  /** A Role or ClusterRole has been written. */
  setRole({ metadata, rules }: KubeObject): void {
    this.#setRules(roleIdentity(metadata.namespace, metadata.name), new RoleRules(policyRules(rules)));
  }

  /** A Role or ClusterRole has gone; `namespace` is `''` for the latter. */
  removeRole(namespace: string, name: string): void {
    this.#setRules(roleIdentity(namespace, name), undefined);
  }

  /** A RoleBinding or ClusterRoleBinding has been written. */
  setBinding({ metadata: { namespace = '', name = '' }, roleRef, subjects }: KubeObject): void {
    this.removeBinding(namespace, name);
    const { kind, name: roleName } = recordOf(roleRef);
    const role = this.#role(roleIdentity(kind === 'Role' ? namespace : '', textOf(roleName)));
    const binding = new BoundRole({
      namespace,
      name,
      role,
      subjects: recordsOf(subjects).map((subject) => ({
        kind: textOf(subject['kind']),
        name: textOf(subject['name']),
        namespace: textOf(subject['namespace']),
      })),
    });
    role.bindings += 1;
    this.#bindings.set(`${namespace}/${name}`, binding);
    this.#scope(namespace).add(binding);
  }

  /** A RoleBinding or ClusterRoleBinding has gone. */
  removeBinding(namespace: string, name: string): void {
    const key = `${namespace}/${name}`;
    const binding = this.#bindings.get(key);
    if (binding === undefined) return;
    this.#bindings.delete(key);
    const scope = this.#scope(namespace);
    scope.remove(binding);
    if (namespace !== '' && scope.isEmpty) this.#namespaces.delete(namespace);
    binding.role.bindings -= 1;
    this.#forget(binding.role);
    this.#onLess?.([binding]);
  }

  /** A binding that allows it: of the cluster first, then of the namespace. */
  find(attributes: AccessAttributes): BoundRole | undefined {
    const { user, namespace } = attributes;
    const asked = askedRight(attributes);
    const found = this.#cluster.find(user, asked);
    // Bindings of a namespace give no paths; those requests have no namespace.
    if (found !== undefined || namespace === '' || !asked.isResource) return found;
    return this.#namespaces.get(namespace)?.find(user, asked);
  }

  /** What is said about roles that a user is bound to and that do not exist, each once. */
  missing(user: UserInfo, namespace: string): readonly string[] {
    const texts = new Set<string>();
    for (const scope of this.#scopes(namespace)) {
      for (const grants of scope.of(user)) for (const role of grants.missing()) texts.add(role.notFound);
    }
    return [...texts];
  }

  /** The rules of all bindings of a user, in the cluster and in a namespace (`''`: none). Equal rules stay. */
  rules(user: UserInfo, namespace: string): HeldRules {
    const rules: PolicyRule[] = [];
    let weight = 0;
    for (const role of this.#rolesOf(user, namespace)) {
      for (const rule of role.rules?.rules ?? []) {
        weight += ruleWeight(rule);
        if (weight > MAX_LISTED_WEIGHT) return { rules, missing: this.missing(user, namespace), isComplete: false };
        rules.push(rule);
      }
    }
    return { rules, missing: this.missing(user, namespace), isComplete: true };
  }

  /** Does one rule of the user allow it, in the cluster or in a namespace? Unlike `find`, paths of a namespace count, as when roles are granted. */
  holds(user: UserInfo, namespace: string, asked: AskedRight): boolean {
    return this.#scopes(namespace).some((scope) => scope.find(user, asked) !== undefined);
  }

  /** Is the user bound to this role, in the cluster or in a namespace? */
  holdsRole(user: UserInfo, namespace: string, id: Pick<RoleIdentity, 'name' | 'namespace'>): boolean {
    const role = this.#roles.get(roleKey(id));
    if (role === undefined) return false;
    return this.#scopes(namespace).some((scope) => [...scope.of(user)].some((grants) => grants.has(role)));
  }

  /** The rules of all roles of a user. */
  *roleRulesOf(user: UserInfo, namespace: string): Generator<GrantedRule, undefined> {
    for (const role of this.#rolesOf(user, namespace)) yield* role.rules?.compiled ?? [];
  }

  /** The rules of one role; undefined when there is none. */
  roleRules(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKey({ namespace, name }))?.rules?.rules;
  }

  /** The role of each binding. */
  *#rolesOf(user: UserInfo, namespace: string): Generator<RoleEntry, undefined> {
    for (const scope of this.#scopes(namespace)) {
      const seen = new Set<BoundRole>();
      for (const grants of scope.of(user)) for (const binding of grants.bindings()) seen.add(binding);
      for (const { role } of seen) yield role;
    }
  }

  #scopes(namespace: string): readonly ScopeGrants[] {
    const own = namespace === '' ? undefined : this.#namespaces.get(namespace);
    return own === undefined ? [this.#cluster] : [this.#cluster, own];
  }

  #scope(namespace: string): ScopeGrants {
    if (namespace === '') return this.#cluster;
    let scope = this.#namespaces.get(namespace);
    if (scope === undefined) {
      scope = new ScopeGrants(this.#budget);
      this.#namespaces.set(namespace, scope);
    }
    return scope;
  }

  #role(id: RoleIdentity): RoleEntry {
    const key = roleKey(id);
    let role = this.#roles.get(key);
    if (role === undefined) {
      role = new RoleEntry(id);
      this.#roles.set(key, role);
    }
    return role;
  }

  #setRules(id: RoleIdentity, rules: RoleRules | undefined): void {
    const role = this.#role(id);
    const before = role.rules;
    role.rules = rules;
    for (const holder of role.holders) holder.changed(role);
    this.#forget(role);
    if (this.#onLess !== undefined && before !== undefined) this.#onLess(bindingsOf(role));
  }

  #forget({ id, rules, bindings }: RoleEntry): void {
    if (rules === undefined && bindings === 0) this.#roles.delete(roleKey(id));
  }
}

function bindingsOf(role: RoleEntry): ReadonlySet<BoundRole> {
  const bindings = new Set<BoundRole>();
  // A binding of 10 000 subjects has as many holders.
  for (const holder of role.holders) for (const binding of holder.bindingsOf(role)) bindings.add(binding);
  return bindings;
}

function roleIdentity(namespace = '', name = ''): RoleIdentity {
  return { kind: namespace === '' ? 'ClusterRole' : 'Role', namespace, name };
}

/** No name contains a slash. */
function roleKey({ namespace, name }: Pick<RoleIdentity, 'name' | 'namespace'>): string {
  return `${namespace}/${name}`;
}
