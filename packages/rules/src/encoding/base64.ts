/** Base64 for `data` of a Secret. Does not use `Buffer`, because the rules also run in browsers. */

const DIGITS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PADDING = 0x3d;

/** The base64 of a text in UTF-8. `btoa` needs a binary string, and building one takes ten times as long. */
export function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const digits = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const bits = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    digits[to] = digit(bits >> 18);
    digits[to + 1] = digit(bits >> 12);
    digits[to + 2] = from + 1 < bytes.length ? digit(bits >> 6) : PADDING;
    digits[to + 3] = from + 2 < bytes.length ? digit(bits) : PADDING;
  }
  return new TextDecoder().decode(digits);
}

function digit(bits: number): number {
  return DIGITS[bits & 63] ?? PADDING;
}

/** The bytes as a binary string. Ignores characters that are not base64, and an incomplete byte at the end. */
export function binaryOf(base64: string): string {
  const digits = base64.replace(/=[\s\S]*$|[^A-Za-z0-9+/]/gu, '');
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
}

/** The bytes; as lenient as `binaryOf`. */
export function bytesOf(base64: string): Uint8Array {
  const binary = binaryOf(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The number of bytes that base64 text of this length holds. */
export function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}
