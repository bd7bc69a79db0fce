/** PodDisruptionBudget: how many pods may be evicted at a time. */

import { type FieldError, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { validateConditions } from '../../validation/condition-rules.ts';
import { notAboveAll, notNegative, validateAmount } from '../../validation/count-rules.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { pathSegmentName } from '../../validation/name-rules.ts';

const POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];
const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

/** The rules of PodDisruptionBudget. */
export const podDisruptionBudget: KindRules = {
  columns: namedTable(
    [
      column('Min Available', 'How many pods must stay available.'),
      column('Max Unavailable', 'How many pods may be unavailable.'),
      column('Allowed Disruptions', 'How many pods may be evicted now.', { type: 'integer' }),
    ],
    (object) => {
      const { minAvailable, maxUnavailable } = recordOf(object['spec']);
      const allowed = numberOf(recordOf(object['status'])['disruptionsAllowed']);
      return [amountCell(minAvailable), amountCell(maxUnavailable), allowed];
    },
  ),
  validate: (object) => [
    ...validateSpec(recordOf(object['spec'])),
    ...notNegative(recordOf(object['status']), COUNTS, 'status'),
    ...validateConditions(recordOf(object['status'])['conditions'], 'status.conditions'),
  ],
  checkName: pathSegmentName,
  // A PUT without a resourceVersion could overwrite a stricter budget.
  strategy: { allowsUnconditionalUpdate: false },
};

function validateSpec(spec: JsonRecord): readonly FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: policy ?? null,
  };
  const unknown = policy !== undefined && !POLICIES.includes(textOf(policy));
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [fieldInvalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...validateAmount(minAvailable, 'spec.minAvailable'),
    ...notAboveAll(minAvailable, 'spec.minAvailable'),
    ...validateAmount(maxUnavailable, 'spec.maxUnavailable'),
    ...notAboveAll(maxUnavailable, 'spec.maxUnavailable'),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(unknown ? [fieldNotSupported('spec.unhealthyPodEvictionPolicy', policy, POLICIES)] : []),
  ];
}

function amountCell(amount: unknown): string {
  return amount === undefined ? 'N/A' : textOf(amount) || String(numberOf(amount));
}
