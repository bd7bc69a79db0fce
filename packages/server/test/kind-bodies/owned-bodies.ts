/** One good object of every kind, with a change and a status, to see who owns what of it. */

import { REQUEST } from './access-bodies.ts';

/** An object that two servers are sent. */
export interface OwnedBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Default: `owned`. */
  readonly name?: string;
  /** Without `apiVersion`, `kind` and metadata. */
  readonly body: object;
  /** A merge patch beside metadata. Default: none. */
  readonly change?: object;
  /** A status for the `status` endpoint; absent when the kind has none. */
  readonly status?: object;
  /** Does the kind have a `scale`? */
  readonly scale?: boolean;
}

const template = {
  metadata: { labels: { app: 'a' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i:1',
        args: ['x'],
        ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'u' }],
        env: [
          { name: 'A', value: '1' },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } },
        ],
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
        resources: { requests: { cpu: '100m' }, limits: { cpu: '1' } },
        readinessProbe: { httpGet: { path: '/', port: 80 } },
      },
    ],
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'w', projected: { sources: [{ configMap: { name: 'm' } }] } },
    ],
    nodeSelector: { a: 'b' },
    tolerations: [{ key: 'k', operator: 'Exists' }],
  },
};
const selector = { matchLabels: { app: 'a' } };
const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } };
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

const CORE: readonly OwnedBody[] = [
  of(
    'v1',
    'ConfigMap',
    'configmaps',
    true,
    { data: { a: '1' }, binaryData: { b: 'AAE=' } },
    { change: { data: { a: null, c: '2' } } },
  ),
  of(
    'v1',
    'Secret',
    'secrets',
    true,
    { stringData: { a: 'x' }, data: { b: 'Yg==' } },
    { change: { data: { b: 'Yw==' } } },
  ),
  of(
    'v1',
    'ServiceAccount',
    'serviceaccounts',
    true,
    { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }] },
    { change: { automountServiceAccountToken: false } },
  ),
  of(
    'v1',
    'Pod',
    'pods',
    true,
    { spec: template.spec },
    {
      change: { spec: { activeDeadlineSeconds: 5 } },
      status: {
        phase: 'Running',
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
  ),
  of(
    'v1',
    'PodTemplate',
    'podtemplates',
    true,
    { template },
    { change: { template: { metadata: { labels: { b: 'c' } } } } },
  ),
  of(
    'v1',
    'ReplicationController',
    'replicationcontrollers',
    true,
    { spec: { replicas: 2, selector: { app: 'a' }, template } },
    { change: { spec: { replicas: 3 } }, status: { replicas: 1, observedGeneration: 1 }, scale: true },
  ),
  of(
    'v1',
    'Service',
    'services',
    true,
    {
      spec: {
        selector: { app: 'a' },
        ports: [
          { name: 't', port: 80 },
          { name: 'u', port: 80, protocol: 'UDP', targetPort: 'x' },
        ],
      },
    },
    {
      change: { spec: { sessionAffinity: 'ClientIP' } },
      status: { conditions: [condition] },
    },
  ),
  of(
    'v1',
    'Endpoints',
    'endpoints',
    true,
    { subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }] },
    {},
  ),
  of(
    'v1',
    'Event',
    'events',
    true,
    {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'side-by-side' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
      count: 1,
    },
    { change: { count: 2 } },
  ),
  of(
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    false,
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        storageClassName: 'manual',
      },
    },
    { change: { spec: { persistentVolumeReclaimPolicy: 'Delete' } }, status: { phase: 'Available' } },
  ),
  of(
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    true,
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'manual' },
    },
    { change: labelled, status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
  ),
  of(
    'v1',
    'ResourceQuota',
    'resourcequotas',
    true,
    { spec: { hard: { 'count/x.example.com': '10' } } },
    {
      change: { spec: { hard: { 'count/x.example.com': '11' } } },
      status: { hard: { pods: '10' }, used: { pods: '0' } },
    },
  ),
  of(
    'v1',
    'LimitRange',
    'limitranges',
    true,
    { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }] } },
    { change: labelled },
  ),
  of(
    'v1',
    'Node',
    'nodes',
    false,
    { spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'], taints: [{ key: 'k', effect: 'NoSchedule' }] } },
    {
      change: { spec: { unschedulable: true } },
      status: {
        capacity: { cpu: '4' },
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'Hostname', address: 'h' }],
      },
    },
  ),
  of(
    'v1',
    'Namespace',
    'namespaces',
    false,
    { spec: { finalizers: ['kubernetes'] } },
    { change: labelled, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
  ),
];

