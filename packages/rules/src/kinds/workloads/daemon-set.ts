/** DaemonSet: one pod on every node that fits. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, sameJson, textOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, labelsCell, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { amountOf, notAboveAll, notNegative, validateAmount } from '../../validation/count-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { selectsLabels } from '../../validation/object-selector.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { collisionsOnlyGrow } from './replica-counts.ts';
import {
  emptySelector,
  labelMismatch,
  labelsOf,
  validateLongRunning,
  WORKLOAD_COLUMNS,
  workloadCells,
} from './workload-template.ts';

type Errors = readonly FieldError[];

/** The annotation that counts changes of the template. It was once a field; old clients still read it. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

const integer = { type: 'integer' };

/** The counts of the status that its table shows first. */
const COUNTS = ['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady'] as const;

/** The rules of DaemonSet. */
export const daemonSet: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Desired', 'How many nodes should run the pod.', integer),
      column('Current', 'How many nodes have the pod.', integer),
      column('Ready', 'How many pods are ready.', integer),
      column('Up-to-date', 'How many pods are of the latest template.', integer),
      column('Available', 'How many pods have been ready for long enough.', integer),
      column('Node Selector', 'Which nodes run the pod.'),
      AGE_COLUMN,
      ...WORKLOAD_COLUMNS,
    ],
    cells,
  },
  applyDefaults: (object) =>
    // kube-apiserver's conversion writes the annotation before ownership is tracked, so the creator owns it.
    withTemplateGeneration({ ...object, spec: defaultSpec(recordOf(object['spec'])) }, templateGeneration(object)),
  onCreate: ({ status: _status, ...object }) => withTemplateGeneration(object, Math.max(1, templateGeneration(object))),
  onUpdate: (object, old) => {
    const changed = !sameJson(recordOf(object['spec'])['template'], recordOf(old['spec'])['template']);
    const kept = { ...object, status: old['status'] };
    return withTemplateGeneration(kept, templateGeneration(old) + Number(changed));
  },
  onStatusUpdate: (object, old) => withTemplateGeneration({ ...object, spec: old['spec'] }, templateGeneration(old)),
  validate,
  validateUpdate: (object, old) => [
    ...immutable('spec.selector', recordOf(object['spec'])['selector'], recordOf(old['spec'])['selector']),
    ...collisionsOnlyGrow(object['status'], old['status']),
    ...validate(object),
  ],
};

function validate(object: KubeObject): readonly FieldError[] {
  return [...validateSpec(recordOf(object['spec'])), ...validateStatus(recordOf(object['status']))];
}

function templateGeneration(object: KubeObject): number {
  const text = object.metadata.annotations?.[TEMPLATE_GENERATION] ?? '';
  return /^[+-]?\d+$/.test(text) ? Number(text) : 0;
}

function withTemplateGeneration(object: KubeObject, generation: number): KubeObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) } },
  };
}

function defaultSpec(spec: JsonRecord): JsonRecord {
  const strategy = recordOf(spec['updateStrategy']);
  const type = textOf(strategy['type']) || 'RollingUpdate';
  const rolling = recordOf(strategy['rollingUpdate']);
  const rollingUpdate =
    type === 'RollingUpdate' || strategy['rollingUpdate'] !== undefined
      ? { maxUnavailable: type === 'RollingUpdate' ? 1 : 0, maxSurge: 0, ...rolling }
      : undefined;
  return {
    ...spec,
    template: defaultPodTemplate(recordOf(spec['template'])),
    updateStrategy: { type, ...(rollingUpdate === undefined ? {} : { rollingUpdate }) },
    revisionHistoryLimit: spec['revisionHistoryLimit'] ?? 10,
  };
}

function validateSpec(spec: JsonRecord): Errors {
  const { selector } = spec;
  const template = recordOf(spec['template']);
  // A missing selector selects nothing, and an invalid selector is a separate error.
  const matches = selector !== undefined && selectsLabels(recordOf(selector), labelsOf(template)) !== false;
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(matches ? [] : [labelMismatch(template)]),
    ...(selector === undefined ? [] : emptySelector(selector, 'daemonset')),
    ...validateLongRunning(template, 'DaemonSet'),
    ...notNegative(spec, ['minReadySeconds'], 'spec'),
    ...validateStrategy(recordOf(spec['updateStrategy'])),
    ...notNegative(spec, ['revisionHistoryLimit'], 'spec'),
  ];
}

function validateStrategy({ type, rollingUpdate }: JsonRecord): Errors {
  const field = 'spec.updateStrategy';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const rolling = rollingUpdate === undefined ? null : recordOf(rollingUpdate);
    const shown = rolling && { MaxUnavailable: rolling['maxUnavailable'], MaxSurge: rolling['maxSurge'] };
    return [fieldNotSupported(field, { Type: type, RollingUpdate: shown }, ['RollingUpdate', 'OnDelete'])];
  }
  const { maxUnavailable, maxSurge } = recordOf(rollingUpdate);
  const unavailable = `${field}.rollingUpdate.maxUnavailable`;
  const surge = `${field}.rollingUpdate.maxSurge`;
  const both = amountOf(maxUnavailable) !== 0 && amountOf(maxSurge) !== 0;
  const none = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  return [
    ...validateAmount(maxUnavailable, unavailable),
    ...validateAmount(maxSurge, surge),
    ...notAboveAll(maxUnavailable, unavailable),
    ...notAboveAll(maxSurge, surge),
    ...(both ? [fieldInvalid(surge, maxSurge, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(none ? [fieldRequired(unavailable, 'cannot be 0 when maxSurge is 0')] : []),
  ];
}

function validateStatus(status: JsonRecord): Errors {
  const names = [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ];
  return notNegative(status, names, 'status');
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  return [
    nameCell(object),
    ...COUNTS.map((name) => numberOf(status[name])),
    numberOf(status['updatedNumberScheduled']),
    numberOf(status['numberAvailable']),
    labelsCell(recordOf(recordOf(recordOf(spec['template'])['spec'])['nodeSelector'])),
    ageCell(object, now),
    ...workloadCells(spec),
  ];
}
