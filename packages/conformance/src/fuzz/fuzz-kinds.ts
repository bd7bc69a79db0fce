/** The kinds that the fuzzer writes, each with an object that is valid as it stands. */

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A kind and where it is served. */
export interface FuzzKind {
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly object: { readonly [key: string]: Json };
}

const metadata = { labels: { app: 'web' }, annotations: { note: 'x' }, finalizers: [] };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

const once = { spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: { app: 'web' } };
const backend = { service: { name: 's', port: { number: 80 } } };
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const binding = {
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u' }],
};
const WORKLOADS: Readonly<Record<string, string>> = {
  deployments: 'Deployment',
  replicasets: 'ReplicaSet',
  daemonsets: 'DaemonSet',
};

export const FUZZ_KINDS: readonly FuzzKind[] = [
  core('configmaps', { kind: 'ConfigMap', data: { k: 'v' }, binaryData: { b: 'AAEC' }, immutable: false }),
  core('secrets', { kind: 'Secret', data: { k: 'dg==' }, stringData: { s: 'v' }, type: 'Opaque' }),
  core('pods', { kind: 'Pod', spec: template.spec, status: { phase: 'Pending' } }),
  core('podtemplates', { kind: 'PodTemplate', template }),
  core('services', {
    kind: 'Service',
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  }),
  core('serviceaccounts', { kind: 'ServiceAccount', secrets: [{ name: 's' }] }),
  core('nodes', { kind: 'Node', spec: { unschedulable: true }, status: { capacity: { cpu: '1' } } }, false),
  core('namespaces', { kind: 'Namespace', spec: { finalizers: ['kubernetes'] } }, false),
  core('events', {
    kind: 'Event',
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'fuzz-0' },
    type: 'Normal',
    reason: 'R',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
  }),
  ofGroup('events.k8s.io/v1', 'events', {
    kind: 'Event',
    regarding: { kind: 'Pod', name: 'a', namespace: 'fuzz-0' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
  }),
  ofGroup('coordination.k8s.io/v1', 'leases', {
    kind: 'Lease',
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
  }),
  core('endpoints', {
    kind: 'Endpoints',
    subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ name: 'http', port: 80 }] }],
  }),
  core('limitranges', { kind: 'LimitRange', spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }),
  core('resourcequotas', { kind: 'ResourceQuota', spec: { hard: { pods: '100', 'count/secrets': '50' } } }),
  core('replicationcontrollers', {
    kind: 'ReplicationController',
    spec: { replicas: 1, selector: { app: 'web' }, template },
  }),
  core('persistentvolumeclaims', {
    kind: 'PersistentVolumeClaim',
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  ofCluster('v1', 'persistentvolumes', {
    kind: 'PersistentVolume',
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/tmp/x' } },
  }),
  ...['deployments', 'replicasets', 'daemonsets'].map((plural) =>
    ofGroup('apps/v1', plural, { kind: WORKLOADS[plural] ?? '', spec: { selector, template } }),
  ),
  ofGroup('apps/v1', 'statefulsets', { kind: 'StatefulSet', spec: { serviceName: 's', selector, template } }),
  ofGroup('apps/v1', 'controllerrevisions', { kind: 'ControllerRevision', revision: 1, data: { a: [1] } }),
  ofGroup('batch/v1', 'jobs', { kind: 'Job', spec: { template: once } }),
  ofGroup('batch/v1', 'cronjobs', {
    kind: 'CronJob',
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: once } } },
  }),
  ...['autoscaling/v1', 'autoscaling/v2'].map((version) =>
    ofGroup(version, 'horizontalpodautoscalers', {
      kind: 'HorizontalPodAutoscaler',
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, maxReplicas: 3 },
    }),
  ),
  ofGroup('policy/v1', 'poddisruptionbudgets', {
    kind: 'PodDisruptionBudget',
    spec: { minAvailable: '50%', selector },
  }),
  ofGroup('networking.k8s.io/v1', 'ingresses', {
    kind: 'Ingress',
    spec: { rules: [{ host: 'a.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  }),
  ofGroup('networking.k8s.io/v1', 'networkpolicies', {
    kind: 'NetworkPolicy',
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] },
  }),
  ofCluster('networking.k8s.io/v1', 'ingressclasses', { kind: 'IngressClass', spec: { controller: 'example.com/c' } }),
  ofCluster('networking.k8s.io/v1', 'servicecidrs', { kind: 'ServiceCIDR', spec: { cidrs: ['10.96.0.0/16'] } }),
  ofGroup('discovery.k8s.io/v1', 'endpointslices', {
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 80 }],
  }),
  ofGroup('rbac.authorization.k8s.io/v1', 'roles', { kind: 'Role', rules: [rule] }),
  ofCluster('rbac.authorization.k8s.io/v1', 'clusterroles', { kind: 'ClusterRole', rules: [rule] }),
  ofGroup('rbac.authorization.k8s.io/v1', 'rolebindings', { kind: 'RoleBinding', ...binding }),
  ofCluster('rbac.authorization.k8s.io/v1', 'clusterrolebindings', { kind: 'ClusterRoleBinding', ...binding }),
  ofCluster('storage.k8s.io/v1', 'storageclasses', { kind: 'StorageClass', provisioner: 'example.com/p' }),
  ofCluster('storage.k8s.io/v1', 'csidrivers', { kind: 'CSIDriver', spec: { attachRequired: false } }),
  ofCluster('storage.k8s.io/v1', 'csinodes', { kind: 'CSINode', spec: { drivers: [{ name: 'd', nodeID: 'n' }] } }),
  ofGroup('storage.k8s.io/v1', 'csistoragecapacities', { kind: 'CSIStorageCapacity', storageClassName: 's' }),
  ofCluster('storage.k8s.io/v1', 'volumeattachments', {
    kind: 'VolumeAttachment',
    spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } },
  }),
  ofCluster('scheduling.k8s.io/v1', 'priorityclasses', { kind: 'PriorityClass', value: 10 }),
  ofCluster('node.k8s.io/v1', 'runtimeclasses', { kind: 'RuntimeClass', handler: 'h' }),
  ofCluster('flowcontrol.apiserver.k8s.io/v1', 'flowschemas', {
    kind: 'FlowSchema',
    spec: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 900 },
  }),
  ofCluster('admissionregistration.k8s.io/v1', 'validatingwebhookconfigurations', {
    kind: 'ValidatingWebhookConfiguration',
    webhooks: [],
  }),
  ofGroup('resource.k8s.io/v1', 'resourceclaims', {
    kind: 'ResourceClaim',
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'd' } }] } },
  }),
];

function core(plural: string, object: FuzzKind['object'], namespaced = true): FuzzKind {
  return { root: '/api/v1', plural, namespaced, object: { apiVersion: 'v1', metadata, ...object } };
}

function ofGroup(apiVersion: string, plural: string, object: FuzzKind['object']): FuzzKind {
  return { root: `/apis/${apiVersion}`, plural, namespaced: true, object: { apiVersion, metadata, ...object } };
}

function ofCluster(apiVersion: string, plural: string, object: FuzzKind['object']): FuzzKind {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return { root, plural, namespaced: false, object: { apiVersion, metadata, ...object } };
}
