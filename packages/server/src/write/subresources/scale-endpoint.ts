/** The scale of built-in kinds: `spec.replicas`. */

import { invalid } from '@listwatch/api';
import { scaleOf, withScale } from '@listwatch/rules/internal';
import { fieldPath } from '@listwatch/schema';
import type { AnsweredEndpoint } from '../../contract/answered-endpoint.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { answerScale, type ScaleForm } from './answer-scale.ts';

/** The endpoint of a kind that has the subresource. */
export function scaleEndpoint(definition: ResourceDefinition): AnsweredEndpoint {
  const places = { hasLabelMap: definition.data.type === 'core/v1.ReplicationController' };
  const form: ScaleForm = {
    show: (object) => scaleOf(object, places),
    change: (scale, object, kind) => {
      const errors = kind.strategy.validate(scale);
      if (errors.length > 0) throw invalid(kind.resource, object.metadata.name ?? '', errors);
      return withScale(object, scale);
    },
    replicas: fieldPath('spec', 'replicas'),
  };
  return { definition, hasTable: true, answer: (context, call) => answerScale(context, call, form) };
}
