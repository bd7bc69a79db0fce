/** The shape of what a pod is. */
import { RESOURCE_REQUIREMENTS } from './container-shape.ts';
import { list, map, type StructShape, struct } from './shape.ts';

const POD_CONDITION: StructShape = struct('PodCondition', {
  type: 'string!',
  'observedGeneration=7': 'int64',
  'status=2': 'string!',
  lastProbeTime: 'time!',
  lastTransitionTime: 'time!',
  reason: 'string',
  message: 'string',
});

const HOST_IP: StructShape = struct('HostIP', {
  ip: 'string!',
});

const POD_IP: StructShape = struct('PodIP', {
  ip: 'string!',
});

const CONTAINER_STATE_WAITING: StructShape = struct('ContainerStateWaiting', {
  reason: 'string',
  message: 'string',
});

const CONTAINER_STATE_RUNNING: StructShape = struct('ContainerStateRunning', {
  startedAt: 'time!',
});

const CONTAINER_STATE_TERMINATED: StructShape = struct('ContainerStateTerminated', {
  exitCode: 'int32!',
  signal: 'int32',
  reason: 'string',
  message: 'string',
  startedAt: 'time!',
  finishedAt: 'time!',
  containerID: 'string',
});

const CONTAINER_STATE: StructShape = struct('ContainerState', {
  waiting: CONTAINER_STATE_WAITING,
  running: CONTAINER_STATE_RUNNING,
  terminated: CONTAINER_STATE_TERMINATED,
});

const IMAGE_VOLUME_STATUS: StructShape = struct('ImageVolumeStatus', {
  imageRef: 'string',
});

const VOLUME_STATUS: StructShape = struct('VolumeStatus', {
  image: IMAGE_VOLUME_STATUS,
});

const VOLUME_MOUNT_STATUS: StructShape = struct('VolumeMountStatus', {
  name: 'string!',
  mountPath: 'string!',
  readOnly: 'bool',
  recursiveReadOnly: '*string',
  volumeStatus: VOLUME_STATUS,
});

const LINUX_CONTAINER_USER: StructShape = struct('LinuxContainerUser', {
  uid: 'int64!',
  gid: 'int64!',
  supplementalGroups: list('int64'),
});

const CONTAINER_USER: StructShape = struct('ContainerUser', {
  linux: LINUX_CONTAINER_USER,
});

const RESOURCE_HEALTH: StructShape = struct('ResourceHealth', {
  resourceID: 'string!',
  health: 'string',
  'message=6': '*string',
});

const RESOURCE_STATUS: StructShape = struct('ResourceStatus', {
  name: 'string!',
  resources: list(RESOURCE_HEALTH),
});

const CONTAINER_STATUS: StructShape = struct('ContainerStatus', {
  name: 'string!',
  state: { ...CONTAINER_STATE, always: true },
  lastState: { ...CONTAINER_STATE, always: true },
  ready: 'bool!',
  restartCount: 'int32!',
  image: 'string!',
  imageID: 'string!',
  containerID: 'string',
  started: '*bool',
  allocatedResources: map('quantity'),
  resources: RESOURCE_REQUIREMENTS,
  volumeMounts: list(VOLUME_MOUNT_STATUS, { mergeKey: 'mountPath' }),
  user: CONTAINER_USER,
  allocatedResourcesStatus: list(RESOURCE_STATUS, { mergeKey: 'name' }),
  stopSignal: '*string',
});

const POD_RESOURCE_CLAIM_STATUS: StructShape = struct('PodResourceClaimStatus', {
  name: 'string!',
  resourceClaimName: '*string',
});

const CONTAINER_EXTENDED_RESOURCE_REQUEST: StructShape = struct('ContainerExtendedResourceRequest', {
  containerName: 'string!',
  resourceName: 'string!',
  requestName: 'string!',
});

const POD_EXTENDED_RESOURCE_CLAIM_STATUS: StructShape = struct('PodExtendedResourceClaimStatus', {
  requestMappings: list(CONTAINER_EXTENDED_RESOURCE_REQUEST, { always: true }),
  resourceClaimName: 'string!',
});

const NODE_ALLOCATABLE_RESOURCE_CLAIM_STATUS: StructShape = struct('NodeAllocatableResourceClaimStatus', {
  resourceClaimName: 'string!',
  containers: list('string'),
  resources: map('quantity'),
});

/** The shape of a PodStatus. */
export const POD_STATUS: StructShape = struct('PodStatus', {
  'observedGeneration=17': 'int64',
  'phase=1': 'string',
  conditions: list(POD_CONDITION, { mergeKey: 'type' }),
  message: 'string',
  reason: 'string',
  'nominatedNodeName=11': 'string',
  'hostIP=5': 'string',
  'hostIPs=16': list(HOST_IP, { mergeKey: 'ip' }),
  'podIP=6': 'string',
  'podIPs=12': list(POD_IP, { mergeKey: 'ip' }),
  'startTime=7': '*time',
  'initContainerStatuses=10': list(CONTAINER_STATUS),
  'containerStatuses=8': list(CONTAINER_STATUS),
  qosClass: 'string',
  'ephemeralContainerStatuses=13': list(CONTAINER_STATUS),
  resize: 'string',
  resourceClaimStatuses: list(POD_RESOURCE_CLAIM_STATUS, { mergeKey: 'name', retainKeys: true }),
  'extendedResourceClaimStatus=18': POD_EXTENDED_RESOURCE_CLAIM_STATUS,
  allocatedResources: map('quantity'),
  resources: RESOURCE_REQUIREMENTS,
  nodeAllocatableResourceClaimStatuses: list(NODE_ALLOCATABLE_RESOURCE_CLAIM_STATUS),
});
