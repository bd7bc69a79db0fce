/** A RoleBinding or ClusterRoleBinding: who has which role, and where. */

import { quote } from '@listwatch/api';
import type { UserInfo } from '../../contract/api-request.ts';
import type { AccessDecision } from '../../contract/authorization.ts';
import type { RoleEntry } from './role-entry.ts';

/** A subject of a binding, as the binding names it. */
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

/** More subjects than this are looked up: a binding may have 10 000. */
const FEW_SUBJECTS = 8;

/** The first subject that names each user or group. */
interface SubjectPlaces {
  readonly users: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, number>;
}

/** Makes each decision that names it once: a request that is allowed allocates nothing. */
export class BoundRole {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleEntry;
  readonly subjects: readonly BindingSubject[];
  readonly #decisions = new Map<number, AccessDecision>();
  #places: SubjectPlaces | undefined;

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
    const index = this.#firstSubject(user);
    const known = this.#decisions.get(index);
    if (known !== undefined) return known;
    const subject = this.subjects[index];
    const to = subject === undefined ? '' : ` to ${this.#describe(subject)}`;
    const { kind, name } = this.role.id;
    const own = this.namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
    const id = this.namespace === '' ? this.name : `${this.name}/${this.namespace}`;
    const reason = `RBAC: allowed by ${own} ${quote(id)} of ${kind} ${quote(name)}${to}`;
    const decision: AccessDecision = { allowed: true, reason };
    this.#decisions.set(index, decision);
    return decision;
  }

  #firstSubject(user: UserInfo): number {
    if (this.subjects.length <= FEW_SUBJECTS)
      return this.subjects.findIndex((subject) => this.#isSubject(subject, user));
    this.#places ??= this.#subjectPlaces();
    let first = this.#places.users.get(user.name) ?? this.subjects.length;
    for (const group of user.groups) first = Math.min(first, this.#places.groups.get(group) ?? first);
    return first;
  }

  #subjectPlaces(): SubjectPlaces {
    const users = new Map<string, number>();
    const groups = new Map<string, number>();
    for (const [index, subject] of this.subjects.entries()) {
      const user = this.userName(subject);
      const places = user === undefined ? groups : users;
      const key = user ?? subject.name;
      // A ServiceAccount without a namespace is nobody.
      if ((user !== undefined || subject.kind === 'Group') && !places.has(key)) places.set(key, index);
    }
    return { users, groups };
  }

  #isSubject(subject: BindingSubject, user: UserInfo): boolean {
    return subject.kind === 'Group' ? user.groups.includes(subject.name) : this.userName(subject) === user.name;
  }

  #describe({ kind, name, namespace }: BindingSubject): string {
    if (kind !== 'ServiceAccount') return `${kind} ${quote(name)}`;
    return `${kind} ${quote(`${name}/${namespace === '' ? this.namespace : namespace}`)}`;
  }
}
