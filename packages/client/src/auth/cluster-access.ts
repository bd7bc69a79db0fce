/** Everything that is needed to reach a cluster, wherever it was described. */

import type { TlsSettings } from '../transport/dial/tls-settings.ts';
import type { Impersonation } from '../transport/layers/impersonate.ts';
import type { UserCredentials } from './user-credentials.ts';

export interface ClusterAccess {
  /** In the order of preference, one at least; all of the same cluster. */
  readonly servers: readonly string[];
  readonly namespace: string | undefined;
  /** Asked for each connection, so that files and certificates may change. */
  readonly tls: () => Promise<TlsSettings>;
  readonly proxy: string | undefined;
  /** Are lists to come packed? Undefined: nothing is said. */
  readonly compression: boolean | undefined;
  readonly credentials: UserCredentials | undefined;
  readonly impersonate: Impersonation | undefined;
}
