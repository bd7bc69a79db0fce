/** Text between double quotes as the Kubernetes messages show it (Go's `%q`). */

const NAMED: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

const NOT_PLAIN = /["\\]|[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/** Quotes `text`: printable characters stay, the others are escaped the way Go escapes them. */
export function quote(text: string): string {
  return `"${text.replace(NOT_PLAIN, (character) => NAMED[character] ?? escape(character))}"`;
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