const WORKLOADS: readonly OwnedBody[] = [
  of(
    'apps/v1',
    'Deployment',
    'deployments',
    true,
    { spec: { replicas: 2, selector, template } },
    {
      change: { spec: { replicas: 3, strategy: { type: 'Recreate', rollingUpdate: null } } },
      status: { replicas: 1, observedGeneration: 2, conditions: [{ type: 'Available', status: 'True' }] },
      scale: true,
    },
  ),
  of(
    'apps/v1',
    'ReplicaSet',
    'replicasets',
    true,
    { spec: { replicas: 2, selector, template } },
    { change: { spec: { replicas: 4 } }, status: { replicas: 2, observedGeneration: 1 }, scale: true },
  ),
  of(
    'apps/v1',
    'StatefulSet',
    'statefulsets',
    true,
    {
      spec: {
        serviceName: 's',
        selector,
        template,
        volumeClaimTemplates: [
          {
            metadata: { name: 'd' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
    { change: { spec: { replicas: 3 } }, status: { replicas: 1, collisionCount: 0 }, scale: true },
  ),
  of(
    'apps/v1',
    'DaemonSet',
    'daemonsets',
    true,
    { spec: { selector, template } },
    {
      change: { spec: { minReadySeconds: 3 } },
      status: { currentNumberScheduled: 1, desiredNumberScheduled: 1, numberMisscheduled: 0, numberReady: 1 },
    },
  ),
  of(
    'apps/v1',
    'ControllerRevision',
    'controllerrevisions',
    true,
    { revision: 1, data: { spec: { a: 1 } } },
    { change: { revision: 2 } },
  ),
  of(
    'batch/v1',
    'Job',
    'jobs',
    true,
    { spec: { ...job, backoffLimit: 2, suspend: true } },
    { change: { spec: { suspend: false } }, status: { active: 1 } },
  ),
  of(
    'batch/v1',
    'CronJob',
    'cronjobs',
    true,
    { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: job } } },
    { change: { spec: { suspend: true } }, status: { lastScheduleTime: '2026-01-01T00:00:00Z' } },
  ),
  of(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    },
    { change: { spec: { maxReplicas: 6 } }, status: { currentReplicas: 1, desiredReplicas: 2 } },
  ),
  of(
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    { spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 5, targetCPUUtilizationPercentage: 50 } },
    { name: 'owned-v1', change: { spec: { maxReplicas: 6 } }, status: { currentReplicas: 1, desiredReplicas: 2 } },
  ),
  of(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    true,
    { spec: { minAvailable: '50%', selector } },
    {
      change: { spec: { minAvailable: 2 } },
      status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
    },
  ),
];

const NETWORKING: readonly OwnedBody[] = [
  of(
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
  of(
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    false,
    { spec: { controller: 'example.com/c' } },
    { change: labelled },
  ),
  of(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'networkpolicies',
    true,
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
    { change: { spec: { policyTypes: ['Ingress', 'Egress'] } } },
  ),
  of(
    'networking.k8s.io/v1',
    'IPAddress',
    'ipaddresses',
    false,
    { spec: { parentRef: { resource: 'services', name: 's', namespace: 'n' } } },
    { name: '10.0.0.77', change: labelled },
  ),
  of(
    'networking.k8s.io/v1',
    'ServiceCIDR',
    'servicecidrs',
    false,
    { spec: { cidrs: ['10.55.0.0/24'] } },
    { change: labelled, status: { conditions: [condition] } },
  ),
  of(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'endpointslices',
    true,
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }], ports: [{ port: 80 }] },
    { change: labelled },
  ),
  of(
    'coordination.k8s.io/v1',
    'Lease',
    'leases',
    true,
    { spec: { holderIdentity: 'h', leaseDurationSeconds: 15 } },
    { change: { spec: { leaseTransitions: 1, renewTime: '2026-01-01T00:00:00.000000Z' } } },
  ),
  of(
    'events.k8s.io/v1',
    'Event',
    'events',
    true,
    {
      regarding: { kind: 'Pod', name: 'p', namespace: 'side-by-side' },
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
  of('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', false, { handler: 'runc' }, { change: labelled }),
  of('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', false, { value: 0 }, { change: { description: 'd' } }),
];

const ACCESS: readonly OwnedBody[] = [
  of(
    'rbac.authorization.k8s.io/v1',
    'Role',
    'roles',
    true,
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    { change: labelled },
  ),
  of(
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
  of(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'clusterroles',
    false,
    { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
    { change: labelled },
  ),
  of(
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
  of(
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    false,
    { spec: { request: REQUEST, signerName: 'example.com/s', usages: ['client auth'] } },
    { change: labelled },
  ),
  of(
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    'flowschemas',
    false,
    {
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: 9000,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'nobody-here' } }],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
          },
        ],
      },
    },
    { change: { spec: { matchingPrecedence: 9001 } } },
  ),
  of(
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    false,
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } } },
    { change: { spec: { limited: { nominalConcurrencyShares: 2 } } }, status: { conditions: [condition] } },
  ),
  of(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    false,
    { webhooks: [{ ...webhook, admissionReviewVersions: ['v1'] }] },
    { change: labelled },
  ),
  of(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    false,
    { webhooks: [{ ...webhook, admissionReviewVersions: ['v1'] }] },
    { change: labelled },
  ),
  of(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    false,
    { spec: { policyName: 'p', validationActions: ['Deny'] } },
    { change: labelled },
  ),
  of(
    'apiregistration.k8s.io/v1',
    'APIService',
    'apiservices',
    false,
    {
      spec: {
        group: 'owned.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { name: 's', namespace: 'none' },
        insecureSkipTLSVerify: true,
      },
    },
    { name: 'v1.owned.example.com', change: { spec: { versionPriority: 11 } } },
  ),
];

