/** Deployment: a number of identical pods, and how they are replaced. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, sameJson, textOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { amountOf, notAboveAll, notNegative, validateAmount } from '../../validation/count-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { readSelector } from '../../validation/object-selector.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { collisionsOnlyGrow, validateReplicaCounts } from './replica-counts.ts';
import { containerCells, validateTemplateAndSelector, WORKLOAD_COLUMNS } from './workload-template.ts';

type Errors = readonly FieldError[];

const WORDS = { selectorOf: 'deployment', unreadable: 'invalid label selector', deadlineIn: 'ReplicaSet' };

/** The rules of Deployment. */
export const deployment: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Ready', 'How many pods are ready, of how many.'),
      column('Up-to-date', 'How many pods are of the latest template.'),
      column('Available', 'How many pods have been ready for long enough.'),
      AGE_COLUMN,
      ...WORKLOAD_COLUMNS,
    ],
    cells,
  },
  applyDefaults: (object) => ({ ...object, spec: defaultSpec(recordOf(object['spec'])) }),
  onStatusUpdate: (object, old) => ({
    ...object,
    metadata: { ...object.metadata, labels: old.metadata.labels ?? {} },
    spec: old['spec'],
  }),
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...immutable('spec.selector', recordOf(object['spec'])['selector'], recordOf(old['spec'])['selector']),
    ...collisionsOnlyGrow(object['status'], old['status']),
  ],
  strategy: {
    raisesGeneration: (object, old) =>
      !sameJson(object['spec'], old['spec']) || !sameJson(object.metadata.annotations, old.metadata.annotations),
  },
};

function validate(object: KubeObject): Errors {
  return [
    ...validateSpec(recordOf(object['spec'])),
    ...validateReplicaCounts(
      recordOf(object['status']),
      ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
      ['unavailableReplicas', 'observedGeneration', 'terminatingReplicas', 'collisionCount'],
    ),
  ];
}

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
    ...notNegative(spec, ['replicas'], 'spec'),
    ...validateTemplateAndSelector(spec, WORDS),
    ...validateStrategy(recordOf(spec['strategy'])),
    ...notNegative(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], 'spec'),
    ...(deadline <= ready
      ? [fieldInvalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function validateStrategy({ type, rollingUpdate }: JsonRecord): Errors {
  const field = 'spec.strategy';
  const { maxUnavailable, maxSurge } = recordOf(rollingUpdate);
  if (type === 'Recreate') {
    if (rollingUpdate === undefined) return [];
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return [fieldForbidden(`${field}.rollingUpdate`, why)];
  }
  if (type !== 'RollingUpdate') {
    const rolling =
      rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable ?? 0, MaxSurge: maxSurge ?? 0 };
    return [fieldNotSupported(field, { Type: type, RollingUpdate: rolling }, ['Recreate', 'RollingUpdate'])];
  }
  const place = `${field}.rollingUpdate`;
  const stuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  return [
    ...validateAmount(maxUnavailable, `${place}.maxUnavailable`),
    ...validateAmount(maxSurge, `${place}.maxSurge`),
    ...(stuck ? [fieldInvalid(`${place}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...notAboveAll(maxUnavailable, `${place}.maxUnavailable`),
  ];
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  return [
    nameCell(object),
    `${numberOf(status['readyReplicas'])}/${numberOf(spec['replicas'])}`,
    numberOf(status['updatedReplicas']),
    numberOf(status['availableReplicas']),
    ageCell(object, now),
    ...containerCells(spec['template']),
    readSelector(recordOf(spec['selector']))?.text ?? '<invalid>',
  ];
}
