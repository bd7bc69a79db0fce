/** Parts of kinds that are the same in all of them, as schemas of Zod, which you install beside this package. */

import { z } from 'zod';
import { CONDITION_LIMITS, CONDITION_LIST } from './author/conditions-schema.ts';

/** The schema of one condition. */
export type ConditionSchema = z.ZodObject<{
  type: z.ZodString;
  status: z.ZodEnum<{ True: 'True'; False: 'False'; Unknown: 'Unknown' }>;
  lastTransitionTime: z.ZodISODateTime;
  reason: z.ZodString;
  message: z.ZodString;
  observedGeneration: z.ZodOptional<z.ZodInt>;
}>;

/**
 * The schema of `status.conditions`, as Kubernetes defines conditions; `setCondition` of the runtime writes them.
 *
 * @example
 * const schema = z.object({ spec, status: z.object({ conditions: conditions().optional() }).optional() });
 */
export function conditions(): z.ZodArray<ConditionSchema> {
  const { type, reason, message } = CONDITION_LIMITS;
  const condition = z.object({
    type: z.string().max(type.maxLength).regex(new RegExp(type.pattern, 'u')),
    status: z.enum(['True', 'False', 'Unknown']),
    lastTransitionTime: z.iso.datetime(),
    reason: z.string().min(reason.minLength).max(reason.maxLength).regex(new RegExp(reason.pattern, 'u')),
    message: z.string().max(message.maxLength),
    observedGeneration: z.int().min(0).optional(),
  });
  return z.array(condition).meta({ ...CONDITION_LIST });
}
