/** Authenticates by client certificates. */

import type { UserInfo } from '../../contract/api-request.ts';
import type { Authenticator } from '../authenticator.ts';
import { CredentialProblem } from '../credential-problem.ts';

/** Options of `certificateAuthenticator`. */
export interface CertificateAuthenticatorOptions {
  /** Was the certificate with this serial number (lower-case hex) revoked? Default: none is. */
  readonly isRevoked?: ((serial: string) => boolean) | undefined;
  /** Hears when the certificate of each request expires, in milliseconds since the epoch. Default: nobody hears. */
  readonly onCertificate?: ((expires: number) => void) | undefined;
}

const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** The common name is the user, the organizations are the groups. A certificate without a common name identifies no user. */
export function certificateAuthenticator({
  isRevoked,
  onCertificate,
}: CertificateAuthenticatorOptions = {}): Authenticator {
  return {
    authenticate({ certificate }) {
      if (certificate === undefined) return undefined;
      if (certificate.expires !== undefined) onCertificate?.(certificate.expires);
      if (!certificate.trusted) throw new CredentialProblem('x509: the client certificate cannot be verified');
      const { commonName: name, organizations: groups, uid, fingerprint, serial = '' } = certificate;
      if (name === '') return undefined;
      if (isRevoked?.(serial) === true) throw new CredentialProblem(`x509: certificate ${serial} is revoked`);
      const extra = fingerprint === undefined ? {} : { extra: { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] } };
      return { name, ...(uid === undefined ? {} : { uid }), groups, ...extra } satisfies UserInfo;
    },
  };
}
