/** Base64 of JSON: the standard alphabet, with padding. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGIT_CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));
const PAD = 0x3d;
const NONE = 0xff;
const VALUES = new Uint8Array(256).fill(NONE);
for (const [value, code] of DIGIT_CODES.entries()) VALUES[code] = value;

const ascii = new TextDecoder();

/** Encodes bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PAD);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text[to] = DIGIT_CODES[bits >> 18] ?? 0;
    text[to + 1] = DIGIT_CODES[(bits >> 12) & 63] ?? 0;
    if (left > 1) text[to + 2] = DIGIT_CODES[(bits >> 6) & 63] ?? 0;
    if (left > 2) text[to + 3] = DIGIT_CODES[bits & 63] ?? 0;
    to += 4;
  }
  return ascii.decode(text);
}

/** Decodes text; what is no digit is skipped. */
export function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let [length, bits, count] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const value = VALUES[text.charCodeAt(at) & 0xff] ?? NONE;
    if (value === NONE) continue;
    bits = ((bits << 6) | value) & 0xff_ffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[length] = bits >> count;
    length += 1;
  }
  return bytes.subarray(0, length);
}
