/** Who the console of `listwatch serve` is to the server. */

import type { UserInfo } from '@listwatch/server';

/** By `--console-access`: their ClusterRoles are `listwatch:console` and `listwatch:console-editor`. Both see everything. */
export const CONSOLE_USERS: Readonly<Record<'read' | 'write', UserInfo>> = {
  read: { name: 'system:listwatch:console', groups: [] },
  write: { name: 'system:listwatch:console-editor', groups: [] },
};
