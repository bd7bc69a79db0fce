/** The counts of replicas in the status of a workload. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { isJsonNumber, type JsonRecord, numberOf, recordOf } from '@listwatch/api/values';
import { notNegative } from '../../validation/count-rules.ts';

type Errors = readonly FieldError[];

/** The counts in `parts` must not exceed `replicas`; no count may be negative. */
export function validateReplicaCounts(
  status: JsonRecord,
  parts: readonly string[],
  others: readonly string[],
  readyField = 'readyReplicas',
): Errors {
  const { replicas, readyReplicas, availableReplicas } = status;
  return [
    ...notNegative(status, ['replicas', ...parts, ...others], 'status'),
    ...parts
      .filter((name) => numberOf(status[name]) > numberOf(replicas))
      .map((name) => fieldInvalid(`status.${name}`, status[name], 'cannot be greater than status.replicas')),
    ...(numberOf(availableReplicas) > numberOf(readyReplicas)
      ? [fieldInvalid('status.availableReplicas', availableReplicas, `cannot be greater than ${readyField}`)]
      : []),
  ];
}

/** `status.collisionCount` must not decrease: a controller would generate the same name again. */
export function collisionsOnlyGrow(status: unknown, old: unknown): Errors {
  const { collisionCount } = recordOf(status);
  const before = recordOf(old)['collisionCount'];
  if (!isJsonNumber(before) || numberOf(collisionCount) >= numberOf(before)) return [];
  return [fieldInvalid('status.collisionCount', numberOf(collisionCount), 'cannot be decremented')];
}
