/** Roles, bindings and questions about them as requests. */

import { recordsOf } from '@listwatch/api/values';
import type { AccessObject } from '../src/access/rbac/rbac-world.fixture.ts';
import type { AccessAttributes } from '../src/contract/authorization.ts';

const PLURALS: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

/** The path of its collection. */
export function accessCollection({ kind, metadata: { namespace } }: AccessObject): string {
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `/apis/rbac.authorization.k8s.io/v1${within}/${PLURALS[kind]}`;
}

/** What a server takes: paths only in ClusterRoles, and accounts of ClusterRoleBindings with their namespace. */
export function isValidAccess(object: AccessObject): boolean {
  if (object.kind === 'Role') return !JSON.stringify(object).includes('nonResourceURLs');
  if (object.kind !== 'ClusterRoleBinding') return true;
  return recordsOf(object['subjects']).every(
    ({ kind, namespace }) => kind !== 'ServiceAccount' || namespace !== undefined,
  );
}

/** The review that asks it. */
export function accessReview({ user, verb, isResource, path, ...resource }: AccessAttributes): object {
  const { group, version, resource: plural, subresource, namespace, name } = resource;
  const asked = isResource
    ? { resourceAttributes: { verb, group, version, resource: plural, subresource, namespace, name } }
    : { nonResourceAttributes: { verb, path } };
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: user.name, groups: user.groups, ...asked },
  };
}
