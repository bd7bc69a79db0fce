/** The subject of a certificate request (PKCS#10): organizations become the groups of the user, the common name is the user. */

import { derValues, sequenceValues } from '../../encoding/der-value.ts';
import { pemBlocks } from '../../encoding/pem-blocks.ts';

/** The OIDs 2.5.4.10, organizationName, and 2.5.4.3, commonName. */
const ORGANIZATION = '55,4,a';
const COMMON_NAME = '55,4,3';

/** The organizations in the subject of a base64 PEM request; none if it is invalid, because no signer accepts it. */
export function organizationsOf(base64: string): readonly string[] {
  return subjectValues(base64, ORGANIZATION);
}

/** The common name; `''` without one, and for an invalid request. Of several the last one counts, as in Go. */
export function commonNameOf(base64: string): string {
  return subjectValues(base64, COMMON_NAME).at(-1) ?? '';
}

function subjectValues(base64: string, attributeType: string): readonly string[] {
  const [block] = pemBlocks(base64, 'CERTIFICATE REQUEST');
  if (block === undefined) return [];
  // CertificationRequest { info { version, subject, key, ... }, algorithm, signature }
  const [request] = derValues(block).values;
  const [info] = sequenceValues(request);
  const [, subject] = sequenceValues(info);
  return sequenceValues(subject).flatMap((set) =>
    derValues(set.content).values.flatMap((attribute) => {
      const [type, value] = sequenceValues(attribute);
      return type !== undefined && value !== undefined && hexOf(type.content) === attributeType
        ? [new TextDecoder().decode(value.content)]
        : [];
    }),
  );
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16)).join(',');
}
