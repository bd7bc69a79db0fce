/** Requests of kubelets that NodeRestriction allows and refuses, for a comparison with kube-apiserver. */

/** A request. `UID:kind/name` in its body stands for the uid of an object that `OBJECTS` or an earlier request has made. */
export interface NodeRequest {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
  /** Default: that of the node `n`. */
  readonly user?: { readonly name: string; readonly group: string };
}

const PODS = '/api/v1/namespaces/default/pods';
const NODES = '/api/v1/nodes';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces';
const CSI_NODES = '/apis/storage.k8s.io/v1/csinodes';
const SLICES = '/apis/resource.k8s.io/v1/resourceslices';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const TOKENS = '/api/v1/namespaces/default/serviceaccounts/robot/token';
const MIRROR = { 'kubernetes.io/config.mirror': 'x' };
const MERGE = 'application/merge-patch+json';
const SYSTEM_NODES = 'system:nodes';

export const NODE = { name: 'system:node:n', group: SYSTEM_NODES };

function pod(name: string, nodeName: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec },
  };
}

function mirror(name: string, spec: object = {}, owner: object = {}): object {
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'UID:nodes/n', controller: true, ...owner },
  ];
  return pod(name, 'n', spec, { annotations: MIRROR, ownerReferences });
}

function slice(nodeName: string): object {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: nodeName },
    spec: { nodeName, driver: 'd', pool: { name: nodeName, generation: 1, resourceSliceCount: 1 }, devices: [] },
  };
}

const node = (name: string, fields: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  ...fields,
});
const lease = (metadata: object): object => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata });
const csiNode = (name: string): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name },
  spec: { drivers: [] },
});
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const eviction = (name: string): object => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
const tokenVolume = (audience?: string): object => ({
  serviceAccountToken: { path: audience ?? 'default', expirationSeconds: 3600, ...(audience && { audience }) },
});
const TOKEN_SPEC = {
  serviceAccountName: 'robot',
  volumes: [{ name: 't', projected: { sources: [tokenVolume('vault'), tokenVolume()] } }],
};

/** What there is, made by an administrator. */
export const OBJECTS: readonly (readonly [path: string, object: object])[] = [
  [NODES, node('n')],
  [NODES, node('m', { metadata: { name: 'm', labels: { a: 'b' } } })],
  ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-node-lease' } }],
  [
    '/api/v1/namespaces/default/serviceaccounts',
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } },
  ],
  [PODS, pod('own', 'n')],
  [PODS, pod('other', 'm')],
  [PODS, pod('user', 'n', TOKEN_SPEC)],
  [PODS, pod('far', 'm', TOKEN_SPEC)],
  [PODS, pod('unscheduled', '', TOKEN_SPEC)],
  [SLICES, slice('m')],
  [CLAIMS, claim],
];

