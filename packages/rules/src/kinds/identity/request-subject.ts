/** The organizations in a certificate request (PKCS#10): the groups that its certificate would be for. */

const SEQUENCE = 0x30;
/** 2.5.4.10, the organization. */
const ORGANIZATION = '55040a';

/** The organizations in the subject of a PEM in base64; none of what cannot be read: no signer would take it. */
export function organizationsOf(base64: string): readonly string[] {
  const pem = Buffer.from(base64, 'base64').toString('latin1');
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END/.exec(pem)?.[1];
  if (body === undefined) return [];
  // CertificationRequest { info { version, subject, key, ... }, algorithm, signature }
  const [request] = valuesOf(Buffer.from(body, 'base64'));
  const [info] = contentOf(request);
  const [, subject] = contentOf(info);
  return contentOf(subject).flatMap((set) =>
    valuesOf(set.content).flatMap((attribute) => {
      const [type, value] = contentOf(attribute);
      return type?.content.toString('hex') === ORGANIZATION && value !== undefined ? [value.content.toString()] : [];
    }),
  );
}

interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
}

function contentOf(value: DerValue | undefined): readonly DerValue[] {
  return value?.tag === SEQUENCE ? valuesOf(value.content) : [];
}

/** The values in a row of bytes, up to the first that is cut off. */
function valuesOf(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const more = first < 0x80 ? 0 : first - 0x80;
    // Four bytes are enough for what a body may hold.
    if (more > 4 || at + 2 + more > bytes.length) break;
    const length = more === 0 ? (first < 0x80 ? first : Number.POSITIVE_INFINITY) : bytes.readUIntBE(at + 2, more);
    const start = at + 2 + more;
    if (start + length > bytes.length) break;
    values.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}
