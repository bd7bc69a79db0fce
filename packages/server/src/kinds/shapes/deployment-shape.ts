/** The shapes of what a deployment is asked to be and is. */
import { LABEL_SELECTOR } from './object-meta-shape.ts';
import { POD_TEMPLATE_SPEC } from './pod-spec-shape.ts';
import { list, type StructShape, struct } from './shape.ts';

const ROLLING_UPDATE_DEPLOYMENT: StructShape = struct('RollingUpdateDeployment', {
  maxUnavailable: '*intOrString',
  maxSurge: '*intOrString',
});

const DEPLOYMENT_STRATEGY: StructShape = struct('DeploymentStrategy', {
  type: 'string',
  rollingUpdate: ROLLING_UPDATE_DEPLOYMENT,
});

/** The shape of a DeploymentSpec. */
export const DEPLOYMENT_SPEC: StructShape = struct('DeploymentSpec', {
  replicas: '*int32',
  selector: LABEL_SELECTOR,
  template: { ...POD_TEMPLATE_SPEC, always: true },
  strategy: { ...DEPLOYMENT_STRATEGY, always: true, retainKeys: true },
  minReadySeconds: 'int32',
  revisionHistoryLimit: '*int32',
  paused: 'bool',
  'progressDeadlineSeconds=9': '*int32',
});

const DEPLOYMENT_CONDITION: StructShape = struct('DeploymentCondition', {
  type: 'string!',
  status: 'string!',
  'lastUpdateTime=6': 'time!',
  lastTransitionTime: 'time!',
  'reason=4': 'string',
  message: 'string',
});

/** The shape of a DeploymentStatus. */
export const DEPLOYMENT_STATUS: StructShape = struct('DeploymentStatus', {
  observedGeneration: 'int64',
  replicas: 'int32',
  updatedReplicas: 'int32',
  'readyReplicas=7': 'int32',
  'availableReplicas=4': 'int32',
  unavailableReplicas: 'int32',
  'terminatingReplicas=9': '*int32',
  'conditions=6': list(DEPLOYMENT_CONDITION, { mergeKey: 'type' }),
  'collisionCount=8': '*int32',
});
