/** Addresses of mail as Go's `mail.ParseAddress` reads them: `a@b.c` or `Name <a@b.c>`. Comments are not read. */

const EMAIL_MAX = 1024;
const ATOM = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\uffff]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])*"';
const SPEC = `(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|\\[[^\\[\\]\\\\]*\\])`;
const ADDRESS = new RegExp(`^[ \\t]*${SPEC}[ \\t]*$`);
const IN_BRACKETS = new RegExp(`^<[ \\t]*${SPEC}[ \\t]*>[ \\t]*$`);
const QUOTED_WORDS = new RegExp(QUOTED, 'g');

/** One address. */
export function isEmailText(text: string): boolean {
  if (text.length > EMAIL_MAX || !text.includes('@')) return false;
  return text.trimEnd().endsWith('>') ? isNamed(text) : ADDRESS.test(text);
}

/** The name in front is one run of words: one pattern for all of it would try all ways to part it. */
function isNamed(text: string): boolean {
  const open = text.lastIndexOf('<');
  const name = text.slice(0, open).replaceAll(QUOTED_WORDS, 'q');
  if (!/^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\uffff. \t]*$/.test(name)) return false;
  return IN_BRACKETS.test(text.slice(open));
}
