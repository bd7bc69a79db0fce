/** A role that exists, that a binding names, or both. */

import { quote } from '@listwatch/api';
import type { RoleRules } from './role-rules.ts';
import type { SubjectGrants } from './subject-grants.ts';

/** The kind of a role. */
export type RoleKind = 'ClusterRole' | 'Role';

/** Which role. `namespace` is `''` for a ClusterRole. */
export interface RoleIdentity {
  readonly kind: RoleKind;
  readonly namespace: string;
  readonly name: string;
}

/** Bindings keep it alive before the role is there and after it has gone. */
export class RoleEntry {
  readonly id: RoleIdentity;
  /** Undefined: there is no such role. */
  rules: RoleRules | undefined;
  /** The subjects that have the role. */
  readonly holders: Set<SubjectGrants> = new Set();
  /** Bindings that name it. */
  bindings = 0;

  constructor(id: RoleIdentity) {
    this.id = id;
  }

  /** As Kubernetes says that it is missing. */
  get notFound(): string {
    return `${this.id.kind.toLowerCase()}.rbac.authorization.k8s.io ${quote(this.id.name)} not found`;
  }
}