const STORAGE: readonly OwnedBody[] = [
  of(
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    false,
    { provisioner: 'example.com/p' },
    { change: { allowVolumeExpansion: true } },
  ),
  of('storage.k8s.io/v1', 'CSIDriver', 'csidrivers', false, { spec: {} }, { change: labelled }),
  of(
    'storage.k8s.io/v1',
    'CSINode',
    'csinodes',
    false,
    { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n', topologyKeys: ['k'] }] } },
    { change: labelled },
  ),
  of(
    'storage.k8s.io/v1',
    'CSIStorageCapacity',
    'csistoragecapacities',
    true,
    { storageClassName: 'x', capacity: '1Gi' },
    { change: { capacity: '2Gi' } },
  ),
  of(
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    false,
    { spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
    { change: labelled, status: { attached: true } },
  ),
  of(
    'storage.k8s.io/v1',
    'VolumeAttributesClass',
    'volumeattributesclasses',
    false,
    { driverName: 'd.example.com', parameters: { a: 'b' } },
    { change: labelled },
  ),
  of(
    'resource.k8s.io/v1',
    'DeviceClass',
    'deviceclasses',
    false,
    { spec: { selectors: [{ cel: { expression: 'device.driver == "x"' } }] } },
    { change: labelled },
  ),
  of(
    'resource.k8s.io/v1',
    'ResourceClaim',
    'resourceclaims',
    true,
    { spec: { devices: { requests } } },
    { change: labelled },
  ),
  of(
    'resource.k8s.io/v1',
    'ResourceClaimTemplate',
    'resourceclaimtemplates',
    true,
    { spec: { spec: { devices: { requests } } } },
    { change: labelled },
  ),
  of(
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

export const OWNED_BODIES: readonly OwnedBody[] = [...CORE, ...WORKLOADS, ...NETWORKING, ...ACCESS, ...STORAGE];

function of(
  apiVersion: string,
  kind: string,
  plural: string,
  namespaced: boolean,
  body: object,
  rest: Pick<OwnedBody, 'change' | 'name' | 'scale' | 'status'>,
): OwnedBody {
  return { apiVersion, kind, plural, namespaced, body, ...rest };
}
