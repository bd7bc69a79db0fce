/** ReplicationController: the predecessor of ReplicaSet, with a selector of plain labels. */

import { type FieldError, fieldRequired } from '@listwatch/api';
import { defined, type JsonRecord, recordOf } from '@listwatch/api/values';
import { labelsCell } from '../../columns/table-column.ts';
import type { KubeMetadata, KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { notNegative } from '../../validation/count-rules.ts';
import { finalSubdomainName } from '../../validation/name-rules.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { validateReplicaCounts } from './replica-counts.ts';
import { replicaSet } from './replica-set.ts';
import { containerCells, labelMismatch, labelsOf, validateLongRunning } from './workload-template.ts';

const table = replicaSet.columns;

/** The rules of ReplicationController. */
export const replicationController: KindRules = {
  ...(table === undefined
    ? {}
    : {
        columns: {
          definitions: table.definitions,
          cells: (object, now) => {
            const spec = recordOf(object['spec']);
            const selector = labelsCell(recordOf(spec['selector']));
            return [...table.cells(object, now).slice(0, 5), ...containerCells(spec['template']), selector];
          },
        },
      }),
  applyDefaults,
  validate: (object) => [
    ...validateSpec(recordOf(object['spec'])),
    ...validateReplicaCounts(
      recordOf(object['status']),
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      ['observedGeneration'],
    ),
  ],
  checkName: finalSubdomainName,
  strategy: { orphansDependents: true, returnsDeletedObject: false },
};

/** Defaults labels and selector of the object from the labels of its template. */
function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  const { template } = spec;
  const labels = labelsOf(recordOf(template));
  return {
    ...object,
    metadata: withLabels(object.metadata, labels),
    spec: defined({
      ...spec,
      replicas: spec['replicas'] ?? 1,
      selector: Object.keys(recordOf(spec['selector'])).length === 0 ? ifAny(labels) : spec['selector'],
      template: template === undefined ? undefined : defaultPodTemplate(recordOf(template)),
    }),
  };
}

function withLabels(metadata: KubeMetadata, labels: Readonly<Record<string, string>>): KubeMetadata {
  const own = Object.keys(metadata.labels ?? {}).length > 0;
  return own || Object.keys(labels).length === 0 ? metadata : { ...metadata, labels };
}

function ifAny(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  return Object.keys(labels).length === 0 ? undefined : labels;
}

function validateSpec(spec: JsonRecord): readonly FieldError[] {
  const selector = Object.entries(recordOf(spec['selector']));
  const template = recordOf(spec['template']);
  const labels = labelsOf(template);
  const matches = selector.every(([name, value]) => labels[name] === value);
  return [
    ...notNegative(spec, ['minReadySeconds'], 'spec'),
    ...(selector.length === 0 ? [fieldRequired('spec.selector')] : []),
    ...notNegative(spec, ['replicas'], 'spec'),
    ...(spec['template'] === undefined
      ? [fieldRequired('spec.template')]
      : [...(matches ? [] : [labelMismatch(template)]), ...validateLongRunning(template, 'ReplicationController')]),
  ];
}
