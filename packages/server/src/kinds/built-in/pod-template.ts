/** PodTemplate: a template for pods as an object of its own. */

import { defineKind } from '../define-kind.ts';
import { defaultPodTemplate } from '../pod-defaults.ts';
import { validatePodTemplate } from '../pod-validation.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { recordOf, recordsOf, sameJson, textOf } from '../shapes/json-value.ts';
import { objectShape } from '../shapes/object-meta-shape.ts';
import { POD_TEMPLATE_SPEC } from '../shapes/pod-spec-shape.ts';
import { column, labelsCell, NAME_COLUMN, nameCell } from '../table-column.ts';

/** The definition of PodTemplate. */
export const podTemplate: ResourceDefinition = defineKind({
  resource: { plural: 'podtemplates', kind: 'PodTemplate' },
  shape: objectShape('PodTemplate', {
    template: { ...POD_TEMPLATE_SPEC, always: true },
  }),
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
});
