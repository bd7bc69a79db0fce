/** Validates the containers of a pod. */

import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '../../json/json-value.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { checkPortName, oneOf, requiredLabel, validatePortNumber } from '../../validation/value-rules.ts';
import { validateEnv, validateEnvFrom } from './container-env-rules.ts';
import { validateProbes } from './container-probe-rules.ts';
import { validateResourceRequirements } from './resource-requirements.ts';

type Errors = readonly FieldError[];

/** The rules for the containers of a pod at `field`; `volumes` are the names that they may mount. */
export function validateContainers(value: unknown, volumes: ReadonlySet<string>, field: string): Errors {
  const containers = recordsOf(value);
  if (containers.length === 0) return [fieldRequired(field)];
  return [
    ...eachContainer(containers, volumes, new Set(), field),
    ...itemErrors(containers, (container, index) => validateProbes(container, `${field}[${index}]`)),
    ...validateHostPorts(containers, field),
  ];
}

/** The rules for init containers; `taken` are the names of the other containers. */
export function validateInitContainers(
  value: unknown,
  volumes: ReadonlySet<string>,
  taken: readonly string[],
  field: string,
): Errors {
  const containers = recordsOf(value);
  return [
    ...eachContainer(containers, volumes, new Set(taken), field),
    ...itemErrors(containers, (container, index) => {
      if (container['restartPolicy'] === 'Always') return validateProbes(container, `${field}[${index}]`);
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

function eachContainer(
  containers: readonly JsonRecord[],
  volumes: ReadonlySet<string>,
  seen: Set<string>,
  field: string,
): Errors {
  return itemErrors(containers, (container, index) => {
    const place = `${field}[${index}]`;
    const name = textOf(container['name']);
    const twice = name !== '' && seen.has(name) ? [fieldDuplicate(`${place}.name`, name)] : [];
    seen.add(name);
    return [...validateContainer(container, volumes, place), ...twice];
  });
}

/** The rules for one container. */
export function validateContainer(container: JsonRecord, volumes: ReadonlySet<string>, field: string): Errors {
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
    ...validateMounts(container['volumeMounts'], volumes, `${field}.volumeMounts`),
    ...oneOf(container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never'], `${field}.imagePullPolicy`),
    ...validateResourceRequirements(recordOf(container['resources']), `${field}.resources`),
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

function validateMounts(value: unknown, volumes: ReadonlySet<string>, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (mount, index) => {
    const place = `${field}[${index}]`;
    const name = textOf(mount['name']);
    const path = textOf(mount['mountPath']);
    const twice = seen.has(path) ? [fieldInvalid(`${place}.mountPath`, path, 'must be unique')] : [];
    const subPath = textOf(mount['subPath']);
    seen.add(path);
    return [
      ...(name === '' ? [fieldRequired(`${place}.name`)] : []),
      ...(volumes.has(name) ? [] : [fieldNotFound(`${place}.name`, name)]),
      ...(path === '' ? [fieldRequired(`${place}.mountPath`)] : []),
      ...twice,
      ...(subPath.split('/').includes('..')
        ? [fieldInvalid(`${field}.subPath`, subPath, "must not contain '..'")]
        : []),
    ];
  });
}
