/** The credentials of a user. Apart from the TLS settings: browsers have these, and no types of Node. */

import type { Credentials } from '../transport/layers/auth.ts';

/** A user's credentials: what goes on requests, and what goes into the handshake. */
export interface UserCredentials extends Credentials {
  /** A client certificate, where there is one. */
  certificate?(): Promise<{ readonly cert: string; readonly key: string } | undefined>;
  /** Called when the certificate is another than before: connections that were made with the old one should end. */
  onCertificate?: (() => void) | undefined;
}
