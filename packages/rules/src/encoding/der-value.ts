/** Decodes DER, the binary encoding of certificates and certificate requests, into tagged values. */

/** One value. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** The tags that certificates are made of. */
export const DER = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The consecutive values in the bytes, up to the first truncated one, and whether they fill the bytes. */
export function derValues(bytes: Uint8Array): { readonly values: readonly DerValue[]; readonly isWhole: boolean } {
  const values: DerValue[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first - 0x80;
    // Lengths of four bytes are enough for any body. 0x80 alone is BER's indefinite length, which DER forbids.
    if (first === 0x80 || more > 4 || at + 2 + more > bytes.length) break;
    const start = at + 2 + more;
    const end = start + (more === 0 ? first : unsigned(bytes.subarray(at + 2, start)));
    if (end > bytes.length) break;
    values.push({ tag, content: bytes.subarray(start, end) });
    at = end;
  }
  return { values, isWhole: at === bytes.length };
}

/** The values in a sequence; none for other values. */
export function sequenceValues(value: DerValue | undefined): readonly DerValue[] {
  return value?.tag === DER.sequence ? derValues(value.content).values : [];
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}
