/** Commands that people copy from what we print. */

/** A text as one word of a shell: unchanged where it is safe, otherwise in quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
