/** The spec of a Pod with nearly every field, and a template with it. */

const probe = {
  httpGet: { path: '/', port: 'http', host: 'h', scheme: 'HTTPS', httpHeaders: [{ name: 'X-A', value: 'b' }] },
  initialDelaySeconds: 1,
  timeoutSeconds: 2,
  periodSeconds: 3,
  successThreshold: 1,
  failureThreshold: 4,
};

const securityContext = {
  capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
  seLinuxOptions: { level: 's0:c1,c2', user: 'u', role: 'r', type: 't' },
  runAsUser: 1000,
  runAsGroup: 1000,
  runAsNonRoot: true,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  procMount: 'Default',
  seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' },
  appArmorProfile: { type: 'RuntimeDefault' },
};

const container = {
  name: 'c',
  image: 'registry.example.com/i:1',
  command: ['sh'],
  args: ['-c', '$(A)'],
  workingDir: '/w',
  ports: [
    { name: 'http', containerPort: 80, protocol: 'TCP' },
    { name: 'dns', containerPort: 53, protocol: 'UDP', hostPort: 5353, hostIP: '10.0.0.1' },
  ],
  envFrom: [{ prefix: 'P_', configMapRef: { name: 'm', optional: true } }, { secretRef: { name: 's' } }],
  env: [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom: { configMapKeyRef: { name: 'm', key: 'k', optional: false } } },
    { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    { name: 'D', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'E', valueFrom: { resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' } } },
  ],
  resources: {
    requests: { cpu: '100m', memory: '64Mi', 'example.com/gpu': '1' },
    limits: { cpu: '1', memory: '128Mi', 'example.com/gpu': '1' },
    claims: [{ name: 'claim', request: 'r' }],
  },
  resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
  volumeMounts: [
    { name: 'empty', mountPath: '/v', readOnly: false, subPath: 'a/b', mountPropagation: 'None' },
    { name: 'config', mountPath: '/c', readOnly: true, recursiveReadOnly: 'Disabled' },
    { name: 'host', mountPath: '/h', subPathExpr: '$(A)' },
  ],
  volumeDevices: [{ name: 'claimed', devicePath: '/dev/x' }],
  livenessProbe: { ...probe, terminationGracePeriodSeconds: 5 },
  readinessProbe: { tcpSocket: { port: 80, host: 'h' }, successThreshold: 2 },
  startupProbe: { exec: { command: ['true'] } },
  lifecycle: {
    postStart: { exec: { command: ['a'] } },
    preStop: { sleep: { seconds: 3 } },
  },
  terminationMessagePath: '/t',
  terminationMessagePolicy: 'FallbackToLogsOnError',
  imagePullPolicy: 'Always',
  securityContext,
  stdin: true,
  stdinOnce: true,
  tty: true,
};

const term = {
  labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] },
  namespaces: ['n'],
  topologyKey: 'kubernetes.io/hostname',
  namespaceSelector: { matchLabels: { a: 'b' } },
  matchLabelKeys: ['pod-template-hash'],
};
const weighted = { weight: 10, podAffinityTerm: term };
const podAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: [term],
  preferredDuringSchedulingIgnoredDuringExecution: [weighted],
};

