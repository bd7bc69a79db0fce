import { defaultAccess } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import type { AccessAttributes } from '../../contract/authorization.ts';
import { policyRules } from '../rbac/policy-rule.ts';
import { nodeAuthorizer } from './node-authorizer.ts';
import { NodeGraph } from './node-graph.ts';

const NODE = { name: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] };
const RULES = policyRules(
  defaultAccess().find(({ object }) => object.metadata.name === 'system:node')?.object['rules'],
);

const graph = new NodeGraph();
graph.setPod({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { namespace: 'a', name: 'mine' },
  spec: {
    nodeName: 'n',
    serviceAccountName: 'sa',
    containers: [
      {
        envFrom: [{ secretRef: { name: 's-from' } }, { configMapRef: { name: 'c-from' } }],
        env: [
          { valueFrom: { secretKeyRef: { name: 's-env' } } },
          { valueFrom: { configMapKeyRef: { name: 'c-env' } } },
        ],
      },
    ],
    initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 's-init' } } }] }],
    ephemeralContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 's-debug' } } }] }],
    imagePullSecrets: [{ name: 's-pull' }],
    volumes: [
      { name: 'a', secret: { secretName: 's-volume' } },
      { name: 'b', configMap: { name: 'c-volume' } },
      {
        name: 'c',
        projected: { sources: [{ secret: { name: 's-projected' } }, { configMap: { name: 'c-projected' } }] },
      },
      { name: 'd', csi: { nodePublishSecretRef: { name: 's-csi' } } },
      { name: 'e', azureFile: { secretName: 's-azure' } },
      { name: 'f', rbd: { secretRef: { name: 's-rbd' } } },
      { name: 'g', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'h', ephemeral: {} },
    ],
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu-claim' }],
  },
  status: { extendedResourceClaimStatus: { resourceClaimName: 'extended' } },
});
graph.setPod({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { namespace: 'a', name: 'theirs' },
  spec: { nodeName: 'm', volumes: [{ name: 'a', secret: { secretName: 'theirs' } }] },
});
graph.setVolume({
  kind: 'PersistentVolume',
  apiVersion: 'v1',
  metadata: { name: 'volume' },
  spec: {
    claimRef: { namespace: 'a', name: 'claim' },
    csi: {
      nodeStageSecretRef: { namespace: 'storage', name: 'stage' },
      controllerPublishSecretRef: { namespace: 'storage', name: 'controller' },
    },
  },
});
graph.place('volumeattachment', 'attached', 'n');
graph.place('resourceslice', 'slice', 'n');

const authorizer = nodeAuthorizer(graph, RULES);

/** `get a/secrets/x`, `list pods.apps/status`: what is asked, and what is answered. */
function asked(verb: string, target: string, more: Partial<AccessAttributes> = {}): unknown {
  const [resources = '', namespace = '', name = ''] = target.split(' ');
  const [resource = '', subresource = ''] = resources.split('/');
  const dot = resource.indexOf('.');
  const decision = authorizer.authorize({
    user: NODE,
    verb,
    isResource: true,
    group: dot < 0 ? '' : resource.slice(dot + 1),
    version: 'v1',
    resource: dot < 0 ? resource : resource.slice(0, dot),
    subresource,
    namespace,
    name,
    path: '',
    ...more,
  });
  if (decision instanceof Promise) throw new TypeError('it decides at once');
  return decision.allowed ? 'allowed' : (decision.reason ?? '');
}

const UNRELATED = "no relationship found between node 'n' and this object";
const READ_ONLY = 'can only read resources of this type';
const GET_ONLY = 'can only get individual resources of this type';
const OWN = [{ key: 'spec.nodeName', operator: 'In', values: ['n'] }] as const;
const OTHER = [{ key: 'spec.nodeName', operator: 'In', values: ['m'] }] as const;
const NOT_OTHER = [{ key: 'spec.nodeName', operator: 'NotIn', values: ['n'] }] as const;