/** Bodies of static Pods, by what is wrong with them. */
const STATIC: readonly (readonly [what: string, body: object])[] = [
  ['a mirror of what the node runs', mirror('static')],
  ['no mirror', pod('x', 'n')],
  ['a mirror of another node', pod('x', 'm', {}, { annotations: MIRROR })],
  ['a mirror of no node', pod('x', '', {}, { annotations: MIRROR })],
  ['without owner', pod('x', 'n', {}, { annotations: MIRROR })],
  ['owned by another node', mirror('x', {}, { name: 'm' })],
  ['owned by another kind', mirror('x', {}, { kind: 'Pod' })],
  ['owned by another version', mirror('x', {}, { apiVersion: 'v2' })],
  ['with an owner that does not control', mirror('x', {}, { controller: false })],
  ['that blocks the deletion of its owner', mirror('x', {}, { blockOwnerDeletion: true })],
  ['of a former node', mirror('x', {}, { uid: '00000000-0000-4000-8000-000000000000' })],
  ['with an account', mirror('x', { serviceAccountName: 'robot' })],
  ['with a pull secret', mirror('x', { imagePullSecrets: [{ name: 's' }] })],
  ['with a claim of resources', mirror('x', { resourceClaims: [{ name: 'r', resourceClaimName: 'q' }] })],
  ...Object.entries({
    env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
    'env of a ConfigMap': [{ name: 'A', valueFrom: { configMapKeyRef: { name: 's', key: 'k' } } }],
  }).map(([what, env]): [string, object] => [what, mirror('x', { containers: [{ name: 'c', image: 'i', env }] })]),
  ['envFrom', mirror('x', { containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 's' } }] }] })],
  [
    'envFrom of an init container',
    mirror('x', { initContainers: [{ name: 'i', image: 'i', envFrom: [{ secretRef: { name: 's' } }] }] }),
  ],
  ...[
    { secret: { secretName: 's' } },
    { configMap: { name: 's' } },
    { persistentVolumeClaim: { claimName: 's' } },
    { csi: { driver: 'd' } },
    { csi: { driver: 'd', nodePublishSecretRef: { name: 's' } } },
    { flexVolume: { driver: 'a/b', secretRef: { name: 's' } } },
    { cephfs: { monitors: ['m'], secretRef: { name: 's' } } },
    { rbd: { monitors: ['m'], image: 'i', secretRef: { name: 's' } } },
    { azureFile: { secretName: 's', shareName: 'x' } },
    { scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } } },
    { storageos: { volumeName: 'v', secretRef: { name: 's' } } },
    { iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:x', lun: 0, secretRef: { name: 's' } } },
    { iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:x', lun: 0 } },
    {
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      },
    },
    { projected: { sources: [{ secret: { name: 's' } }] } },
    { projected: { sources: [{ configMap: { name: 's' } }] } },
    { projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } },
    { projected: { sources: [{ clusterTrustBundle: { name: 's', path: 'p' } }] } },
    { projected: { sources: [{ podCertificate: { signerName: 'a.b/c', keyType: 'ED25519', keyPath: 'k' } }] } },
    { projected: { sources: [{ downwardAPI: { items: [] } }] } },
    { hostPath: { path: '/x' } },
    { emptyDir: {} },
    { image: { reference: 'i' } },
    { gitRepo: { repository: 'r' } },
    { nfs: { server: 's', path: '/x' } },
  ].map((source, index): [string, object] => [
    `with the volume ${JSON.stringify(source)}`,
    mirror(`mounts-${index}`, { volumes: [{ name: 'v', ...source }] }),
  ]),
];

function merge(what: string, path: string, body: object): NodeRequest {
  return { what, method: 'PATCH', path, body, type: MERGE };
}

const create = (what: string, path: string, body: object): NodeRequest => ({ what, method: 'POST', path, body });
const remove = (what: string, path: string): NodeRequest => ({ what, method: 'DELETE', path });

const labels = (...keys: readonly string[]): object => ({
  metadata: { labels: Object.fromEntries(keys.map((key) => [key, 'x'])) },
});

/** What nodes may not make of themselves, and what they may. */
const NODE_CHANGES: readonly (readonly [what: string, change: object])[] = [
  ['status', { status: { phase: 'Running' } }],
  ['taints', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }],
  ['owners', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'm', uid: 'u' }] } }],
  ['a restricted label', labels('node-restriction.kubernetes.io/fips')],
  ['two restricted labels', labels('x.node-restriction.kubernetes.io/a', 'a.k8s.io/b', 'ok')],
  [
    'labels of a kubelet',
    labels('kubernetes.io/os', 'a.kubelet.kubernetes.io/b', 'node.kubernetes.io/x', 'example.com/z'),
  ],
  ['a label of its own gone', { metadata: { labels: { 'example.com/z': null } } }],
  ['unschedulable', { spec: { unschedulable: true } }],
  ['configSource', { spec: { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'k' } } } }],
];

const ref = (fields: object): object => ({ apiVersion: 'v1', kind: 'Pod', ...fields });
const token = (what: string, boundObjectRef: object | undefined, audiences: readonly string[] = []): NodeRequest =>
  create(`a token ${what}`, TOKENS, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences, ...(boundObjectRef && { boundObjectRef }) },
  });

