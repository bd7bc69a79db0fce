/** The shape of what a pod is asked to be. */
import {
  APP_ARMOR_PROFILE,
  CONTAINER,
  EPHEMERAL_CONTAINER,
  RESOURCE_REQUIREMENTS,
  SE_LINUX_OPTIONS,
  SECCOMP_PROFILE,
  WINDOWS_SECURITY_CONTEXT_OPTIONS,
} from './container-shape.ts';
import { LABEL_SELECTOR, OBJECT_META } from './object-meta-shape.ts';
import { LOCAL_OBJECT_REFERENCE, NODE_SELECTOR, NODE_SELECTOR_TERM, TOLERATION } from './reference-shape.ts';
import { list, map, type StructShape, struct } from './shape.ts';
import { VOLUME } from './volume-shape.ts';

const SYSCTL: StructShape = struct('Sysctl', {
  name: 'string!',
  value: 'string!',
});

const POD_SECURITY_CONTEXT: StructShape = struct('PodSecurityContext', {
  seLinuxOptions: SE_LINUX_OPTIONS,
  'windowsOptions=8': WINDOWS_SECURITY_CONTEXT_OPTIONS,
  'runAsUser=2': '*int64',
  'runAsGroup=6': '*int64',
  'runAsNonRoot=3': '*bool',
  supplementalGroups: list('int64'),
  'supplementalGroupsPolicy=12': '*string',
  'fsGroup=5': '*int64',
  'sysctls=7': list(SYSCTL),
  'fsGroupChangePolicy=9': '*string',
  seccompProfile: SECCOMP_PROFILE,
  appArmorProfile: APP_ARMOR_PROFILE,
  'seLinuxChangePolicy=13': '*string',
});

const PREFERRED_SCHEDULING_TERM: StructShape = struct('PreferredSchedulingTerm', {
  weight: 'int32!',
  preference: { ...NODE_SELECTOR_TERM, always: true },
});

const NODE_AFFINITY: StructShape = struct('NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: NODE_SELECTOR,
  preferredDuringSchedulingIgnoredDuringExecution: list(PREFERRED_SCHEDULING_TERM),
});

const POD_AFFINITY_TERM: StructShape = struct('PodAffinityTerm', {
  labelSelector: LABEL_SELECTOR,
  namespaces: list('string'),
  topologyKey: 'string!',
  namespaceSelector: LABEL_SELECTOR,
  matchLabelKeys: list('string'),
  mismatchLabelKeys: list('string'),
});

const WEIGHTED_POD_AFFINITY_TERM: StructShape = struct('WeightedPodAffinityTerm', {
  weight: 'int32!',
  podAffinityTerm: { ...POD_AFFINITY_TERM, always: true },
});

const POD_AFFINITY: StructShape = struct('PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: list(POD_AFFINITY_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: list(WEIGHTED_POD_AFFINITY_TERM),
});

const POD_ANTI_AFFINITY: StructShape = struct('PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: list(POD_AFFINITY_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: list(WEIGHTED_POD_AFFINITY_TERM),
});

const AFFINITY: StructShape = struct('Affinity', {
  nodeAffinity: NODE_AFFINITY,
  podAffinity: POD_AFFINITY,
  podAntiAffinity: POD_ANTI_AFFINITY,
});

const HOST_ALIAS: StructShape = struct('HostAlias', {
  ip: 'string!',
  hostnames: list('string'),
});

const POD_DNS_CONFIG_OPTION: StructShape = struct('PodDNSConfigOption', {
  name: 'string',
  value: '*string',
});

const POD_DNS_CONFIG: StructShape = struct('PodDNSConfig', {
  nameservers: list('string'),
  searches: list('string'),
  options: list(POD_DNS_CONFIG_OPTION),
});

const POD_READINESS_GATE: StructShape = struct('PodReadinessGate', {
  conditionType: 'string!',
});

const TOPOLOGY_SPREAD_CONSTRAINT: StructShape = struct('TopologySpreadConstraint', {
  maxSkew: 'int32!',
  topologyKey: 'string!',
  whenUnsatisfiable: 'string!',
  labelSelector: LABEL_SELECTOR,
  minDomains: '*int32',
  nodeAffinityPolicy: '*string',
  nodeTaintsPolicy: '*string',
  matchLabelKeys: list('string'),
});

const POD_OS: StructShape = struct('PodOS', {
  name: 'string!',
});

const POD_SCHEDULING_GATE: StructShape = struct('PodSchedulingGate', {
  name: 'string!',
});

const POD_RESOURCE_CLAIM: StructShape = struct('PodResourceClaim', {
  name: 'string!',
  'resourceClaimName=3': '*string',
  resourceClaimTemplateName: '*string',
});

const POD_SCHEDULING_GROUP: StructShape = struct('PodSchedulingGroup', {
  podGroupName: '*string',
});

/** A container with its defaults and without a name takes this much JSON. */
const CONTAINER_BYTES = 130;

/** The shape of a PodSpec. */
export const POD_SPEC: StructShape = struct('PodSpec', {
  volumes: list(VOLUME, { mergeKey: 'name', retainKeys: true, itemBytes: 21 }),
  'initContainers=20': list(CONTAINER, { mergeKey: 'name', itemBytes: CONTAINER_BYTES }),
  'containers=2': list(CONTAINER, { mergeKey: 'name', always: true, itemBytes: CONTAINER_BYTES }),
  'ephemeralContainers=34': list(EPHEMERAL_CONTAINER, { mergeKey: 'name', itemBytes: CONTAINER_BYTES }),
  'restartPolicy=3': 'string',
  terminationGracePeriodSeconds: '*int64',
  activeDeadlineSeconds: '*int64',
  dnsPolicy: 'string',
  nodeSelector: map('string'),
  serviceAccountName: 'string',
  serviceAccount: 'string',
  'automountServiceAccountToken=21': '*bool',
  'nodeName=10': 'string',
  hostNetwork: 'bool',
  hostPID: 'bool',
  hostIPC: 'bool',
  'shareProcessNamespace=27': '*bool',
  'securityContext=14': POD_SECURITY_CONTEXT,
  imagePullSecrets: list(LOCAL_OBJECT_REFERENCE, { mergeKey: 'name' }),
  hostname: 'string',
  subdomain: 'string',
  affinity: AFFINITY,
  schedulerName: 'string',
  'tolerations=22': list(TOLERATION),
  hostAliases: list(HOST_ALIAS, { mergeKey: 'ip' }),
  priorityClassName: 'string',
  priority: '*int32',
  dnsConfig: POD_DNS_CONFIG,
  'readinessGates=28': list(POD_READINESS_GATE),
  runtimeClassName: '*string',
  enableServiceLinks: '*bool',
  preemptionPolicy: '*string',
  overhead: map('quantity'),
  topologySpreadConstraints: list(TOPOLOGY_SPREAD_CONSTRAINT, { mergeKey: 'topologyKey' }),
  'setHostnameAsFQDN=35': '*bool',
  os: POD_OS,
  hostUsers: '*bool',
  schedulingGates: list(POD_SCHEDULING_GATE, { mergeKey: 'name' }),
  resourceClaims: list(POD_RESOURCE_CLAIM, { mergeKey: 'name', retainKeys: true }),
  resources: RESOURCE_REQUIREMENTS,
  hostnameOverride: '*string',
  'schedulingGroup=43': POD_SCHEDULING_GROUP,
});

/** The shape of a PodTemplateSpec. */
export const POD_TEMPLATE_SPEC: StructShape = struct('PodTemplateSpec', {
  metadata: { ...OBJECT_META, always: true },
  spec: { ...POD_SPEC, always: true },
});
