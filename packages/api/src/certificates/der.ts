/** The few forms of ASN.1 DER that a certificate is made of, each as its bytes. */

/** Tags, by their names in X.690. */
const TAG = Object.freeze({
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** One value: tag, length, content. */
function value(tag: number, content: Uint8Array): Uint8Array {
  return joined([Uint8Array.of(tag), lengthOf(content.length), content]);
}

/** Below 128 the length is its own byte; above, the first byte says how many bytes of length follow. */
function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.from([length]);
  const bytes = unsignedBytes(length);
  return Uint8Array.from([0x80 | bytes.length, ...bytes]);
}

/** Big-endian, without leading zeros. */
function unsignedBytes(number: number): readonly number[] {
  const bytes: number[] = [];
  for (let rest = number; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
}

/** A SEQUENCE of what is given. */
export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return value(TAG.sequence, joined(items));
}

/** A SET of one: DER sorts the items of larger ones, and nothing here needs them. */
export function setOf(item: Uint8Array): Uint8Array {
  return value(TAG.set, item);
}

/** BOOLEAN TRUE. FALSE is every default here, and DER leaves defaults out. */
export function trueValue(): Uint8Array {
  return value(TAG.boolean, Uint8Array.from([0xff]));
}

/** An INTEGER that is not negative, from its big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.from([0]) : bytes.subarray(first);
  // A first bit of 1 would be the sign: the number would be read as negative, and Go refuses such serials.
  return value(TAG.integer, (digits[0] ?? 0) >= 0x80 ? joined([Uint8Array.of(0), digits]) : digits);
}

/** A BIT STRING of whole bytes, or with the last `unused` bits left out. */
export function bitString(bytes: Uint8Array, unused = 0): Uint8Array {
  return value(TAG.bitString, joined([Uint8Array.of(unused), bytes]));
}

/** An OCTET STRING. */
export function octetString(bytes: Uint8Array): Uint8Array {
  return value(TAG.octetString, bytes);
}

/** A UTF8String. */
export function utf8String(text: string): Uint8Array {
  return value(TAG.utf8String, new TextEncoder().encode(text));
}

/** An OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return value(TAG.objectIdentifier, Uint8Array.from([40 * first + second, ...rest.flatMap(base128)]));
}

/** Seven bits a byte, the highest bit set on all but the last. */
function base128(number: number): readonly number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 | (rest % 128));
  }
  return bytes;
}

/** A time, to the second: two digits for the year up to 2049 and four from then on, as RFC 5280 demands. */
export function time(date: Date): Uint8Array {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/gu, '');
  return date.getUTCFullYear() < 2050
    ? value(TAG.utcTime, new TextEncoder().encode(digits.slice(2)))
    : value(TAG.generalizedTime, new TextEncoder().encode(digits));
}

/** A context tag around a whole value: `[number] EXPLICIT`. */
export function explicit(number: number, content: Uint8Array): Uint8Array {
  return value(0xa0 | number, content);
}

/** A context tag instead of the value's own, for a value without parts: `[number] IMPLICIT`. */
export function implicit(number: number, content: Uint8Array): Uint8Array {
  return value(0x80 | number, content);
}
