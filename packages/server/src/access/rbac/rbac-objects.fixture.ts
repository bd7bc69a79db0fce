/** Roles and bindings for tests. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { AccessAttributes } from '../../contract/authorization.ts';
import type { PolicyRule } from './policy-rule.ts';

const API = 'rbac.authorization.k8s.io';

/** The lists that a test names; the others are absent, as in a stored object. */
export type RuleParts = Partial<PolicyRule>;

export interface SubjectParts {
  readonly kind: 'Group' | 'ServiceAccount' | 'User';
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleObject extends KubeObject {
  readonly rules: readonly RuleParts[];
}

export interface BindingObject extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: 'ClusterRole' | 'Role'; readonly name: string };
  readonly subjects: readonly SubjectParts[];
}

/** A ClusterRole, or a Role when there is a namespace. */
export function role(name: string, rules: readonly RuleParts[], namespace?: string): RoleObject {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  return {
    apiVersion: `${API}/v1`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    rules,
  };
}

/** A ClusterRoleBinding, or a RoleBinding when there is a namespace. */
export function binding(
  name: string,
  roleRef: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string },
  subjects: readonly SubjectParts[],
  namespace?: string,
): BindingObject {
  return {
    apiVersion: `${API}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: API, ...roleRef },
    subjects,
  };
}

/** `get pods`, `get deployments.apps/scale`, `get pods:name`, `get pods@namespace`, `get /path`. */
export function attributes(text: string, user: AccessAttributes['user'] = { name: 'u', groups: [] }): AccessAttributes {
  const [verb = '', what = ''] = text.split(' ');
  const none = { group: '', version: 'v1', resource: '', subresource: '', namespace: '', name: '', path: '' };
  if (what.startsWith('/')) return { ...none, user, verb, isResource: false, path: what };
  const parts = /^([^.:@/]*)(?:\.([^:@/]+))?(?:\/([^:@]+))?(?::([^@]+))?(?:@(.+))?$/u.exec(what);
  const [, resource = '', group = '', subresource = '', name = '', namespace = ''] = parts ?? [];
  return { ...none, user, verb, isResource: true, group, resource, subresource, name, namespace };
}
