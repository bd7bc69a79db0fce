/** Values that are easy to read in a failure message. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The UTF-8 bytes of `content`. */
export function bytes(content: string): Uint8Array {
  return encoder.encode(content);
}

/** The text of UTF-8 bytes. */
export function text(value: Uint8Array): string {
  return decoder.decode(value);
}
