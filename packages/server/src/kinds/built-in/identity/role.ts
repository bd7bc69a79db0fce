/** Role: what is allowed in one namespace. */

import type { KindRules } from '../../kind-rules.ts';
import { DEFAULT_TABLE } from '../../table-column.ts';
import { pathSegmentName } from '../../validation/name-rules.ts';
import { validatePolicyRules } from './rbac-rules.ts';

/** The rules of Role. */
export const role: KindRules = {
  columns: DEFAULT_TABLE,
  validate: (object) => validatePolicyRules(object['rules'], true),
  checkName: pathSegmentName,
  strategy: { allowsCreateOnUpdate: true },
};
