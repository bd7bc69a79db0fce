/** Deployment: a number of equal pods, and how they are replaced. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { immutable } from '../immutable-field.ts';
import type { KindRules } from '../kind-rules.ts';
import { readSelector } from '../object-selector.ts';
import { defaultPodTemplate } from '../pod-defaults.ts';
import { validatePodTemplate } from '../pod-validation.ts';
import type { KubeObject } from '../resource-definition.ts';
import {
  type JsonRecord,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textEntriesOf,
  textOf,
} from '../shapes/json-value.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../table-column.ts';

type Errors = readonly FieldError[];

const wide = { priority: 1 };

/** The rules of Deployment. */
export const deployment: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Ready', 'How many pods are ready, of how many.'),
      column('Up-to-date', 'How many pods are of the latest template.'),
      column('Available', 'How many pods have been ready for long enough.'),
      AGE_COLUMN,
      column('Containers', 'The names of the containers.', wide),
      column('Images', 'The images of the containers.', wide),
      column('Selector', 'Which pods it counts.', wide),
    ],
    cells,
  },
  applyDefaults: (object) => ({ ...object, spec: defaultSpec(recordOf(object['spec'])) }),
  onCreate: (object) => ({ ...object, status: {} }),
  onUpdate: (object, old) => ({ ...object, status: old['status'] }),
  onStatusUpdate: (object, old) => ({
    ...object,
    metadata: { ...object.metadata, labels: old.metadata.labels ?? {} },
    spec: old['spec'],
  }),
  validate: (object) => [...validateSpec(recordOf(object['spec'])), ...validateStatus(recordOf(object['status']))],
  validateChange: (object, old) =>
    immutable('spec.selector', recordOf(object['spec'])['selector'], recordOf(old['spec'])['selector']),
  strategy: {
    raisesGeneration: (object, old) =>
      !sameJson(object['spec'], old['spec']) || !sameJson(object.metadata.annotations, old.metadata.annotations),
  },
};

function defaultSpec(spec: JsonRecord): JsonRecord {
  const strategy = recordOf(spec['strategy']);
  const type = textOf(strategy['type']) || 'RollingUpdate';
  const rolling = { maxUnavailable: '25%', maxSurge: '25%', ...recordOf(strategy['rollingUpdate']) };
  return {
    ...spec,
    replicas: spec['replicas'] ?? 1,
    template: defaultPodTemplate(recordOf(spec['template'])),
    strategy: type === 'RollingUpdate' ? { type, rollingUpdate: rolling } : { ...strategy, type },
    revisionHistoryLimit: spec['revisionHistoryLimit'] ?? 10,
    progressDeadlineSeconds: spec['progressDeadlineSeconds'] ?? 600,
  };
}

function validateSpec(spec: JsonRecord): Errors {
  const ready = numberOf(spec['minReadySeconds']);
  const deadline = numberOf(spec['progressDeadlineSeconds']);
  return [
    ...notNegative(spec, 'replicas', 'spec'),
    ...validateSelector(spec),
    ...validateTemplate(recordOf(spec['template'])),
    ...validateStrategy(recordOf(spec['strategy'])),
    ...notNegative(spec, 'minReadySeconds', 'spec'),
    ...notNegative(spec, 'revisionHistoryLimit', 'spec'),
    ...notNegative(spec, 'progressDeadlineSeconds', 'spec'),
    ...(deadline <= ready
      ? [fieldInvalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function validateSelector(spec: JsonRecord): Errors {
  const field = 'spec.selector';
  const { selector } = spec;
  if (selector === undefined) return [fieldRequired(field)];
  const parsed = readSelector(recordOf(selector));
  if (parsed === undefined) return [fieldInvalid(field, selector, 'invalid label selector')];
  if (parsed.isEmpty) return [fieldInvalid(field, selector, 'empty selector is invalid for deployment')];
  const labels = Object.fromEntries(textEntriesOf(recordOf(recordOf(spec['template'])['metadata'])['labels']));
  if (parsed.matches(labels)) return [];
  return [fieldInvalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}

function validateTemplate(template: JsonRecord): Errors {
  const field = 'spec.template';
  const spec = recordOf(template['spec']);
  const policy = textOf(spec['restartPolicy']);
  return [
    ...validatePodTemplate(template, field),
    ...(policy === 'Always' ? [] : [fieldNotSupported(`${field}.spec.restartPolicy`, policy, ['Always'])]),
    ...(spec['activeDeadlineSeconds'] === undefined
      ? []
      : [
          fieldForbidden(`${field}.spec.activeDeadlineSeconds`, 'activeDeadlineSeconds in ReplicaSet is not Supported'),
        ]),
  ];
}

function validateStrategy(strategy: JsonRecord): Errors {
  const { type, rollingUpdate } = strategy;
  const field = 'spec.strategy';
  if (type === 'Recreate') {
    if (rollingUpdate === undefined) return [];
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return [fieldForbidden(`${field}.rollingUpdate`, why)];
  }
  if (type !== 'RollingUpdate') return [fieldNotSupported(field, strategy, ['Recreate', 'RollingUpdate'])];
  const { maxUnavailable, maxSurge } = recordOf(rollingUpdate);
  const place = `${field}.rollingUpdate`;
  const stuck = amount(maxUnavailable) === 0 && amount(maxSurge) === 0;
  return [
    ...validateAmount(maxUnavailable, `${place}.maxUnavailable`),
    ...validateAmount(maxSurge, `${place}.maxSurge`),
    ...(stuck ? [fieldInvalid(`${place}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...(typeof maxUnavailable === 'string' && amount(maxUnavailable) > 100
      ? [fieldInvalid(`${place}.maxUnavailable`, maxUnavailable, 'must not be greater than 100%')]
      : []),
  ];
}

function validateAmount(value: unknown, field: string): Errors {
  const percent =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  if (typeof value === 'string') return /^\d+%$/.test(value) ? [] : [fieldInvalid(field, value, percent)];
  return numberOf(value) < 0 ? [fieldInvalid(field, value, NOT_NEGATIVE)] : [];
}

function amount(value: unknown): number {
  return typeof value === 'string' ? Number.parseInt(value, 10) : numberOf(value);
}

const NOT_NEGATIVE = 'must be greater than or equal to 0';

function notNegative(owner: JsonRecord, name: string, field: string): Errors {
  const value = numberOf(owner[name]);
  return value < 0 ? [fieldInvalid(`${field}.${name}`, value, NOT_NEGATIVE)] : [];
}

function validateStatus(status: JsonRecord): Errors {
  const replicas = numberOf(status['replicas']);
  const counts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];
  return counts
    .filter((name) => numberOf(status[name]) > replicas)
    .map((name) => fieldInvalid(`status.${name}`, status[name], 'cannot be greater than status.replicas'));
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  const containers = recordsOf(recordOf(recordOf(spec['template'])['spec'])['containers']);
  return [
    nameCell(object),
    `${numberOf(status['readyReplicas'])}/${numberOf(spec['replicas'])}`,
    numberOf(status['updatedReplicas']),
    numberOf(status['availableReplicas']),
    ageCell(object, now),
    containers.map(({ name }) => textOf(name)).join(','),
    containers.map(({ image }) => textOf(image)).join(','),
    readSelector(recordOf(spec['selector']))?.text ?? '<invalid>',
  ];
}