describe('a node', () => {
  it.each(['s-from', 's-env', 's-init', 's-debug', 's-pull', 's-volume', 's-projected', 's-csi', 's-azure', 's-rbd'])(
    'reads the Secret %s that its Pod names',
    (name) => {
      for (const verb of ['get', 'list', 'watch']) expect(asked(verb, `secrets a ${name}`)).toBe('allowed');
    },
  );

  it.each([
    ['get', 'secrets a theirs', UNRELATED],
    ['get', 'secrets b s-volume', UNRELATED],
    ['get', 'secrets storage stage', 'allowed'],
    ['get', 'secrets storage controller', UNRELATED],
    ['list', 'secrets a', 'No Object name found'],
    ['list', 'secrets', 'can only read namespaced object of this type'],
    ['create', 'secrets a', READ_ONLY],
    ['delete', 'secrets a s-volume', READ_ONLY],
    ['get', 'secrets/x a s-volume', 'cannot read subresource'],
    ['get', 'configmaps a c-from', 'allowed'],
    ['get', 'configmaps a c-env', 'allowed'],
    ['get', 'configmaps a c-volume', 'allowed'],
    ['get', 'configmaps a c-projected', 'allowed'],
    ['get', 'configmaps a s-volume', UNRELATED],
    ['get', 'persistentvolumeclaims a claim', 'allowed'],
    ['get', 'persistentvolumeclaims a mine-h', 'allowed'],
    ['list', 'persistentvolumeclaims a', GET_ONLY],
    ['update', 'persistentvolumeclaims/status a claim', 'allowed'],
    ['patch', 'persistentvolumeclaims/status a other', UNRELATED],
    ['get', 'persistentvolumeclaims/status a claim', 'can only get/update/patch this type'],
    ['get', 'persistentvolumeclaims/x a claim', 'cannot get subresource'],
    ['get', 'persistentvolumes  volume', 'allowed'],
    ['get', 'persistentvolumes  other', UNRELATED],
    ['get', 'resourceclaims.resource.k8s.io a gpu-claim', 'allowed'],
    ['get', 'resourceclaims.resource.k8s.io a extended', 'allowed'],
    ['watch', 'resourceclaims.resource.k8s.io a gpu-claim', GET_ONLY],
    ['get', 'volumeattachments.storage.k8s.io  attached', 'allowed'],
    ['get', 'volumeattachments.storage.k8s.io  other', UNRELATED],
    ['create', 'serviceaccounts/token a sa', 'allowed'],
    ['create', 'serviceaccounts/token a other', UNRELATED],
    ['create', 'serviceaccounts/token a', 'can only create tokens for individual service accounts'],
    ['create', 'serviceaccounts a sa', 'can only create token subresource of serviceaccount'],
    ['get', 'serviceaccounts a sa', 'allowed'],
    ['get', 'serviceaccounts a other', UNRELATED],
    ['list', 'serviceaccounts a', 'can only create tokens for individual service accounts'],
    ['get', 'leases.coordination.k8s.io kube-node-lease n', 'allowed'],
    ['create', 'leases.coordination.k8s.io kube-node-lease', 'allowed'],
    [
      'update',
      'leases.coordination.k8s.io kube-node-lease m',
      'can only access node lease with the same name as the requesting node',
    ],
    ['get', 'leases.coordination.k8s.io a n', 'can only access leases in the "kube-node-lease" system namespace'],
    [
      'list',
      'leases.coordination.k8s.io kube-node-lease',
      'can only get, create, update, patch, or delete a node lease',
    ],
    ['delete', 'csinodes.storage.k8s.io  n', 'allowed'],
    ['create', 'csinodes.storage.k8s.io', 'allowed'],
    ['get', 'csinodes.storage.k8s.io  m', 'can only access CSINode with the same name as the requesting node'],
    ['list', 'csinodes.storage.k8s.io', 'can only get, create, update, patch, or delete a CSINode'],
    ['get', 'csinodes.storage.k8s.io/status  n', 'cannot authorize CSINode subresources'],
    ['create', 'resourceslices.resource.k8s.io', 'allowed'],
    ['delete', 'resourceslices.resource.k8s.io  slice', 'allowed'],
    ['update', 'resourceslices.resource.k8s.io  other', UNRELATED],
    [
      'list',
      'resourceslices.resource.k8s.io',
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    ['get', 'resourceslices.resource.k8s.io/status  slice', 'cannot authorize ResourceSlice subresources'],
    [
      'escalate',
      'resourceslices.resource.k8s.io  slice',
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    ],
    ['get', 'nodes n n', 'allowed'],
    ['watch', 'nodes n n', 'allowed'],
    ['get', 'nodes  m', "node 'n' cannot read 'm', only its own Node object"],
    ['list', 'nodes', "node 'n' cannot read all nodes, only its own Node object"],
    ['create', 'nodes', 'allowed'],
    ['patch', 'nodes/status  m', 'allowed'],
    ['delete', 'nodes  n', ''],
    ['get', 'nodes/proxy  n', ''],
    ['get', 'pods a mine', 'allowed'],
    ['get', 'pods a theirs', UNRELATED],
    ['list', 'pods', 'can only list/watch pods with spec.nodeName field selector'],
    ['watch', 'pods a mine', 'allowed'],
    ['watch', 'pods a theirs', UNRELATED],
    ['create', 'pods a', 'allowed'],
    ['delete', 'pods a theirs', 'allowed'],
    ['update', 'pods a mine', ''],
    ['deletecollection', 'pods a', ''],
    ['patch', 'pods/status a theirs', 'allowed'],
    ['create', 'pods/eviction a theirs', 'allowed'],
    ['get', 'pods/log a mine', ''],
    ['create', 'pods/exec a mine', ''],
    ['get', 'podcertificaterequests.certificates.k8s.io a x', ''],
    ['list', 'services', 'allowed'],
    ['create', 'events.events.k8s.io a', 'allowed'],
    ['delete', 'services a x', ''],
    ['create', 'subjectaccessreviews.authorization.k8s.io', 'allowed'],
    ['list', 'runtimeclasses.node.k8s.io', 'allowed'],
    ['get', 'secrets.example.com a s-volume', ''],
  ])('%s %s: %s', (verb, target, answer) => {
    expect(asked(verb, target)).toBe(answer);
  });

  it('lists Pods and ResourceSlices of its own by a field selector', () => {
    const slices = 'resourceslices.resource.k8s.io';
    for (const verb of ['list', 'watch']) {
      expect(asked(verb, 'pods', { fieldSelector: OWN })).toBe('allowed');
      expect(asked(verb, 'pods', { fieldSelector: OTHER })).toContain('can only list/watch pods');
      expect(asked(verb, 'pods', { fieldSelector: NOT_OTHER })).toContain('can only list/watch pods');
      expect(asked(verb, 'pods', { labelSelector: OWN })).toContain('can only list/watch pods');
    }
    for (const verb of ['list', 'watch', 'deletecollection']) {
      expect(asked(verb, slices, { fieldSelector: [...OWN, ...OTHER] })).toBe('allowed');
      expect(asked(verb, slices, { fieldSelector: OTHER })).toContain('can only list/watch/deletecollection');
    }
  });

  it('is a user of that name in the group of nodes, who has a name', () => {
    const get = (user: AccessAttributes['user']): unknown => asked('get', 'secrets a s-volume', { user });
    expect(get({ name: 'system:node:n', groups: [] })).toBe('');
    expect(get({ name: 'n', groups: ['system:nodes'] })).toBe('');
    expect(get({ name: 'system:node:', groups: ['system:nodes'] })).toBe('unknown node for user "system:node:"');
    expect(get({ name: 'system:node:m', groups: ['system:nodes'] })).toContain("node 'm'");
    expect(asked('get', 'x', { isResource: false, path: '/healthz' })).toBe('');
  });

  it('gets no list of what it may do', () => {
    expect(authorizer.rules?.(NODE, 'a')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'node authorizer does not support user rule resolution',
    });
    expect(authorizer.rules?.({ name: 'bob', groups: [] }, 'a')).toEqual({ resourceRules: [], nonResourceRules: [] });
  });

  it('gains nothing from a mirror Pod, which it makes itself', () => {
    graph.setPod({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { namespace: 'a', name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'x' } },
      spec: { nodeName: 'n', serviceAccountName: 'root', volumes: [{ name: 'a', secret: { secretName: 'root' } }] },
    });
    expect(asked('get', 'pods a mirror')).toBe('allowed');
    expect(asked('get', 'secrets a root')).toBe(UNRELATED);
    expect(asked('create', 'serviceaccounts/token a root')).toBe(UNRELATED);
  });
});
