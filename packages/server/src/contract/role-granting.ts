/** Prevents privilege escalation: a user may only grant rights that it has. */

import type { UserInfo } from './api-request.ts';

/** The rights to grant. */
export type GrantQuestion =
  /** None at all. It is answered when the roles and bindings that were stored when it was asked count here. */
  | { readonly type: 'nothing' }
  /** The rules of a role, as they are sent. */
  | { readonly type: 'rules'; readonly rules: unknown }
  /** The rules of a stored role. `namespace` is `''` for a ClusterRole. */
  | { readonly type: 'role'; readonly namespace: string; readonly name: string }
  /** All rights, as cluster-admin has them. */
  | { readonly type: 'everything' };

/** Does the user have all of these rights? `why` is the message of Kubernetes. */
export type GrantVerdict =
  | { readonly type: 'held' }
  | { readonly type: 'refused'; readonly why: string }
  | { readonly type: 'no-role' };

/** Compares with roles and bindings as they are stored now. The user's rights are those in the cluster and in the namespace (`''`: none). */
export type RoleGranting = (user: UserInfo, namespace: string, wanted: GrantQuestion) => Promise<GrantVerdict>;
