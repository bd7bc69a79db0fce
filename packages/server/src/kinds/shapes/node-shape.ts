/** The shapes of what a node is asked to be and is. */
import { list, map, type StructShape, struct } from './shape.ts';

const TAINT: StructShape = struct('Taint', {
  key: 'string!',
  value: 'string',
  effect: 'string!',
  timeAdded: '*time',
});

const CONFIG_MAP_NODE_CONFIG_SOURCE: StructShape = struct('ConfigMapNodeConfigSource', {
  namespace: 'string!',
  name: 'string!',
  uid: 'string',
  resourceVersion: 'string',
  kubeletConfigKey: 'string!',
});

const NODE_CONFIG_SOURCE: StructShape = struct('NodeConfigSource', {
  'configMap=2': CONFIG_MAP_NODE_CONFIG_SOURCE,
});

/** The shape of a NodeSpec. */
export const NODE_SPEC: StructShape = struct('NodeSpec', {
  podCIDR: 'string',
  'podCIDRs=7': list('string', { merge: true }),
  'providerID=3': 'string',
  unschedulable: 'bool',
  taints: list(TAINT),
  configSource: NODE_CONFIG_SOURCE,
  'externalID=2': 'string',
});

const NODE_CONDITION: StructShape = struct('NodeCondition', {
  type: 'string!',
  status: 'string!',
  lastHeartbeatTime: 'time!',
  lastTransitionTime: 'time!',
  reason: 'string',
  message: 'string',
});

const NODE_ADDRESS: StructShape = struct('NodeAddress', {
  type: 'string!',
  address: 'string!',
});

const DAEMON_ENDPOINT: StructShape = struct('DaemonEndpoint', {
  Port: 'int32!',
});

const NODE_DAEMON_ENDPOINTS: StructShape = struct('NodeDaemonEndpoints', {
  kubeletEndpoint: { ...DAEMON_ENDPOINT, always: true },
});

const NODE_SWAP_STATUS: StructShape = struct('NodeSwapStatus', {
  capacity: '*int64',
});

const NODE_SYSTEM_INFO: StructShape = struct('NodeSystemInfo', {
  machineID: 'string!',
  systemUUID: 'string!',
  bootID: 'string!',
  kernelVersion: 'string!',
  osImage: 'string!',
  containerRuntimeVersion: 'string!',
  kubeletVersion: 'string!',
  kubeProxyVersion: 'string!',
  operatingSystem: 'string!',
  architecture: 'string!',
  swap: NODE_SWAP_STATUS,
});

const CONTAINER_IMAGE: StructShape = struct('ContainerImage', {
  names: list('string', { always: true }),
  sizeBytes: 'int64',
});

const ATTACHED_VOLUME: StructShape = struct('AttachedVolume', {
  name: 'string!',
  devicePath: 'string!',
});

const NODE_CONFIG_STATUS: StructShape = struct('NodeConfigStatus', {
  assigned: NODE_CONFIG_SOURCE,
  active: NODE_CONFIG_SOURCE,
  lastKnownGood: NODE_CONFIG_SOURCE,
  error: 'string',
});

const NODE_RUNTIME_HANDLER_FEATURES: StructShape = struct('NodeRuntimeHandlerFeatures', {
  recursiveReadOnlyMounts: '*bool',
  userNamespaces: '*bool',
});

const NODE_RUNTIME_HANDLER: StructShape = struct('NodeRuntimeHandler', {
  name: 'string!',
  features: NODE_RUNTIME_HANDLER_FEATURES,
});

const NODE_FEATURES: StructShape = struct('NodeFeatures', {
  supplementalGroupsPolicy: '*bool',
});

/** The shape of a NodeStatus. */
export const NODE_STATUS: StructShape = struct('NodeStatus', {
  capacity: map('quantity'),
  allocatable: map('quantity'),
  phase: 'string',
  conditions: list(NODE_CONDITION, { mergeKey: 'type' }),
  addresses: list(NODE_ADDRESS, { mergeKey: 'type' }),
  daemonEndpoints: { ...NODE_DAEMON_ENDPOINTS, always: true },
  nodeInfo: { ...NODE_SYSTEM_INFO, always: true },
  images: list(CONTAINER_IMAGE),
  volumesInUse: list('string'),
  volumesAttached: list(ATTACHED_VOLUME),
  config: NODE_CONFIG_STATUS,
  runtimeHandlers: list(NODE_RUNTIME_HANDLER),
  features: NODE_FEATURES,
  declaredFeatures: list('string'),
});
