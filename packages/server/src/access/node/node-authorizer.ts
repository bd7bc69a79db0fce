/** Authorization of kubelets: what a node may do because of the Pods that are bound to it, in the words of kube-apiserver. */

import { quote } from '@listwatch/api';
import type { AccessAttributes, AccessDecision, Authorizer } from '../../contract/authorization.ts';
import { nodeOfUser } from '../../contract/node-identity.ts';
import { type AskedRight, askedRight } from '../rbac/asked-right.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import { RoleRules } from '../rbac/role-rules.ts';
import type { NodeGraph, RelatedKind } from './node-graph.ts';

const ALLOWED: AccessDecision = { allowed: true };
const NO_OPINION: AccessDecision = { allowed: false };
const LEASE_NAMESPACE = 'kube-node-lease';
const NO_RULES = { resourceRules: [], nonResourceRules: [] };

type Judge = (graph: Pick<NodeGraph, 'isRelated'>, node: string, asked: AccessAttributes) => AccessDecision;

function refused(reason: string): AccessDecision {
  return { allowed: false, reason };
}

/** By `resource.group`; rules of a role are for all others. */
const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['secrets.', (graph, node, asked) => judgeRead(graph, node, asked, 'secret')],
  ['configmaps.', (graph, node, asked) => judgeRead(graph, node, asked, 'configmap')],
  ['persistentvolumeclaims.', judgeClaim],
  ['persistentvolumes.', (graph, node, asked) => judgeGet(graph, node, asked, 'pv')],
  ['resourceclaims.resource.k8s.io', (graph, node, asked) => judgeGet(graph, node, asked, 'resourceclaim')],
  ['volumeattachments.storage.k8s.io', (graph, node, asked) => judgeGet(graph, node, asked, 'volumeattachment')],
  ['serviceaccounts.', judgeServiceAccount],
  ['leases.coordination.k8s.io', judgeLease],
  ['csinodes.storage.k8s.io', judgeCsiNode],
  ['resourceslices.resource.k8s.io', judgeResourceSlice],
  ['nodes.', judgeNode],
  ['pods.', judgePod],
  // Kubernetes has these for nodes behind a feature gate that is off.
  ['podcertificaterequests.certificates.k8s.io', () => NO_OPINION],
]);

/** Has no opinion of users who are no nodes, and never denies. `rules` are those of the role `system:node`. */
export function nodeAuthorizer(graph: Pick<NodeGraph, 'isRelated'>, rules: readonly PolicyRule[]): Authorizer {
  const common = new RoleRules(rules);
  return {
    authorize(asked) {
      const { user, isResource, group, resource } = asked;
      const node = nodeOfUser(user);
      if (node === undefined) return NO_OPINION;
      if (node === '') return refused(`unknown node for user ${quote(user.name)}`);
      const judge = isResource ? JUDGES.get(`${resource}.${group}`) : undefined;
      if (judge !== undefined) return judge(graph, node, asked);
      const right: AskedRight = askedRight(asked);
      return common.allows(right) ? ALLOWED : NO_OPINION;
    },
    rules: (user) =>
      nodeOfUser(user) === undefined
        ? NO_RULES
        : { ...NO_RULES, incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' },
  };
}

function judgeRelation(
  graph: Pick<NodeGraph, 'isRelated'>,
  node: string,
  { namespace, name }: AccessAttributes,
  kind: RelatedKind,
): AccessDecision {
  if (name === '') return refused('No Object name found');
  return graph.isRelated(node, kind, namespace, name) ? ALLOWED : unrelated(node);
}

function unrelated(node: string): AccessDecision {
  return refused(`no relationship found between node '${node}' and this object`);
}

function judgeRead(...[graph, node, asked, kind]: [...Parameters<Judge>, RelatedKind]): AccessDecision {
  const { verb, subresource, namespace } = asked;
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return refused('can only read resources of this type');
  if (subresource !== '') return refused('cannot read subresource');
  if (namespace === '') return refused('can only read namespaced object of this type');
  return judgeRelation(graph, node, asked, kind);
}

function judgeGet(...[graph, node, asked, kind]: [...Parameters<Judge>, RelatedKind]): AccessDecision {
  if (asked.verb !== 'get') return refused('can only get individual resources of this type');
  if (asked.subresource !== '') return refused('cannot get subresource');
  return judgeRelation(graph, node, asked, kind);
}

function judgeClaim(...[graph, node, asked]: Parameters<Judge>): AccessDecision {
  const { verb, subresource } = asked;
  if (subresource !== 'status') return judgeGet(graph, node, asked, 'pvc');
  if (verb !== 'update' && verb !== 'patch') return refused('can only get/update/patch this type');
  return judgeRelation(graph, node, asked, 'pvc');
}

function judgeServiceAccount(...[graph, node, asked]: Parameters<Judge>): AccessDecision {
  const { verb, subresource, namespace, name } = asked;
  if (verb === 'get' && subresource === '') return judgeRead(graph, node, asked, 'serviceaccount');
  if (verb !== 'create' || name === '') return refused('can only create tokens for individual service accounts');
  if (subresource !== 'token') return refused('can only create token subresource of serviceaccount');
  return graph.isRelated(node, 'serviceaccount', namespace, name) ? ALLOWED : unrelated(node);
}

const OWN_VERBS: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);

