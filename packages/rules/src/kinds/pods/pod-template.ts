/** PodTemplate: a pod template as a separate object. */

import { recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { column, labelsCell, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { defaultPodTemplate } from './pod-defaults.ts';
import { validatePodTemplate } from './pod-validation.ts';

/** The rules of PodTemplate. */
export const podTemplate: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Containers', 'The names of the containers.'),
      column('Images', 'The images of the containers.'),
      column('Pod Labels', 'The labels of the pods.'),
    ],
    cells: (object) => {
      const template = recordOf(object['template']);
      const containers = recordsOf(recordOf(template['spec'])['containers']);
      return [
        nameCell(object),
        containers.map(({ name }) => textOf(name)).join(','),
        containers.map(({ image }) => textOf(image)).join(','),
        labelsCell(recordOf(recordOf(template['metadata'])['labels'])),
      ];
    },
  },
  applyDefaults: (object) => ({ ...object, template: defaultPodTemplate(recordOf(object['template'])) }),
  validate: (object) => validatePodTemplate(recordOf(object['template']), 'template'),
  strategy: {
    returnsDeletedObject: true,
    raisesGeneration: (object, old) => !sameJson(object['template'], old['template']),
  },
};