export const RICH_POD_SPEC = {
  volumes: [
    { name: 'empty', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
    {
      name: 'config',
      configMap: { name: 'm', defaultMode: 420, optional: true, items: [{ key: 'k', path: 'p/q', mode: 256 }] },
    },
    {
      name: 'secret',
      secret: { secretName: 's', defaultMode: 256, optional: false, items: [{ key: 'k', path: 'p' }] },
    },
    { name: 'host', hostPath: { path: '/h', type: 'Directory' } },
    { name: 'claimed', persistentVolumeClaim: { claimName: 'c', readOnly: true } },
    {
      name: 'down',
      downwardAPI: { defaultMode: 420, items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' }, mode: 256 }] },
    },
    {
      name: 'projected',
      projected: {
        defaultMode: 420,
        sources: [
          { secret: { name: 's', items: [{ key: 'k', path: 'a' }], optional: true } },
          { configMap: { name: 'm', items: [{ key: 'k', path: 'b' }] } },
          { downwardAPI: { items: [{ path: 'c', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } }] } },
          { serviceAccountToken: { audience: 'a', expirationSeconds: 3600, path: 'd' } },
        ],
      },
    },
    {
      name: 'ephemeral',
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { a: 'b' } },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      },
    },
    {
      name: 'csi',
      csi: {
        driver: 'd.example.com',
        readOnly: true,
        fsType: 'ext4',
        volumeAttributes: { a: 'b' },
        nodePublishSecretRef: { name: 's' },
      },
    },
    { name: 'nfs', nfs: { server: 's', path: '/p', readOnly: true } },
    { name: 'image', image: { reference: 'r', pullPolicy: 'Always' } },
  ],
  initContainers: [
    { name: 'i', image: 'i' },
    { name: 'side', image: 'i', restartPolicy: 'Always', startupProbe: { grpc: { port: 80, service: 's' } } },
  ],
  containers: [container],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 10,
  activeDeadlineSeconds: 100,
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['10.0.0.10'], searches: ['a.b'], options: [{ name: 'ndots', value: '2' }] },
  nodeSelector: { a: 'b' },
  serviceAccountName: 'sa',
  automountServiceAccountToken: false,
  shareProcessNamespace: true,
  securityContext: {
    seLinuxOptions: { level: 's0' },
    runAsUser: 1,
    runAsGroup: 1,
    runAsNonRoot: false,
    supplementalGroups: [1, 2],
    supplementalGroupsPolicy: 'Merge',
    fsGroup: 5,
    sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }],
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
    appArmorProfile: { type: 'Unconfined' },
    seLinuxChangePolicy: 'Recursive',
  },
  imagePullSecrets: [{ name: 'p' }],
  hostname: 'h',
  subdomain: 's',
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [{ key: 'k', operator: 'Gt', values: ['1'] }],
            matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
          },
        ],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: 'k', operator: 'Exists' }] } },
      ],
    },
    podAffinity,
    podAntiAffinity: podAffinity,
  },
  schedulerName: 'mine',
  tolerations: [
    { key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 5 },
    { operator: 'Exists' },
  ],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'b.c'] }],
  readinessGates: [{ conditionType: 'example.com/ready' }],
  enableServiceLinks: false,
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'a' } },
      minDomains: 2,
      nodeAffinityPolicy: 'Ignore',
      nodeTaintsPolicy: 'Honor',
      matchLabelKeys: ['x'],
    },
  ],
  setHostnameAsFQDN: false,
  os: { name: 'linux' },
  schedulingGates: [{ name: 'example.com/gate' }],
  resourceClaims: [{ name: 'claim', resourceClaimName: 'rc' }],
};

const { activeDeadlineSeconds: _, ...templateSpec } = RICH_POD_SPEC;

/** Of a workload whose Pods are started again. */
export const RICH_TEMPLATE = {
  metadata: { labels: { app: 'a' }, annotations: { b: 'c' } },
  spec: templateSpec,
};

/** Small, for kinds that have much else. */
export const SMALL_TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
};

export const RICH_POD_STATUS = {
  phase: 'Running',
  observedGeneration: 1,
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'R',
      message: 'm',
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:00:00Z',
      observedGeneration: 1,
    },
  ],
  message: 'm',
  reason: 'R',
  nominatedNodeName: 'n',
  hostIP: '10.0.0.1',
  hostIPs: [{ ip: '10.0.0.1' }],
  podIP: '10.0.0.2',
  podIPs: [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }],
  startTime: '2026-01-01T00:00:00Z',
  initContainerStatuses: [
    {
      name: 'i',
      image: 'i',
      imageID: 'x',
      ready: true,
      restartCount: 0,
      state: {
        terminated: {
          exitCode: 0,
          reason: 'Completed',
          startedAt: '2026-01-01T00:00:00Z',
          finishedAt: '2026-01-01T00:00:01Z',
          containerID: 'c://1',
        },
      },
    },
  ],
  containerStatuses: [
    {
      name: 'c',
      image: 'i',
      imageID: 'x',
      containerID: 'c://2',
      ready: true,
      started: true,
      restartCount: 2,
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      lastState: { waiting: { reason: 'R', message: 'm' } },
      allocatedResources: { cpu: '1' },
      resources: { requests: { cpu: '1' } },
    },
  ],
  qosClass: 'Burstable',
  resourceClaimStatuses: [{ name: 'claim', resourceClaimName: 'x' }],
};
