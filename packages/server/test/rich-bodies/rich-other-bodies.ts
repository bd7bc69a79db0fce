/** Objects of networking, storage, access and policy with nearly every field. */

import { REQUEST } from '../kind-bodies/access-bodies.ts';
import { type OwnedBody, owned } from '../kind-bodies/owned-body.ts';

const labelled = { metadata: { labels: { changed: 'yes' } } };
const selector = { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'k', operator: 'NotIn', values: ['x'] }] };
const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const peer = { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } };
const policyPorts = [{ protocol: 'UDP', port: 80, endPort: 90 }, { port: 'http' }];
const rbac = 'rbac.authorization.k8s.io';

export const RICH_NETWORKING_BODIES: readonly OwnedBody[] = [
  owned(
    'networking.k8s.io/v1',
    'Ingress',
    'ingresses',
    true,
    {
      spec: {
        ingressClassName: 'c',
        defaultBackend: { resource: { apiGroup: 'g.example.com', kind: 'Bucket', name: 'b' } },
        tls: [{ hosts: ['a.example.com', '*.example.com'], secretName: 's' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
                { path: '/x', pathType: 'Exact', backend: { service: { name: 's', port: { name: 'http' } } } },
              ],
            },
          },
        ],
      },
    },
    {
      change: labelled,
      status: {
        loadBalancer: {
          ingress: [
            { ip: '1.2.3.4', ports: [{ port: 80, protocol: 'TCP', error: 'example.com/e' }] },
            { hostname: 'h' },
          ],
        },
      },
    },
  ),
  owned(
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    false,
    {
      spec: {
        controller: 'example.com/c',
        parameters: { apiGroup: 'g.example.com', kind: 'P', name: 'p', scope: 'Namespace', namespace: 'n' },
      },
    },
    { change: labelled },
  ),
  owned(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'networkpolicies',
    true,
    {
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ ports: policyPorts, from: [peer, { podSelector: selector, namespaceSelector: selector }] }],
        egress: [{ ports: policyPorts, to: [peer, { podSelector: selector }] }],
      },
    },
    { change: labelled },
  ),
  owned(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'endpointslices',
    true,
    {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.1.1'],
          conditions: { ready: true, serving: true, terminating: false },
          hostname: 'h',
          targetRef: { kind: 'Pod', namespace: 'n', name: 'p', uid: 'u' },
          nodeName: 'n',
          zone: 'z',
          hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n' }] },
        },
      ],
      ports: [
        { name: 'a', protocol: 'TCP', port: 80, appProtocol: 'kubernetes.io/h2c' },
        { name: 'b', port: 81 },
      ],
    },
    { change: labelled },
  ),
  owned(
    'coordination.k8s.io/v1',
    'Lease',
    'leases',
    true,
    {
      spec: {
        holderIdentity: 'h',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-01T00:00:00.000000Z',
        renewTime: '2026-01-01T00:00:00.000000Z',
        leaseTransitions: 1,
      },
    },
    { change: labelled },
  ),
  owned(
    'events.k8s.io/v1',
    'Event',
    'events',
    true,
    {
      regarding: { kind: 'Pod', name: 'p', namespace: 'kinds', apiVersion: 'v1', uid: 'u', fieldPath: 'f' },
      related: { kind: 'Node', name: 'n' },
      reason: 'R',
      action: 'A',
      note: 'n',
      type: 'Normal',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' },
    },
    { name: 'rich-new', change: labelled },
  ),
  owned(
    'v1',
    'Event',
    'events',
    true,
    {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'kinds' },
      related: { kind: 'Node', name: 'n' },
      reason: 'R',
      message: 'm',
      source: { component: 'c', host: 'h' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
      type: 'Warning',
    },
    { name: 'rich-old', change: { count: 2 } },
  ),
  owned(
    'node.k8s.io/v1',
    'RuntimeClass',
    'runtimeclasses',
    false,
    {
      handler: 'runc',
      overhead: { podFixed: { cpu: '1', memory: '1Mi' } },
      scheduling: {
        nodeSelector: { a: 'b' },
        tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 1 }],
      },
    },
    { change: labelled },
  ),
  owned(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    false,
    { value: 7, globalDefault: false, description: 'd', preemptionPolicy: 'Never' },
    { change: labelled },
  ),
  owned(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    true,
    { spec: { minAvailable: '50%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    {
      change: labelled,
      status: {
        currentHealthy: 1,
        desiredHealthy: 1,
        disruptionsAllowed: 0,
        expectedPods: 1,
        observedGeneration: 1,
        disruptedPods: { p: '2026-01-01T00:00:00Z' },
        conditions: [condition],
      },
    },
  ),
];

