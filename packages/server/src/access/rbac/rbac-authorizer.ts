/** Authorization by roles and bindings. */

import type { UserInfo } from '../../contract/api-request.ts';
import type { AccessAttributes, AccessDecision, AccessRules, Authorizer } from '../../contract/authorization.ts';
import { goErrors } from '../go-errors.ts';
import type { RbacIndex } from './rbac-index.ts';

const TOO_MANY = 'the user has more rules than can be listed';
const NO_OPINION: AccessDecision = { allowed: false };

/** Decides at once. */
export interface RbacAuthorizer extends Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision;
  rules(user: UserInfo, namespace: string): AccessRules;
}

/** Allows what a rule allows, and has no opinion of anything else. */
export function rbacAuthorizer(index: RbacIndex): RbacAuthorizer {
  return {
    authorize(attributes) {
      const { user, namespace } = attributes;
      const found = index.find(attributes);
      if (found !== undefined) return found.allowing(user);
      const missing = index.missing(user, namespace);
      return missing.length === 0 ? NO_OPINION : { allowed: false, reason: `RBAC: ${goErrors(missing)}` };
    },
    rules: (user, namespace) => accessRules(index, user, namespace),
  };
}

function accessRules(index: RbacIndex, user: UserInfo, namespace: string): AccessRules {
  const { rules, missing, isComplete } = index.rules(user, namespace);
  const resourceRules = rules.flatMap(({ verbs, apiGroups, resources, resourceNames }) =>
    resources.length === 0
      ? []
      : [{ verbs, apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }) }],
  );
  const nonResourceRules = rules.flatMap(({ verbs, nonResourceURLs }) =>
    nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }],
  );
  const errors = isComplete ? missing : [...missing, TOO_MANY];
  return {
    resourceRules,
    nonResourceRules,
    ...(isComplete ? {} : { incomplete: true }),
    ...(errors.length === 0 ? {} : { evaluationError: goErrors(errors) }),
  };
}
