/** RoleBinding: grants a role to users in one namespace. */

import type { KindRules } from '../../strategy/kind-rules.ts';
import { bindingRules } from './rbac-rules.ts';

/** The rules of RoleBinding. */
export const roleBinding: KindRules = bindingRules(true);
