/** The organizations in a certificate request (PKCS#10), which become the groups of the user. */

import { derValues, sequenceValues } from '../../encoding/der-value.ts';
import { pemBlocks } from '../../encoding/pem-blocks.ts';

/** The OID 2.5.4.10: organizationName. */
const ORGANIZATION = '55,4,a';

/** The organizations in the subject of a base64 PEM request; none if it is invalid, because no signer accepts it. */
export function organizationsOf(base64: string): readonly string[] {
  const [block] = pemBlocks(base64, 'CERTIFICATE REQUEST');
  if (block === undefined) return [];
  // CertificationRequest { info { version, subject, key, ... }, algorithm, signature }
  const [request] = derValues(block).values;
  const [info] = sequenceValues(request);
  const [, subject] = sequenceValues(info);
  return sequenceValues(subject).flatMap((set) =>
    derValues(set.content).values.flatMap((attribute) => {
      const [type, value] = sequenceValues(attribute);
      return type !== undefined && value !== undefined && hexOf(type.content) === ORGANIZATION
        ? [new TextDecoder().decode(value.content)]
        : [];
    }),
  );
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16)).join(',');
}
