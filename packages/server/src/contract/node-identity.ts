/** The node that a user is. */

import type { UserInfo } from './api-request.ts';

const USER_PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/** The name of the node, which may be empty; undefined for a user who is none. */
export function nodeOfUser({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(USER_PREFIX) && groups.includes(GROUP) ? name.slice(USER_PREFIX.length) : undefined;
}
