/** The schema of `status.conditions`, for authors who write JSON Schema. `conditions()` of `@listwatch/kinds/zod` is the same for Zod. */

import type { JsonSchema } from './standard-schema.ts';

/** As Kubernetes defines conditions (`metav1.Condition`); `setCondition` of the runtime writes them. */
export const CONDITION_LIMITS = {
  type: {
    maxLength: 316,
    // With the slash as `RegExp` writes it: Zod's schema has that text.
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  },
  reason: { minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
  message: { maxLength: 32_768 },
} as const;

/** One condition of each type, so that two appliers can own one each. */
export const CONDITION_LIST = {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
} as const;

/**
 * The schema of a list of conditions.
 *
 * @example
 * status: { type: 'object', properties: { conditions: conditionsSchema() } }
 */
export function conditionsSchema(): JsonSchema {
  const { type, reason, message } = CONDITION_LIMITS;
  return {
    type: 'array',
    ...CONDITION_LIST,
    items: {
      type: 'object',
      required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
      properties: {
        type: { type: 'string', ...type },
        status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
        lastTransitionTime: { type: 'string', format: 'date-time' },
        reason: { type: 'string', ...reason },
        message: { type: 'string', ...message },
        observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      },
    },
  };
}