/** `/O=system:nodes/CN=system:node:n`, PKCS#10. */
const REQUEST =
  'MIHrMIGRAgEAMC8xFTATBgNVBAoMDHN5c3RlbTpub2RlczEWMBQGA1UEAwwNc3lzdGVtOm5vZGU6bjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKvAlQ5a' +
  'LpnuIdGFyiuUjQnEbOmYK48cO+MyVql5jWYk0+0i3qh6h3eYcGlXm7YcWAxBQrfNZWnmJwr+Nus5b4mgADAKBggqhkjOPQQDAgNJADBGAiEAj2u9lENZBER8' +
  'K+fH7dSnjphB1jTkWhM3tB7a+Bq5rD8CIQDIoodpCxtnNooPxYqDKzCrbRlC/4FGly+tS61+LbT5IA==';

function csr(name: string, der: string, signerName = 'kubernetes.io/kubelet-serving'): object {
  const request = `-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`;
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName,
      usages: ['digital signature', 'server auth'],
    },
  };
}

const STATUS = { status: { message: 'x' } };
const M = { name: 'system:node:m', group: SYSTEM_NODES };
const NEW = { name: 'system:node:new', group: SYSTEM_NODES };

/** In this order. */
export const REQUESTS: readonly NodeRequest[] = [
  ...STATIC.map(([what, body]) => create(`a Pod: ${what}`, PODS, body)),
  remove('its static Pod', `${PODS}/static?gracePeriodSeconds=0`),
  remove('the Pod of another node', `${PODS}/other`),
  remove('a Pod that is not there', `${PODS}/gone`),
  remove('all Pods', PODS),
  create('eviction of the Pod of another node', `${PODS}/other/eviction`, eviction('other')),
  create('eviction of a Pod that is not there', `${PODS}/gone/eviction`, eviction('gone')),
  create('eviction by another name', `${PODS}/own/eviction`, eviction('other')),
  merge('the status of the Pod of another node', `${PODS}/other/status`, STATUS),
  merge('the status of its Pod', `${PODS}/own/status`, STATUS),
  merge('a long status of the Pod of another node', `${PODS}/other/status`, {
    status: { message: 'x'.repeat(20_000) },
  }),
  merge('the labels of its Pod by its status', `${PODS}/own/status`, labels('a')),
  merge('claims by the status', `${PODS}/own/status`, {
    status: { resourceClaimStatuses: [{ name: 'r', resourceClaimName: 'q' }] },
  }),
  merge('the extended claim by the status', `${PODS}/own/status`, {
    status: {
      extendedResourceClaimStatus: {
        resourceClaimName: 'q',
        requestMappings: [{ containerName: 'c', resourceName: 'a.b/c', requestName: 'r' }],
      },
    },
  }),
  merge('the labels of its Pod', `${PODS}/own`, labels('a')),
  {
    what: 'an apply to its Pod',
    method: 'PATCH',
    path: `${PODS}/own?fieldManager=x`,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'own', labels: { a: 'b' } } },
    type: 'application/apply-patch+yaml',
  },
  create('a binding of its Pod', `${PODS}/own/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'own' },
    target: { apiVersion: 'v1', kind: 'Node', name: 'n' },
  }),
  merge('the resources of its Pod', `${PODS}/own/resize`, { spec: { containers: [{ name: 'c', image: 'i' }] } }),
  merge('the ephemeral containers of its Pod', `${PODS}/own/ephemeralcontainers`, {
    spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] },
  }),
  ...NODE_CHANGES.flatMap(([what, change]) =>
    ['', '/status'].map((part) => merge(`${what} by nodes${part}`, `${NODES}/n${part}`, change)),
  ),
  merge('the status of another node', `${NODES}/m/status`, { status: { phase: 'Running' } }),
  merge('another node', `${NODES}/m`, labels('x')),
  remove('another node', `${NODES}/m`),
  remove('a node that is not there', `${NODES}/gone`),
  remove('all nodes', NODES),
  create('another node', NODES, node('o')),
  create('a node whose name is made', NODES, { apiVersion: 'v1', kind: 'Node', metadata: { generateName: 'n' } }),
  {
    ...create(
      'itself with a role',
      NODES,
      node('new', { metadata: { name: 'new', labels: { 'node-role.kubernetes.io/x': '' } } }),
    ),
    user: NEW,
  },
  {
    ...create(
      'itself with configSource',
      NODES,
      node('new', { spec: { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'k' } } } }),
    ),
    user: NEW,
  },
  {
    ...create('itself', NODES, node('new', { metadata: { name: 'new', labels: { 'kubernetes.io/hostname': 'new' } } })),
    user: NEW,
  },
  token('for a Pod of the node, for an audience of its volume', ref({ name: 'user', uid: 'UID:pods/user' }), ['vault']),
  token('for a Pod of the node', ref({ name: 'user', uid: 'UID:pods/user' })),
  token('for another audience', ref({ name: 'user', uid: 'UID:pods/user' }), ['elsewhere']),
  token('for two audiences', ref({ name: 'user', uid: 'UID:pods/user' }), ['vault', 'b']),
  token('for nothing', undefined),
  token('for a Secret', ref({ kind: 'Secret', name: 'user' })),
  token('for a Pod without a uid', ref({ name: 'user' })),
  token('for a Pod without a name', ref({ uid: 'UID:pods/user' })),
  token('for a Pod that was replaced', ref({ name: 'user', uid: 'u' })),
  token('for a Pod of another node', ref({ name: 'far', uid: 'UID:pods/far' })),
  token('for a Pod of no node', ref({ name: 'unscheduled', uid: 'UID:pods/unscheduled' })),
  token('for a Pod that is not there', ref({ name: 'gone', uid: 'u' })),
  create('its lease', `${LEASES}/kube-node-lease/leases`, lease({ name: 'n' })),
  create('a lease elsewhere', `${LEASES}/default/leases`, lease({ name: 'n' })),
  create('the lease of another node', `${LEASES}/kube-node-lease/leases`, lease({ name: 'm' })),
  create('a lease whose name is made', `${LEASES}/kube-node-lease/leases`, lease({ generateName: 'n' })),
  merge('its lease', `${LEASES}/kube-node-lease/leases/n`, labels('a')),
  merge('the lease of another node', `${LEASES}/kube-node-lease/leases/m`, labels('a')),
  remove('the lease of another node', `${LEASES}/kube-node-lease/leases/m`),
  remove('all leases', `${LEASES}/kube-node-lease/leases`),
  create('its CSINode', CSI_NODES, csiNode('n')),
  create('the CSINode of another node', CSI_NODES, csiNode('m')),
  remove('the CSINode of another node', `${CSI_NODES}/m`),
  create('its slice', SLICES, slice('n')),
  create('the slice of another node', SLICES, { ...slice('m'), metadata: { name: 'second' } }),
  merge('the slice of another node', `${SLICES}/m`, labels('a')),
  remove('the slice of another node', `${SLICES}/m`),
  remove('all slices', SLICES),
  merge('what it resized', `${CLAIMS}/c/status`, { status: { capacity: { storage: '1Gi' }, conditions: [] } }),
  merge('the phase of a claim', `${CLAIMS}/c/status`, { status: { phase: 'Bound' } }),
  merge('a claim', `${CLAIMS}/c`, labels('a')),
  create('a claim', CLAIMS, { ...claim, metadata: { name: 'd' } }),
  remove('a claim', `${CLAIMS}/c`),
  create('a certificate of its own', CSRS, csr('mine', REQUEST)),
  { ...create('the certificate of another node', CSRS, csr('theirs', REQUEST)), user: M },
  { ...create('a certificate by another signer', CSRS, csr('free', REQUEST, 'example.com/any')), user: M },
  { ...merge('without the group', `${NODES}/m`, labels('q')), user: { name: 'system:node:n', group: 'devs' } },
  { ...remove('by a node without a name', `${NODES}/m`), user: { name: 'system:node:', group: SYSTEM_NODES } },
  {
    ...create('a ConfigMap by a node without a name', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'free' },
    }),
    user: { name: 'system:node:', group: SYSTEM_NODES },
  },
];
