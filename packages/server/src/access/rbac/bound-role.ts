/** A RoleBinding or ClusterRoleBinding: who has which role, and where. */

import { quote } from '@listwatch/api';
import type { UserInfo } from '../../contract/api-request.ts';
import type { AccessDecision } from '../../contract/authorization.ts';
import type { RoleEntry } from './role-entry.ts';

/** Somebody in a binding, as the binding names them. */
export interface BindingSubject {
  readonly kind: string;
  readonly name: string;
  /** Of a ServiceAccount; `''`: that of the binding. */
  readonly namespace: string;
}

/** The parts of a binding. `namespace` is `''` for a ClusterRoleBinding. */
export interface BoundRoleParts {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleEntry;
  readonly subjects: readonly BindingSubject[];
}

/** Makes each decision that names it once: a request that is allowed allocates nothing. */
export class BoundRole {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleEntry;
  readonly subjects: readonly BindingSubject[];
  readonly #decisions: (AccessDecision | undefined)[] = [];

  constructor({ namespace, name, role, subjects }: BoundRoleParts) {
    this.namespace = namespace;
    this.name = name;
    this.role = role;
    this.subjects = subjects;
  }

  /** The user name that a subject stands for; undefined for a group. */
  userName({ kind, name, namespace }: BindingSubject): string | undefined {
    if (kind === 'User') return name;
    if (kind !== 'ServiceAccount') return undefined;
    const own = namespace === '' ? this.namespace : namespace;
    return own === '' ? undefined : `system:serviceaccount:${own}:${name}`;
  }

  /** The decision for a user of whom the binding is known to have a subject. It names the first one. */
  allowing(user: UserInfo): AccessDecision {
    const index = this.subjects.findIndex((subject) => this.#isSubject(subject, user));
    const known = this.#decisions[index];
    if (known !== undefined) return known;
    const subject = this.subjects[index];
    const to = subject === undefined ? '' : ` to ${this.#describe(subject)}`;
    const { kind, name } = this.role.id;
    const own = this.namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
    const id = this.namespace === '' ? this.name : `${this.name}/${this.namespace}`;
    const reason = `RBAC: allowed by ${own} ${quote(id)} of ${kind} ${quote(name)}${to}`;
    const decision: AccessDecision = { allowed: true, reason };
    this.#decisions[index] = decision;
    return decision;
  }

  #isSubject(subject: BindingSubject, user: UserInfo): boolean {
    return subject.kind === 'Group' ? user.groups.includes(subject.name) : this.userName(subject) === user.name;
  }

  #describe({ kind, name, namespace }: BindingSubject): string {
    if (kind !== 'ServiceAccount') return `${kind} ${quote(name)}`;
    return `${kind} ${quote(`${name}/${namespace === '' ? this.namespace : namespace}`)}`;
  }
}
