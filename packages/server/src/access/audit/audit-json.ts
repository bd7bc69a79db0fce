/** Texts in JSON as Go writes them. */

const ESCAPED = /[<>&\u2028\u2029]/u;
const ALL_ESCAPED = /[<>&\u2028\u2029]/gu;

/** A text as JSON. Go also escapes what HTML gives a meaning to. */
export function auditText(text: string): string {
  const json = JSON.stringify(text);
  return ESCAPED.test(json) ? json.replaceAll(ALL_ESCAPED, escaped) : json;
}

/** A value as JSON, likewise. */
export function auditJson(value: unknown): string {
  const json = JSON.stringify(value);
  return ESCAPED.test(json) ? json.replaceAll(ALL_ESCAPED, escaped) : json;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Node reads the bytes of a header as Latin-1, senders mean UTF-8. */
export function headerUtf8(value: string): string {
  if (!/[\x80-\xff]/u.test(value) || /[^\0-\xff]/u.test(value)) return value;
  return Buffer.from(value, 'latin1').toString();
}
