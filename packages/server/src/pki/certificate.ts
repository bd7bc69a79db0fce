/** Makes X.509 certificates with ECDSA P-256 keys. Start at `issueCertificate`. */

import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type CertificateUse, type CertifiedKey, certificateText, type Subject } from '@listwatch/api/certificates';

export type { CertificateUse, Subject } from '@listwatch/api/certificates';

/** What is signed. */
export interface CertificateRequest {
  readonly subject: Subject;
  readonly use: CertificateUse;
  /** The owner's key; only its public half ends up in the certificate. */
  readonly key: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Who signs. An authority signs itself: its own subject and key. */
  readonly issuer: { readonly subject: Subject; readonly key: KeyObject };
}

/** RFC 5280 allows twenty bytes; sixteen random ones never meet again. */
const SERIAL_BYTES = 16;

/** Signs a certificate; the answer is PEM. */
export function issueCertificate(request: CertificateRequest): string {
  const { issuer } = request;
  return certificateText({
    ...request,
    key: certifiedKey(request.key),
    issuer: { subject: issuer.subject, key: certifiedKey(issuer.key) },
    serial: randomBytes(SERIAL_BYTES),
    sign: (bytes) => sign('sha256', bytes, issuer.key),
  });
}

function certifiedKey(key: KeyObject): CertifiedKey {
  const info = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return { info, identifier: createHash('sha256').update(info).digest().subarray(0, 20) };
}
