/** Text as Go has it: bytes in UTF-8, and quoted in messages. */

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
// eslint-disable-next-line no-control-regex
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const ASCII = /^\p{ASCII}*$/u;
const PRINTED = /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/** The text as `%q` prints it. */
export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let result = '"';
  for (const character of text) result += SHORT[character] ?? escaped(character);
  return `${result}"`;
}

function escaped(character: string): string {
  if (PRINTED.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** One character for each byte of the UTF-8 form. */
export function byteText(text: string): string {
  if (ASCII.test(text)) return text;
  let result = '';
  for (const byte of ENCODER.encode(text)) result += String.fromCharCode(byte);
  return result;
}

/** The text whose bytes these are. */
export function textOfBytes(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  return DECODER.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** How many bytes it has in UTF-8. */
export function byteLength(text: string): number {
  return ASCII.test(text) ? text.length : ENCODER.encode(text).length;
}
