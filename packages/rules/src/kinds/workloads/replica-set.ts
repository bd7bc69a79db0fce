/** ReplicaSet: a number of equal pods. */

import type { FieldError } from '@listwatch/api';
import { numberOf, recordOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { notNegative } from '../../validation/count-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { validateReplicaCounts } from './replica-counts.ts';
import { validateTemplateAndSelector, WORKLOAD_COLUMNS, workloadCells } from './workload-template.ts';

const integer = { type: 'integer' };
const WORDS = { selectorOf: 'deployment', unreadable: 'invalid label selector', deadlineIn: 'ReplicaSet' };

/** The rules of ReplicaSet. */
export const replicaSet: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Desired', 'How many pods there should be.', integer),
      column('Current', 'How many pods there are.', integer),
      column('Ready', 'How many pods are ready.', integer),
      AGE_COLUMN,
      ...WORKLOAD_COLUMNS,
    ],
    cells: (object, now) => {
      const spec = recordOf(object['spec']);
      const status = recordOf(object['status']);
      return [
        nameCell(object),
        numberOf(spec['replicas']),
        numberOf(status['replicas']),
        numberOf(status['readyReplicas']),
        ageCell(object, now),
        ...workloadCells(spec),
      ];
    },
  },
  applyDefaults: (object) => {
    const spec = recordOf(object['spec']);
    const template = defaultPodTemplate(recordOf(spec['template']));
    return { ...object, spec: { ...spec, replicas: spec['replicas'] ?? 1, template } };
  },
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...immutable('spec.selector', recordOf(object['spec'])['selector'], recordOf(old['spec'])['selector']),
  ],
};

function validate(object: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  return [
    ...notNegative(spec, ['replicas', 'minReadySeconds'], 'spec'),
    ...validateTemplateAndSelector(spec, WORDS),
    ...validateReplicaCounts(
      recordOf(object['status']),
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      ['observedGeneration', 'terminatingReplicas'],
    ),
  ];
}
