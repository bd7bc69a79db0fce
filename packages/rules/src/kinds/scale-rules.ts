/** Scale: the current and the desired replicas of another object. Never stored. */

import { fieldInvalid } from '@listwatch/api';
import { numberOf, recordOf } from '@listwatch/api/values';
import { column, namedTable } from '../columns/table-column.ts';
import type { KindRules } from '../strategy/kind-rules.ts';

/** The rules of Scale. */
export const scale: KindRules = {
  columns: namedTable(
    [
      column('Desired', 'The number of replicas that shall be.', { type: 'integer' }),
      column('Available', 'The number of replicas that were observed.', { type: 'integer' }),
    ],
    (object) => [numberOf(recordOf(object['spec'])['replicas']), numberOf(recordOf(object['status'])['replicas'])],
  ),
  validate: (object) => {
    const replicas = numberOf(recordOf(object['spec'])['replicas']);
    return replicas < 0 ? [fieldInvalid('spec.replicas', replicas, 'must be greater than or equal to 0')] : [];
  },
};
