/** The certificates that a webhook is trusted by. */

import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/gu;

/** Is this the base64 of at least one certificate in PEM, and of no broken one? */
export function isCaBundle(caBundle: string): boolean {
  const certificates = Buffer.from(caBundle, 'base64').toString('latin1').match(CERTIFICATE) ?? [];
  try {
    return certificates.length > 0 && certificates.every((pem) => new X509Certificate(pem).fingerprint !== '');
  } catch {
    return false;
  }
}
