/** NodeRestriction: a kubelet writes its own Node, its own lease and CSINode, and what belongs to the Pods that run on it. */

import { type JsonRecord, listOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { commonNameOf, type KubeObject } from '@listwatch/rules/internal';
import type { DynamicRequest, MutatingRun, MutatingStep, RequestHead } from '../../../contract/dynamic-admission.ts';
import { nodeOfUser } from '../../../contract/node-identity.ts';
import { mirrorPodProblem } from './mirror-pod.ts';
import { forbiddenLabels } from './node-labels.ts';
import { refusedToNode, unknownObject } from './node-refusal.ts';
import { audienceProblem, type TokenAudienceParts } from './token-audience.ts';

/** The sources of the checks. */
export type NodeRestrictionParts = TokenAudienceParts;

/** Throws the refusal of a write by the node. */
type NodeRule = (parts: NodeRestrictionParts, request: DynamicRequest, node: string) => Promise<void> | void;

const LEASE_NAMESPACE = 'kube-node-lease';
const KUBELET_SIGNERS: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

/** By `group/resource`. */
const RULES: ReadonlyMap<string, NodeRule> = new Map<string, NodeRule>([
  ['/pods', podRule],
  ['/nodes', nodeRule],
  ['/persistentvolumeclaims', claimRule],
  ['/serviceaccounts', tokenRule],
  ['coordination.k8s.io/leases', leaseRule],
  ['storage.k8s.io/csinodes', csiNodeRule],
  ['resource.k8s.io/resourceslices', sliceRule],
  ['certificates.k8s.io/certificatesigningrequests', certificateRule],
]);

/** Off by default, as in kube-apiserver. It changes nothing, but runs before policies and webhooks, as it does there. */
export class NodeRestriction implements MutatingStep {
  readonly name = 'NodeRestriction';
  readonly #parts: NodeRestrictionParts;

  constructor(parts: NodeRestrictionParts) {
    this.#parts = parts;
  }

  concerns(head: RequestHead): boolean {
    return head.operation !== 'CONNECT' && RULES.has(keyOf(head));
  }

  begin(): MutatingRun {
    return {
      mutate: async (request) => {
        await this.#check(request);
        return request.object;
      },
    };
  }

  async #check(request: DynamicRequest): Promise<void> {
    const { user } = request;
    const node = nodeOfUser(user);
    if (node === undefined) return;
    if (node === '') throw refusedToNode(request, `could not determine node from user ${JSON.stringify(user.name)}`);
    await RULES.get(keyOf(request))?.(this.#parts, request, node);
  }
}

function keyOf({ definition: { resource } }: RequestHead): string {
  return `${resource.group}/${resource.plural}`;
}

function podRule(parts: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  const { subresource } = request;
  switch (subresource) {
    case '':
      return wholePodRule(parts, request, node);
    case 'status':
      return podStatusRule(request, node);
    case 'eviction':
      return evictionRule(parts, request, node);
    default:
      throw refusedToNode(
        request,
        `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`,
      );
  }
}

function wholePodRule(parts: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  const { operation, object, old, name } = request;
  if (operation === 'DELETE') {
    if (old === undefined) throw unknownObject(request, 'pod', name);
    if (nodeNameIn(old) === node) return;
    throw refusedToNode(request, `node "${node}" can only delete pods with spec.nodeName set to itself`);
  }
  if (operation !== 'CREATE' || object === undefined) {
    throw refusedToNode(
      request,
      `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`,
    );
  }
  const problem = mirrorPodProblem(object, node, () => {
    const found = parts.lookup('core/v1.Node')('', node);
    if (found === undefined) throw unknownObject(request, 'node', node);
    return found.metadata.uid ?? '';
  });
  if (problem !== undefined) throw refusedToNode(request, problem);
}

function podStatusRule(request: DynamicRequest, node: string): void {
  const { operation, object, old } = request;
  if (operation !== 'UPDATE' || object === undefined || old === undefined) {
    throw refusedToNode(request, `unexpected operation "${operation}"`);
  }
  if (nodeNameIn(old) !== node) {
    throw refusedToNode(request, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!sameJson(object.metadata.labels ?? {}, old.metadata.labels ?? {})) {
    throw refusedToNode(request, `node "${node}" cannot update labels through pod status`);
  }
  const [next, before] = [recordOf(object['status']), recordOf(old['status'])];
  if (!sameJson(claimNames(next), claimNames(before))) {
    throw refusedToNode(request, `node "${node}" cannot update resource claim statues`);
  }
  if (!sameJson(extendedClaim(next), extendedClaim(before))) {
    throw refusedToNode(request, `node "${node}" cannot update extended resource claim status`);
  }
}

function claimNames(status: JsonRecord): readonly (readonly [unknown, unknown])[] {
  return recordsOf(status['resourceClaimStatuses']).map(({ name, resourceClaimName = null }) => [
    name,
    resourceClaimName,
  ]);
}

function extendedClaim({ extendedResourceClaimStatus: claim }: JsonRecord): unknown {
  if (claim === undefined || claim === null) return null;
  const { resourceClaimName, requestMappings } = recordOf(claim);
  return [textOf(resourceClaimName), listOf(requestMappings)];
}

function evictionRule(parts: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  const { operation, namespace, name } = request;
  if (operation !== 'CREATE') throw refusedToNode(request, `unexpected operation ${operation}`);
  const pod = parts.lookup('core/v1.Pod')(namespace, name);
  if (pod === undefined) throw unknownObject(request, 'pod', name);
  if (nodeNameIn(pod) !== node)
    throw refusedToNode(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

function nodeNameIn(pod: KubeObject): string {
  return textOf(recordOf(pod['spec'])['nodeName']);
}

function nodeRule(_: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  const { operation, object, old, name } = request;
  if (name !== node) throw refusedToNode(request, `node "${node}" is not allowed to modify node "${name}"`);
  if (object === undefined) return;
  const [spec, before] = [recordOf(object['spec']), recordOf(old?.['spec'])];
  const source = spec['configSource'] ?? null;
  const labels = forbiddenLabels(object.metadata.labels, old?.metadata.labels);
  if (operation === 'CREATE') {
    if (source !== null) {
      throw refusedToNode(request, `node "${node}" is not allowed to create pods with a non-nil configSource`);
    }
    if (labels.length > 0) {
      throw refusedToNode(request, `node "${node}" is not allowed to set the following labels: ${labels.join(', ')}`);
    }
    return;
  }
  if (source !== null && !sameJson(source, before['configSource'] ?? null)) {
    throw refusedToNode(request, `node "${node}" is not allowed to update configSource to a new non-nil configSource`);
  }
  if (!sameJson(listOf(spec['taints']), listOf(before['taints']))) {
    throw refusedToNode(request, `node "${node}" is not allowed to modify taints`);
  }
  if (!sameJson(listOf(object.metadata['ownerReferences']), listOf(old?.metadata['ownerReferences']))) {
    throw refusedToNode(request, `node "${node}" is not allowed to modify ownerReferences`);
  }
  if (labels.length > 0) throw refusedToNode(request, `is not allowed to modify labels: ${labels.join(', ')}`);
}

/** What a kubelet tells of a volume that it has resized. */
const CLAIM_STATUS = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];

function claimRule(_: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  const { operation, subresource, object, old } = request;
  if (subresource !== 'status') throw refusedToNode(request, 'may only update PVC status');
  if (operation !== 'UPDATE' || object === undefined || old === undefined) {
    throw refusedToNode(request, `unexpected operation "${operation}"`);
  }
  const [next, before] = [withoutClaimStatus(object), withoutClaimStatus(old)];
  if (sameJson(next, before)) return;
  const fields = ['metadata', 'spec', 'status'].filter((field) => !sameJson(next[field] ?? {}, before[field] ?? {}));
  throw refusedToNode(
    request,
    `node "${node}" is not allowed to update fields other than status.quantity and status.conditions: ${fields.join(', ')}`,
  );
}

function withoutClaimStatus(claim: KubeObject): JsonRecord {
  const { resourceVersion: _version, managedFields: _owners, ...metadata } = claim.metadata;
  const status = Object.entries(recordOf(claim['status'])).filter(([field]) => !CLAIM_STATUS.includes(field));
  return { ...claim, metadata, status: Object.fromEntries(status) };
}

async function tokenRule(parts: NodeRestrictionParts, request: DynamicRequest, node: string): Promise<void> {
  const { operation, subresource, object, namespace } = request;
  if (operation !== 'CREATE' || subresource !== 'token') return;
  const spec = recordOf(object?.['spec']);
  const { apiVersion, kind, name, uid } = recordOf(spec['boundObjectRef']);
  const podName = textOf(name);
  if (apiVersion !== 'v1' || kind !== 'Pod' || podName === '') {
    throw refusedToNode(request, 'node requested token not bound to a pod');
  }
  if (textOf(uid) === '') throw refusedToNode(request, 'node requested token with a pod binding without a uid');
  const pod = parts.lookup('core/v1.Pod')(namespace, podName);
  if (pod === undefined) throw unknownObject(request, 'pod', podName);
  if (uid !== pod.metadata.uid) {
    throw refusedToNode(
      request,
      `the UID in the bound object reference (${textOf(uid)}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (nodeNameIn(pod) !== node) {
    throw refusedToNode(request, 'node requested token bound to a pod scheduled on a different node');
  }
  const problem = await audienceProblem(parts, request, listOf(spec['audiences']).map(textOf), pod);
  if (problem !== undefined) throw refusedToNode(request, problem);
}

function leaseRule(_: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  if (request.namespace !== LEASE_NAMESPACE) {
    throw refusedToNode(request, `can only access leases in the "${LEASE_NAMESPACE}" system namespace`);
  }
  if (nameOf(request) !== node) {
    throw refusedToNode(request, 'can only access node lease with the same name as the requesting node');
  }
}

function csiNodeRule(_: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  if (nameOf(request) !== node) {
    throw refusedToNode(request, 'can only access CSINode with the same name as the requesting node');
  }
}

/** A POST names the object in its body. */
function nameOf({ operation, name, object }: DynamicRequest): string {
  return operation === 'CREATE' ? (object?.metadata.name ?? '') : name;
}

/** The node authorizer sees no object of a create, and none of the objects of a collection. */
function sliceRule(_: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  const { operation, object, old } = request;
  if (operation !== 'CREATE' && operation !== 'DELETE') return;
  const slice = object ?? old;
  if (slice !== undefined && nodeNameIn(slice) === node) return;
  throw refusedToNode(
    request,
    `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`,
  );
}

function certificateRule(_: NodeRestrictionParts, request: DynamicRequest, node: string): void {
  const { operation, object } = request;
  if (operation !== 'CREATE') return;
  const spec = recordOf(object?.['spec']);
  if (!KUBELET_SIGNERS.has(textOf(spec['signerName']))) return;
  if (commonNameOf(textOf(spec['request'])) === `system:node:${node}`) return;
  throw refusedToNode(request, `can only create a node CSR with CN=system:node:${node}`);
}
