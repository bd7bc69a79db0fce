/** Everything that is needed to reach a cluster, wherever it was described. */

import type { TlsSettings } from '../transport/dial/tls-settings.ts';
import type { Credentials } from '../transport/layers/auth.ts';
import type { Impersonation } from '../transport/layers/impersonate.ts';

export interface ClusterAccess {
  readonly server: string;
  readonly namespace: string | undefined;
  /** Asked for each connection, so that files and certificates may change. */
  readonly tls: () => Promise<TlsSettings>;
  readonly proxy: string | undefined;
  /** Are lists to come packed? Undefined: nothing is said. */
  readonly compression: boolean | undefined;
  readonly credentials: UserCredentials | undefined;
  readonly impersonate: Impersonation | undefined;
}

/** A user's credentials: what goes on requests, and what goes into the handshake. */
export interface UserCredentials extends Credentials {
  /** A client certificate, where there is one. */
  certificate?(): Promise<{ readonly cert: string; readonly key: string } | undefined>;
  /** Called when the certificate is another than before: connections that were made with the old one should end. */
  onCertificate?: (() => void) | undefined;
}
