/** Validates the containers of a pod. */

import { type FieldError, fieldDuplicate, fieldForbidden, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { checkPortName, oneOf, requiredLabel, validatePortNumber } from '../../validation/value-rules.ts';
import { validateContainerClaims } from '../pods/pod-claim-rules.ts';
import { validateResourceRequirements } from '../pods/resource-requirements.ts';
import { validateSecurityContext } from '../pods/security-context-rules.ts';
import { validateDevices } from './container-device-rules.ts';
import { validateEnv, validateEnvFrom } from './container-env-rules.ts';
import { validateMounts } from './container-mount-rules.ts';
import { validateProbes } from './container-probe-rules.ts';
import { validateResize, validateRestart, validateSidecar } from './container-restart-rules.ts';

type Errors = readonly FieldError[];

/** The parts of a pod that its containers refer to. */
export interface Surroundings {
  /** The names of the volumes that they may mount. */
  readonly volumes: ReadonlySet<string>;
  /** The names of the claims whose devices they may use. */
  readonly claims: ReadonlySet<string>;
  /** `hostUsers` of the pod. */
  readonly hostUsers: boolean;
  /** The volumes that can be block devices. */
  readonly claimed: ReadonlySet<string>;
  /** The restart policy of the pod. */
  readonly restartPolicy: string;
  /** The termination grace period of the pod, in seconds. */
  readonly gracePeriod: number;
}

/** The rules for the containers of a pod at `field`. */
export function validateContainers(value: unknown, surroundings: Surroundings, field: string): Errors {
  const containers = recordsOf(value);
  if (containers.length === 0) return [fieldRequired(field)];
  return [
    ...itemErrors(containers, containerCheck(surroundings, new Set(), field)),
    ...itemErrors(containers, lifeCheck(surroundings, field)),
    ...validateHostPorts(containers, field),
  ];
}

type ContainerCheck = (container: JsonRecord, index: number) => Errors;

function lifeCheck({ gracePeriod }: Surroundings, field: string): ContainerCheck {
  return (container, index) => [
    ...validateRestart(container, `${field}[${index}]`),
    ...validateProbes(container, gracePeriod, `${field}[${index}]`),
  ];
}

/** The rules for init containers; `taken` are the names of the other containers. */
export function validateInitContainers(
  value: unknown,
  surroundings: Surroundings,
  taken: readonly string[],
  field: string,
): Errors {
  const containers = recordsOf(value);
  return [
    ...itemErrors(containers, containerCheck(surroundings, new Set(taken), field)),
    ...itemErrors(containers, (container, index) => validateSidecar(container, `${field}[${index}]`)),
    ...itemErrors(containers, (container, index) => {
      if (container['restartPolicy'] === 'Always')
        return validateProbes(container, surroundings.gracePeriod, `${field}[${index}]`);
      return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
        .filter((name) => container[name] !== undefined)
        .map((name) =>
          fieldForbidden(
            `${field}[${index}].${name}`,
            'may not be set for init containers without restartPolicy=Always',
          ),
        );
    }),
  ];
}

/** The rules for each container; `seen` are the names in front of it. */
function containerCheck(surroundings: Surroundings, seen: Set<string>, field: string): ContainerCheck {
  return (container, index) => {
    const place = `${field}[${index}]`;
    const name = textOf(container['name']);
    const errors = validateContainer(container, surroundings, place);
    const twice = name !== '' && seen.has(name) ? [fieldDuplicate(`${place}.name`, name)] : [];
    seen.add(name);
    return [...errors, ...twice];
  };
}

/** The rules for one container. */
export function validateContainer(container: JsonRecord, surroundings: Surroundings, field: string): Errors {
  const { volumes, claims, hostUsers } = surroundings;
  return [
    ...requiredLabel(container['name'], `${field}.name`),
    ...(textOf(container['image']) === '' ? [fieldRequired(`${field}.image`)] : []),
    ...oneOf(
      container['terminationMessagePolicy'],
      ['File', 'FallbackToLogsOnError'],
      `${field}.terminationMessagePolicy`,
    ),
    ...validatePorts(container['ports'], `${field}.ports`),
    ...validateEnv(container['env'], `${field}.env`),
    ...validateEnvFrom(container['envFrom'], `${field}.envFrom`),
    ...validateMounts(container, volumes, `${field}.volumeMounts`),
    ...validateDevices(container, surroundings, `${field}.volumeDevices`),
    ...oneOf(container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never'], `${field}.imagePullPolicy`),
    ...validateResourceRequirements(recordOf(container['resources']), `${field}.resources`),
    ...validateContainerClaims(container, claims, field),
    ...validateResize(container['resizePolicy'], surroundings.restartPolicy, `${field}.resizePolicy`),
    ...validateSecurityContext(container['securityContext'], hostUsers, `${field}.securityContext`),
  ];
}

function validatePorts(value: unknown, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (port, index) => {
    const place = `${field}[${index}]`;
    const name = textOf(port['name']);
    const complaints = name === '' ? [] : checkPortName(name);
    const twice = name !== '' && complaints.length === 0 && seen.has(name);
    seen.add(name);
    const { containerPort, hostPort } = port;
    return [
      ...complaints.map((complaint) => fieldInvalid(`${place}.name`, name, complaint)),
      ...(twice ? [fieldDuplicate(`${place}.name`, name)] : []),
      ...(numberOf(containerPort) === 0
        ? [fieldRequired(`${place}.containerPort`)]
        : validatePortNumber(numberOf(containerPort), `${place}.containerPort`)),
      ...(numberOf(hostPort) === 0 ? [] : validatePortNumber(numberOf(hostPort), `${place}.hostPort`)),
      ...oneOf(port['protocol'], ['SCTP', 'TCP', 'UDP'], `${place}.protocol`),
    ];
  });
}

function validateHostPorts(containers: readonly JsonRecord[], field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(containers, (container, index) =>
    itemErrors(recordsOf(container['ports']), (port, portIndex) => {
      if (numberOf(port['hostPort']) === 0) return [];
      const use = `${textOf(port['protocol'])}/${textOf(port['hostIP'])}/${numberOf(port['hostPort'])}`;
      if (seen.has(use)) return [fieldDuplicate(`${field}[${index}].ports[${portIndex}].hostPort`, use)];
      seen.add(use);
      return [];
    }),
  );
}
