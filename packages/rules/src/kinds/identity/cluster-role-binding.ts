/** ClusterRoleBinding: grants a role to users in the whole cluster. */

import type { KindRules } from '../../strategy/kind-rules.ts';
import { bindingRules } from './rbac-rules.ts';

/** The rules of ClusterRoleBinding. */
export const clusterRoleBinding: KindRules = bindingRules(false);
