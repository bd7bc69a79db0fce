/** The scale of built-in kinds. */

import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { answerScale } from './answer-scale.ts';

/** The endpoint of a kind that has the subresource. */
export function scaleEndpoint(definition: ResourceDefinition): VirtualEndpoint {
  return { definition, hasTable: true, answer: answerScale };
}
