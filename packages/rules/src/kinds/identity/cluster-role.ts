/** ClusterRole: permissions in the whole cluster, or in the namespace of a RoleBinding that refers to it. */

import { type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord, recordsOf } from '@listwatch/api/values';
import { DEFAULT_TABLE } from '../../columns/table-column.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { pathSegmentName } from '../../validation/name-rules.ts';
import { validatePolicyRules } from './rbac-rules.ts';

/** The rules of ClusterRole. */
export const clusterRole: KindRules = {
  columns: DEFAULT_TABLE,
  validate: ({ rules, aggregationRule }) => [
    ...validatePolicyRules(rules, false),
    ...(isRecord(aggregationRule) ? validateAggregation(aggregationRule) : []),
  ],
  checkName: pathSegmentName,
  strategy: { allowsCreateOnUpdate: true },
};

function validateAggregation({ clusterRoleSelectors }: JsonRecord): readonly FieldError[] {
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = recordsOf(clusterRoleSelectors);
  if (selectors.length === 0) {
    return [fieldRequired(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return itemErrors(selectors, (selector, index) => {
    const errors = validateLabelSelector(selector, `${field}[${index}]`);
    // kube-apiserver shows the selector that it failed to convert, which is null.
    return errors.length === 0
      ? errors
      : [...errors, fieldInvalid(`${field}[${index}]`, null, 'invalid label selector.')];
  });
}
