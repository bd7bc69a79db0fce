/** The certificates that a webhook is trusted by. */

import { pemBlocks } from '../encoding/pem-blocks.ts';
import { isCertificates } from '../encoding/x509-certificate.ts';

/** Is this the base64 of at least one certificate in PEM, and of no broken one? */
export function isCaBundle(caBundle: string): boolean {
  const blocks = pemBlocks(caBundle, 'CERTIFICATE');
  return blocks.length > 0 && blocks.every(isCertificates);
}
