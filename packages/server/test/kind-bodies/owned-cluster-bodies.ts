/** Good objects of the other kinds, but for FlowSchema and APIService: kube-apiserver itself writes their status at once. */

import { REQUEST } from './access-bodies.ts';
import { type OwnedBody, owned } from './owned-body.ts';

const rules = [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }];
const webhook = { name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1/' }, rules, sideEffects: 'None' };
const requests = [{ name: 'r', exactly: { deviceClassName: 'c.example.com' } }];
const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const labelled = { metadata: { labels: { changed: 'yes' } } };

export const OWNED_NETWORKING_BODIES: readonly OwnedBody[] = [
  owned(
    'networking.k8s.io/v1',
    'Ingress',
    'ingresses',
    true,
    {
      spec: {
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
    { change: { spec: { ingressClassName: 'x' } }, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
  ),
  owned(
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    false,
    { spec: { controller: 'example.com/c' } },
    { change: labelled },
  ),
  owned(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'networkpolicies',
    true,
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
    { change: { spec: { policyTypes: ['Ingress', 'Egress'] } } },
  ),
  owned(
    'networking.k8s.io/v1',
    'IPAddress',
    'ipaddresses',
    false,
    { spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } } },
    { name: '10.0.0.77', change: labelled },
  ),
  owned(
    'networking.k8s.io/v1',
    'ServiceCIDR',
    'servicecidrs',
    false,
    { spec: { cidrs: ['10.55.0.0/24'] } },
    { change: labelled, status: { conditions: [condition] } },
  ),
  owned(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'endpointslices',
    true,
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }], ports: [{ port: 80 }] },
    { change: labelled },
  ),
  owned(
    'coordination.k8s.io/v1',
    'Lease',
    'leases',
    true,
    { spec: { holderIdentity: 'h', leaseDurationSeconds: 15 } },
    { change: { spec: { leaseTransitions: 1, renewTime: '2026-01-01T00:00:00.000000Z' } } },
  ),
  owned(
    'events.k8s.io/v1',
    'Event',
    'events',
    true,
    {
      regarding: { kind: 'Pod', name: 'p', namespace: 'owners' },
      reason: 'R',
      action: 'A',
      note: 'n',
      type: 'Normal',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'c',
      reportingInstance: 'i',
    },
    { name: 'owned-new', change: { series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' } } },
  ),
  owned('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', false, { handler: 'runc' }, { change: labelled }),
  owned(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    false,
    { value: 0 },
    { change: { description: 'd' } },
  ),
];

export const OWNED_ACCESS_BODIES: readonly OwnedBody[] = [
  owned(
    'rbac.authorization.k8s.io/v1',
    'Role',
    'roles',
    true,
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    { change: labelled },
  ),
  owned(
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'rolebindings',
    true,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'u' }],
    },
    { change: labelled },
  ),
  owned(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'clusterroles',
    false,
    { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
    { change: labelled },
  ),
  owned(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    false,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'Group', name: 'g' }],
    },
    { change: labelled },
  ),
  owned(
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    false,
    { spec: { request: REQUEST, signerName: 'example.com/s', usages: ['client auth'] } },
    { change: labelled },
  ),
  owned(
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    false,
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } } },
    { change: { spec: { limited: { nominalConcurrencyShares: 2 } } }, status: { conditions: [condition] } },
  ),
  owned(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    false,
    { webhooks: [{ ...webhook, admissionReviewVersions: ['v1'] }] },
    { change: labelled },
  ),
  owned(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    false,
    { webhooks: [{ ...webhook, admissionReviewVersions: ['v1'] }] },
    { change: labelled },
  ),
  owned(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    false,
    { spec: { policyName: 'p', validationActions: ['Deny'] } },
    { change: labelled },
  ),
];

export const OWNED_STORAGE_BODIES: readonly OwnedBody[] = [
  owned(
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    false,
    { provisioner: 'example.com/p' },
    { change: { allowVolumeExpansion: true } },
  ),
  owned('storage.k8s.io/v1', 'CSIDriver', 'csidrivers', false, { spec: {} }, { change: labelled }),
  owned(
    'storage.k8s.io/v1',
    'CSINode',
    'csinodes',
    false,
    { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n', topologyKeys: ['k'] }] } },
    { change: labelled },
  ),
  owned(
    'storage.k8s.io/v1',
    'CSIStorageCapacity',
    'csistoragecapacities',
    true,
    { storageClassName: 'x', capacity: '1Gi' },
    { change: { capacity: '2Gi' } },
  ),
  owned(
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    false,
    { spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
    { change: labelled, status: { attached: true } },
  ),
  owned(
    'storage.k8s.io/v1',
    'VolumeAttributesClass',
    'volumeattributesclasses',
    false,
    { driverName: 'd.example.com', parameters: { a: 'b' } },
    { change: labelled },
  ),
  owned(
    'resource.k8s.io/v1',
    'DeviceClass',
    'deviceclasses',
    false,
    { spec: { selectors: [{ cel: { expression: 'device.driver == "x"' } }] } },
    { change: labelled },
  ),
  owned(
    'resource.k8s.io/v1',
    'ResourceClaim',
    'resourceclaims',
    true,
    { spec: { devices: { requests } } },
    { change: labelled },
  ),
  owned(
    'resource.k8s.io/v1',
    'ResourceClaimTemplate',
    'resourceclaimtemplates',
    true,
    { spec: { spec: { devices: { requests } } } },
    { change: labelled },
  ),
  owned(
    'resource.k8s.io/v1',
    'ResourceSlice',
    'resourceslices',
    false,
    {
      spec: {
        driver: 'd.example.com',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        nodeName: 'n',
        devices: [{ name: 'g' }],
      },
    },
    { change: labelled },
  ),
];
