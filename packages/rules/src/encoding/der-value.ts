/** DER: the bytes of certificates and requests, as values with a tag. */

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

/** The values in a row of bytes up to the first that is cut off, and whether that was all. */
export function derValues(bytes: Uint8Array): { readonly values: readonly DerValue[]; readonly isWhole: boolean } {
  const values: DerValue[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first - 0x80;
    // Four bytes of a length are enough for what a body may hold; none after 0x80 would be BER's value without a length.
    if (first === 0x80 || more > 4 || at + 2 + more > bytes.length) break;
    const start = at + 2 + more;
    const end = start + (more === 0 ? first : unsigned(bytes.subarray(at + 2, start)));
    if (end > bytes.length) break;
    values.push({ tag, content: bytes.subarray(start, end) });
    at = end;
  }
  return { values, isWhole: at === bytes.length };
}

/** The values in a sequence; none in anything else. */
export function sequenceValues(value: DerValue | undefined): readonly DerValue[] {
  return value?.tag === DER.sequence ? derValues(value.content).values : [];
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}
