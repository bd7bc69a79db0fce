/** The CA certificates with which the server verifies a webhook. */

import { pemBlocks } from '../encoding/pem-blocks.ts';
import { isCertificates } from '../encoding/x509-certificate.ts';

/** Is this the base64 of one or more PEM certificates, all of them valid? */
export function isCaBundle(caBundle: string): boolean {
  const blocks = pemBlocks(caBundle, 'CERTIFICATE');
  return blocks.length > 0 && blocks.every(isCertificates);
}
