/** The roles and bindings of a new cluster, as objects. */

import { apiVersionOf } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { builtInKind } from '../strategy/built-in-kinds.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';
import { COMPONENT_ROLES } from './component-roles.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';
import { CLUSTER_BINDINGS, NAMESPACE_BINDINGS } from './default-bindings.ts';
import { type DefaultBinding, type DefaultRole, userSubject } from './default-role.ts';
import { NAMESPACE_ROLES } from './namespace-roles.ts';
import { OWN_ROLES, type OwnRole } from './own-roles.ts';
import { USER_ROLES } from './user-roles.ts';

/** A role or binding, without uid and timestamps. */
export interface DefaultAccessObject {
  readonly definition: KindDefinition;
  readonly object: KubeObject;
}

/** An object with the value `"false"` is not updated when a server starts. */
export const AUTO_UPDATE_ANNOTATION = 'rbac.authorization.kubernetes.io/autoupdate';

const GROUP = 'rbac.authorization.k8s.io';
const LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
/** A different label than that of Kubernetes: selecting the defaults of Kubernetes must not find these objects. */
const OWN_LABELS = { 'listwatch.dev/bootstrapping': 'rbac-defaults' };
const ANNOTATIONS = { [AUTO_UPDATE_ANNOTATION]: 'true' };

type Labels = Readonly<Record<string, string>>;

/**
 * The roles, then the bindings that refer to them. All fields are set and in canonical order, because a server writes
 * 145 objects at startup.
 */
export function defaultAccess(): readonly DefaultAccessObject[] {
  return [
    ...[...USER_ROLES, ...COMPONENT_ROLES, ...CONTROLLER_ROLES].map((role) => roleObject('ClusterRole', role)),
    ...NAMESPACE_ROLES.map((role) => roleObject('Role', role)),
    ...OWN_ROLES.map((role) => roleObject(role.namespace === undefined ? 'ClusterRole' : 'Role', role, OWN_LABELS)),
    ...CLUSTER_BINDINGS.map((binding) => bindingObject('ClusterRoleBinding', 'ClusterRole', binding)),
    ...NAMESPACE_BINDINGS.map((binding) => bindingObject('RoleBinding', 'Role', binding)),
    ...OWN_ROLES.map(ownBinding),
  ];
}

function roleObject(kind: 'ClusterRole' | 'Role', role: DefaultRole, own: Labels = LABELS): DefaultAccessObject {
  const { name, namespace, partOf, unites, rules = [] } = role;
  const labels = partOf === undefined ? own : { ...own, ...aggregateTo(partOf) };
  if (unites === undefined) return made(kind, { name, namespace, labels }, { rules });
  const clusterRoleSelectors = [{ matchLabels: aggregateTo(unites) }];
  return made(kind, { name, namespace, labels }, { rules: null, aggregationRule: { clusterRoleSelectors } });
}

function bindingObject(
  kind: 'ClusterRoleBinding' | 'RoleBinding',
  roleKind: string,
  { name, namespace, role = name, subjects }: DefaultBinding,
  labels: Labels = LABELS,
): DefaultAccessObject {
  const roleRef = { apiGroup: GROUP, kind: roleKind, name: role };
  return made(kind, { name, namespace, labels }, { ...(subjects.length === 0 ? {} : { subjects }), roleRef });
}

function ownBinding({ name, namespace, user }: OwnRole): DefaultAccessObject {
  const [kind, role] =
    namespace === undefined ? (['ClusterRoleBinding', 'ClusterRole'] as const) : (['RoleBinding', 'Role'] as const);
  const own = namespace === undefined ? {} : { namespace };
  return bindingObject(kind, role, { name, ...own, subjects: [userSubject(user)] }, OWN_LABELS);
}

function made(
  kind: 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding',
  { name, namespace, labels }: { name: string; namespace: string | undefined; labels: Labels },
  rest: JsonRecord,
): DefaultAccessObject {
  const definition = builtInKind(`rbac/v1.${kind}`);
  const own = namespace === undefined ? {} : { namespace };
  const metadata = { name, ...own, labels, annotations: ANNOTATIONS };
  return { definition, object: { kind, apiVersion: apiVersionOf(definition.resource), metadata, ...rest } };
}

function aggregateTo(role: string): Readonly<Record<string, string>> {
  return { [`${GROUP}/aggregate-to-${role}`]: 'true' };
}
