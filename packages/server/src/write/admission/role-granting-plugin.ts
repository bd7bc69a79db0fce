/** Refuses a role or binding that grants rights which its author lacks, unless the author may `escalate` or `bind`. */

import { failure, forbidden, notFound, quote } from '@listwatch/api';
import { listOf, recordOf, sameJson, textOf } from '@listwatch/api/values';
import type { AdmissionPlugin, AdmissionRequest, KubeObject } from '@listwatch/rules/internal';
import type { Authorizer } from '../../contract/authorization.ts';
import type { GrantVerdict, RoleGranting } from '../../contract/role-granting.ts';

type Authorize = Pick<Authorizer, 'authorize'>;

const GROUP = 'rbac.authorization.k8s.io';
const MASTERS = 'system:masters';
const TYPES = ['rbac/v1.ClusterRole', 'rbac/v1.ClusterRoleBinding', 'rbac/v1.Role', 'rbac/v1.RoleBinding'] as const;

/** Runs in `mutate`, but changes nothing: Kubernetes checks this before it validates the object. */
export function roleGranting(authorizer: Authorize, granting: RoleGranting): AdmissionPlugin {
  return {
    name: 'RoleGranting',
    types: TYPES,
    async mutate(request) {
      const { object, old, user } = request;
      if (user.groups.includes(MASTERS) || (old !== undefined && changesOwnersOnly(object, old))) return object;
      // Another server may just have taken `escalate` or `bind` away: this one must not let it grant more rights.
      await granting(user, object.metadata.namespace ?? '', { type: 'nothing' });
      if (object['roleRef'] === undefined) await requireRole(authorizer, granting, request);
      else await requireBinding(authorizer, granting, request);
      return object;
    },
  };
}

/** Lets the garbage collector update roles whose rights it does not have. */
function changesOwnersOnly(object: KubeObject, old: KubeObject): boolean {
  return sameJson(withoutOwners(object), withoutOwners(old));
}

function withoutOwners({ metadata, ...rest }: KubeObject): object {
  const { ownerReferences: _, finalizers: _f, managedFields: _m, resourceVersion: _v, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

async function requireRole(authorizer: Authorize, granting: RoleGranting, request: AdmissionRequest): Promise<void> {
  const { object, old, resource, user, requestedName } = request;
  const namespace = object.metadata.namespace ?? '';
  if (await may(authorizer, request, 'escalate', { resource: resource.plural, namespace, name: requestedName })) return;
  requireHeld(request, await granting(user, namespace, { type: 'rules', rules: object['rules'] }));
  // An aggregation rule can collect any rule, so it needs all rights.
  if (!hasAggregation(object) && (old === undefined || !hasAggregation(old))) return;
  if ((await granting(user, namespace, { type: 'everything' })).type === 'held') return;
  throw forbidden(resource, knownName(object), 'must have cluster-admin privileges to use the aggregationRule');
}

async function requireBinding(authorizer: Authorize, granting: RoleGranting, request: AdmissionRequest): Promise<void> {
  const { object, resource, user } = request;
  const namespace = object.metadata.namespace ?? '';
  const roleRef = recordOf(object['roleRef']);
  const kind = textOf(roleRef['kind']);
  const name = textOf(roleRef['name']);
  const plural = { ClusterRole: 'clusterroles', Role: 'roles' }[kind];
  if (plural === undefined) {
    throw failure({ code: 500, reason: '', message: `unsupported role reference kind: ${quote(kind)}` });
  }
  if (await may(authorizer, request, 'bind', { resource: plural, namespace, name })) return;
  if (kind === 'Role' && namespace === '') throw notFound(resource, name);
  const role = { type: 'role', namespace: kind === 'Role' ? namespace : '', name } as const;
  const verdict = await granting(user, namespace, role);
  if (verdict.type === 'no-role') throw notFound(resource, name);
  requireHeld(request, verdict);
}

function requireHeld({ resource, object }: AdmissionRequest, verdict: GrantVerdict): void {
  if (verdict.type === 'refused') throw forbidden(resource, knownName(object), verdict.why);
}

async function may(
  authorizer: Authorize,
  { user }: AdmissionRequest,
  verb: string,
  target: { readonly resource: string; readonly namespace: string; readonly name: string },
): Promise<boolean> {
  const rest = { isResource: true, group: GROUP, version: '*', subresource: '', path: '' };
  return (await authorizer.authorize({ user, verb, ...rest, ...target })).allowed;
}

function hasAggregation({ aggregationRule }: KubeObject): boolean {
  return listOf(recordOf(aggregationRule)['clusterRoleSelectors']).length > 0;
}

/** `''` for a generated name: Kubernetes generates it after this check. */
function knownName({ metadata: { name = '', generateName = '' } }: KubeObject): string {
  return generateName !== '' && name.startsWith(generateName) ? '' : name;
}
