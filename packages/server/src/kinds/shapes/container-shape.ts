/** The shapes of the containers of a pod. */
import {
  CONFIG_MAP_KEY_SELECTOR,
  OBJECT_FIELD_SELECTOR,
  RESOURCE_FIELD_SELECTOR,
  SECRET_KEY_SELECTOR,
} from './reference-shape.ts';
import { list, map, type StructShape, struct } from './shape.ts';

const CONTAINER_PORT: StructShape = struct('ContainerPort', {
  name: 'string',
  hostPort: 'int32',
  containerPort: 'int32!',
  protocol: 'string',
  hostIP: 'string',
});

const CONFIG_MAP_ENV_SOURCE: StructShape = struct('ConfigMapEnvSource', {
  'name=1.1': 'string',
  'optional=2': '*bool',
});

const SECRET_ENV_SOURCE: StructShape = struct('SecretEnvSource', {
  'name=1.1': 'string',
  'optional=2': '*bool',
});

const ENV_FROM_SOURCE: StructShape = struct('EnvFromSource', {
  prefix: 'string',
  configMapRef: CONFIG_MAP_ENV_SOURCE,
  secretRef: SECRET_ENV_SOURCE,
});

const FILE_KEY_SELECTOR: StructShape = struct('FileKeySelector', {
  volumeName: 'string!',
  path: 'string!',
  key: 'string!',
  optional: '*bool',
});

const ENV_VAR_SOURCE: StructShape = struct('EnvVarSource', {
  fieldRef: OBJECT_FIELD_SELECTOR,
  resourceFieldRef: RESOURCE_FIELD_SELECTOR,
  configMapKeyRef: CONFIG_MAP_KEY_SELECTOR,
  secretKeyRef: SECRET_KEY_SELECTOR,
  fileKeyRef: FILE_KEY_SELECTOR,
});

const ENV_VAR: StructShape = struct('EnvVar', {
  name: 'string!',
  value: 'string',
  valueFrom: ENV_VAR_SOURCE,
});

const RESOURCE_CLAIM: StructShape = struct('ResourceClaim', {
  name: 'string!',
  request: 'string',
});

/** The shape of a ResourceRequirements. */
export const RESOURCE_REQUIREMENTS: StructShape = struct('ResourceRequirements', {
  limits: map('quantity'),
  requests: map('quantity'),
  claims: list(RESOURCE_CLAIM),
});

const CONTAINER_RESIZE_POLICY: StructShape = struct('ContainerResizePolicy', {
  resourceName: 'string!',
  restartPolicy: 'string!',
});

const CONTAINER_RESTART_RULE_ON_EXIT_CODES: StructShape = struct('ContainerRestartRuleOnExitCodes', {
  operator: 'string',
  values: list('int32'),
});

const CONTAINER_RESTART_RULE: StructShape = struct('ContainerRestartRule', {
  action: 'string',
  exitCodes: CONTAINER_RESTART_RULE_ON_EXIT_CODES,
});

const VOLUME_MOUNT: StructShape = struct('VolumeMount', {
  name: 'string!',
  readOnly: 'bool',
  'recursiveReadOnly=7': '*string',
  'mountPath=3': 'string!',
  subPath: 'string',
  mountPropagation: '*string',
  subPathExpr: 'string',
});

const VOLUME_DEVICE: StructShape = struct('VolumeDevice', {
  name: 'string!',
  devicePath: 'string!',
});

const EXEC_ACTION: StructShape = struct('ExecAction', {
  command: list('string'),
});

const HTTP_HEADER: StructShape = struct('HTTPHeader', {
  name: 'string!',
  value: 'string!',
});

const HTTP_GET_ACTION: StructShape = struct('HTTPGetAction', {
  path: 'string',
  port: 'intOrString!',
  host: 'string',
  scheme: 'string',
  httpHeaders: list(HTTP_HEADER),
});

const TCP_SOCKET_ACTION: StructShape = struct('TCPSocketAction', {
  port: 'intOrString!',
  host: 'string',
});

const GRPC_ACTION: StructShape = struct('GRPCAction', {
  port: 'int32!',
  service: '*string',
});

const PROBE: StructShape = struct('Probe', {
  'exec=1.1': EXEC_ACTION,
  httpGet: HTTP_GET_ACTION,
  tcpSocket: TCP_SOCKET_ACTION,
  grpc: GRPC_ACTION,
  'initialDelaySeconds=2': 'int32',
  timeoutSeconds: 'int32',
  periodSeconds: 'int32',
  successThreshold: 'int32',
  failureThreshold: 'int32',
  terminationGracePeriodSeconds: '*int64',
});