export const RICH_STORAGE_BODIES: readonly OwnedBody[] = [
  owned(
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    false,
    {
      provisioner: 'example.com/p',
      parameters: { a: 'b' },
      reclaimPolicy: 'Retain',
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: 'example.com/zone', values: ['a', 'b'] },
            { key: 'rack', values: ['c'] },
          ],
        },
        { matchLabelExpressions: [{ key: 'example.com/zone', values: ['d'] }] },
      ],
    },
    { change: labelled },
  ),
  owned(
    'storage.k8s.io/v1',
    'CSIDriver',
    'csidrivers',
    false,
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        storageCapacity: true,
        fsGroupPolicy: 'File',
        tokenRequests: [{ audience: 'a', expirationSeconds: 600 }, { audience: '' }],
        requiresRepublish: true,
        seLinuxMount: true,
        nodeAllocatableUpdatePeriodSeconds: 60,
      },
    },
    { name: 'd.example.com', change: labelled },
  ),
  owned(
    'storage.k8s.io/v1',
    'CSINode',
    'csinodes',
    false,
    {
      spec: {
        drivers: [
          { name: 'd.example.com', nodeID: 'n', topologyKeys: ['k', 'l'], allocatable: { count: 3 } },
          { name: 'e.example.com', nodeID: 'n', topologyKeys: null },
        ],
      },
    },
    { change: labelled },
  ),
  owned(
    'storage.k8s.io/v1',
    'CSIStorageCapacity',
    'csistoragecapacities',
    true,
    { storageClassName: 'x', capacity: '1Gi', maximumVolumeSize: '1Gi', nodeTopology: selector },
    { change: { capacity: '2Gi' } },
  ),
  owned(
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    false,
    { spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
    {
      change: labelled,
      status: {
        attached: true,
        attachmentMetadata: { a: 'b' },
        attachError: { time: '2026-01-01T00:00:00Z', message: 'm', errorCode: 1 },
        detachError: { time: '2026-01-01T00:00:00Z', message: 'm' },
      },
    },
  ),
  owned(
    'storage.k8s.io/v1',
    'VolumeAttributesClass',
    'volumeattributesclasses',
    false,
    { driverName: 'd.example.com', parameters: { a: 'b' } },
    { change: labelled },
  ),
];

export const RICH_ACCESS_BODIES: readonly OwnedBody[] = [
  owned(
    `${rbac}/v1`,
    'Role',
    'roles',
    true,
    { rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['a'], verbs: ['get'] }] },
    { change: labelled },
  ),
  owned(
    `${rbac}/v1`,
    'RoleBinding',
    'rolebindings',
    true,
    {
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', apiGroup: rbac, name: 'u' },
        { kind: 'Group', apiGroup: rbac, name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
    { change: labelled },
  ),
  owned(
    `${rbac}/v1`,
    'ClusterRole',
    'clusterroles',
    false,
    {
      rules: [{ nonResourceURLs: ['/x', '/y/*'], verbs: ['get'] }],
      aggregationRule: { clusterRoleSelectors: [selector] },
    },
    { change: labelled },
  ),
  owned(
    `${rbac}/v1`,
    'ClusterRoleBinding',
    'clusterrolebindings',
    false,
    {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'n' }],
    },
    { change: labelled },
  ),
  owned(
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    false,
    {
      spec: {
        request: REQUEST,
        signerName: 'example.com/s',
        usages: ['client auth', 'digital signature'],
        expirationSeconds: 3600,
      },
    },
    { change: labelled },
  ),
];