/** On create the name is not known yet: NodeRestriction checks it. */
function judgeLease(...[, node, { verb, namespace, name }]: Parameters<Judge>): AccessDecision {
  if (!OWN_VERBS.has(verb)) return refused('can only get, create, update, patch, or delete a node lease');
  if (namespace !== LEASE_NAMESPACE) {
    return refused(`can only access leases in the ${quote(LEASE_NAMESPACE)} system namespace`);
  }
  return verb === 'create' || name === node
    ? ALLOWED
    : refused('can only access node lease with the same name as the requesting node');
}

function judgeCsiNode(...[, node, { verb, subresource, name }]: Parameters<Judge>): AccessDecision {
  if (!OWN_VERBS.has(verb)) return refused('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return refused('cannot authorize CSINode subresources');
  return verb === 'create' || name === node
    ? ALLOWED
    : refused('can only access CSINode with the same name as the requesting node');
}

function judgeResourceSlice(...[graph, node, asked]: Parameters<Judge>): AccessDecision {
  if (asked.subresource !== '') return refused('cannot authorize ResourceSlice subresources');
  switch (asked.verb) {
    case 'create':
      return ALLOWED;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return judgeRelation(graph, node, asked, 'resourceslice');
    case 'watch':
    case 'list':
    case 'deletecollection':
      return selects(asked, 'spec.nodeName', node)
        ? ALLOWED
        : refused('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return refused(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
  }
}

/** By the name and not by the graph: a kubelet looks for its Node before it creates it. */
function judgeNode(...[, node, { verb, subresource, name }]: Parameters<Judge>): AccessDecision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOWED : NO_OPINION;
  if (subresource !== '') return NO_OPINION;
  if (verb === 'create' || verb === 'update' || verb === 'patch') return ALLOWED;
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return NO_OPINION;
  if (name === node) return ALLOWED;
  const what = name === '' ? 'all nodes' : `'${name}'`;
  return refused(`node '${node}' cannot read ${what}, only its own Node object`);
}

function judgePod(...[graph, node, asked]: Parameters<Judge>): AccessDecision {
  const { verb, subresource, name } = asked;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOWED : NO_OPINION;
  if (subresource === 'eviction') return verb === 'create' ? ALLOWED : NO_OPINION;
  if (subresource !== '') return NO_OPINION;
  switch (verb) {
    case 'get':
      return judgeGet(graph, node, asked, 'pod');
    case 'list':
    case 'watch':
      if (selects(asked, 'spec.nodeName', node)) return ALLOWED;
      return name === ''
        ? refused('can only list/watch pods with spec.nodeName field selector')
        : judgeRelation(graph, node, asked, 'pod');
    case 'create':
    case 'delete':
      return ALLOWED;
    default:
      return NO_OPINION;
  }
}

function selects({ fieldSelector = [] }: AccessAttributes, field: string, value: string): boolean {
  return fieldSelector.some(
    ({ key, operator, values }) => key === field && operator === 'In' && values.length === 1 && values[0] === value,
  );
}