const SLEEP_ACTION: StructShape = struct('SleepAction', {
  seconds: 'int64!',
});

const LIFECYCLE_HANDLER: StructShape = struct('LifecycleHandler', {
  exec: EXEC_ACTION,
  httpGet: HTTP_GET_ACTION,
  tcpSocket: TCP_SOCKET_ACTION,
  sleep: SLEEP_ACTION,
});

const LIFECYCLE: StructShape = struct('Lifecycle', {
  postStart: LIFECYCLE_HANDLER,
  preStop: LIFECYCLE_HANDLER,
  stopSignal: '*string',
});

const CAPABILITIES: StructShape = struct('Capabilities', {
  add: list('string'),
  drop: list('string'),
});

/** The shape of a SELinuxOptions. */
export const SE_LINUX_OPTIONS: StructShape = struct('SELinuxOptions', {
  user: 'string',
  role: 'string',
  type: 'string',
  level: 'string',
});

/** The shape of a WindowsSecurityContextOptions. */
export const WINDOWS_SECURITY_CONTEXT_OPTIONS: StructShape = struct('WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: '*string',
  gmsaCredentialSpec: '*string',
  runAsUserName: '*string',
  hostProcess: '*bool',
});

/** The shape of a SeccompProfile. */
export const SECCOMP_PROFILE: StructShape = struct('SeccompProfile', {
  type: 'string!',
  localhostProfile: '*string',
});

/** The shape of an AppArmorProfile. */
export const APP_ARMOR_PROFILE: StructShape = struct('AppArmorProfile', {
  type: 'string!',
  localhostProfile: '*string',
});

const SECURITY_CONTEXT: StructShape = struct('SecurityContext', {
  capabilities: CAPABILITIES,
  privileged: '*bool',
  seLinuxOptions: SE_LINUX_OPTIONS,
  'windowsOptions=10': WINDOWS_SECURITY_CONTEXT_OPTIONS,
  'runAsUser=4': '*int64',
  'runAsGroup=8': '*int64',
  'runAsNonRoot=5': '*bool',
  readOnlyRootFilesystem: '*bool',
  allowPrivilegeEscalation: '*bool',
  'procMount=9': '*string',
  'seccompProfile=11': SECCOMP_PROFILE,
  appArmorProfile: APP_ARMOR_PROFILE,
});

/** What every container has. */
const CONTAINER_FIELDS = {
  'name=1': 'string!',
  image: 'string',
  command: list('string'),
  args: list('string'),
  workingDir: 'string',
  ports: list(CONTAINER_PORT, { mergeKey: 'containerPort', itemBytes: 36 }),
  'envFrom=19': list(ENV_FROM_SOURCE),
  'env=7': list(ENV_VAR, { mergeKey: 'name' }),
  resources: { ...RESOURCE_REQUIREMENTS, always: true },
  'resizePolicy=23': list(CONTAINER_RESIZE_POLICY),
  restartPolicy: '*string',
  restartPolicyRules: list(CONTAINER_RESTART_RULE),
  'volumeMounts=9': list(VOLUME_MOUNT, { mergeKey: 'mountPath' }),
  'volumeDevices=21': list(VOLUME_DEVICE, { mergeKey: 'devicePath' }),
  'livenessProbe=10': PROBE,
  readinessProbe: PROBE,
  'startupProbe=22': PROBE,
  'lifecycle=12': LIFECYCLE,
  terminationMessagePath: 'string',
  'terminationMessagePolicy=20': 'string',
  'imagePullPolicy=14': 'string',
  securityContext: SECURITY_CONTEXT,
  stdin: 'bool',
  stdinOnce: 'bool',
  tty: 'bool',
} as const;

/** The shape of a Container. */
export const CONTAINER: StructShape = struct('Container', CONTAINER_FIELDS);

/** In protobuf what the two have in common is a message of its own in the second: `env=7` is `env=1.7` there. */
const COMMON_FIELDS = Object.fromEntries(
  Object.entries(CONTAINER_FIELDS).map(([field, shape]) => [field.replace('=', '=1.'), shape]),
);

/** The shape of an EphemeralContainer. */
export const EPHEMERAL_CONTAINER: StructShape = struct('EphemeralContainer', {
  ...COMMON_FIELDS,
  'targetContainerName=2': 'string',
});
