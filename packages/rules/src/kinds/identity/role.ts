/** Role: permissions in one namespace. */

import { DEFAULT_TABLE } from '../../columns/table-column.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { pathSegmentName } from '../../validation/name-rules.ts';
import { validatePolicyRules } from './rbac-rules.ts';

/** The rules of Role. */
export const role: KindRules = {
  columns: DEFAULT_TABLE,
  validate: (object) => validatePolicyRules(object['rules'], true),
  checkName: pathSegmentName,
  strategy: { allowsCreateOnUpdate: true },
};
