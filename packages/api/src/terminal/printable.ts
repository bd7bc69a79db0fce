/** Makes text from a server, a file or a user safe for a terminal and for a line of a log. */

/**
 * Control characters (C0, DEL, C1), which move the cursor or end the line; format characters, among them those that reverse the
 * direction of text; line separators; halves of surrogate pairs.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The same beyond ASCII, for JSON, which escapes all below by itself. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Nearly every line is so, and to look for single classes takes ten times as long. */
const PLAIN = /^[\n -~]*$/u;

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

/** One line: every unsafe character as an escape, such as `\n` or `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (char) => SHORT.get(char) ?? escapeOf(char));
}

/** The same, but newlines stay: for stacks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON with every unsafe character escaped; it means the same. */
export function printableJson(json: string): string {
  return PLAIN.test(json) ? json : json.replaceAll(UNSAFE_IN_JSON, escapeOf);
}

/** `\u` and four digits, twice for a character beyond U+FFFF: as JSON has it. */
function escapeOf(char: string): string {
  let escaped = '';
  for (let i = 0; i < char.length; i += 1) escaped += `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return escaped;
}
