/** Escapes such as `%20` in the parts of a URL, as Go's `net/url` has them. Texts have one character for each byte. */
import { quoted } from './go-quote.ts';

/** Where in a URL a text stands. */
export type UrlPart = 'fragment' | 'host' | 'path' | 'query' | 'user' | 'zone';

/** What is wrong with a URL. */
export class UrlProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const PLAIN: Readonly<Record<UrlPart, string>> = {
  fragment: '$&+,/:;=?@!()*',
  host: '!$&\'()*+,;=:[]<>"',
  path: '$&+,/:;=@',
  query: '',
  user: '$&+,;=',
  zone: '!$&\'()*+,;=:[]<>"',
};

/** May the character stand there without an escape? */
function isUnescaped(character: string, part: UrlPart): boolean {
  return /^[A-Za-z0-9._~-]$/.test(character) || PLAIN[part].includes(character);
}

/** The text with escapes for everything that needs one. */
export function withEscapes(bytes: string, part: UrlPart): string {
  return bytes.replace(/[^A-Za-z0-9._~-]/g, (character) => {
    if (PLAIN[part].includes(character)) return character;
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** What is wrong with the escapes of a text. */
export function escapeProblem(bytes: string): UrlProblem | undefined {
  const found = /%(?![0-9a-fA-F]{2})/.exec(bytes);
  return found === null ? undefined : invalidEscape(bytes.slice(found.index, found.index + 3));
}

/** The text without its escapes. */
export function unescaped(bytes: string, part: UrlPart): string | UrlProblem {
  const problem = part === 'host' || part === 'zone' ? hostProblem(bytes, part) : escapeProblem(bytes);
  if (problem !== undefined) return problem;
  const text = part === 'query' ? bytes.replaceAll('+', ' ') : bytes;
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function invalidEscape(escape: string): UrlProblem {
  return new UrlProblem(`invalid URL escape ${quoted(escape)}`);
}

function hostProblem(bytes: string, part: UrlPart): UrlProblem | undefined {
  for (let index = 0; index < bytes.length; index++) {
    const character = bytes.charAt(index);
    if (character === '%') {
      const escape = bytes.slice(index, index + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(escape) || !isHostEscape(escape, part)) return invalidEscape(escape);
      index += 2;
    } else if (character < '\x80' && !isUnescaped(character, part)) {
      return new UrlProblem(`invalid character ${quoted(character)} in host name`);
    }
  }
  return undefined;
}

/** A host has escapes for bytes that are not ASCII, and `%25`; a zone for what may stand in a host, and for spaces. */
function isHostEscape(escape: string, part: UrlPart): boolean {
  if (escape === '%25') return true;
  const code = Number.parseInt(escape.slice(1), 16);
  return part === 'host' ? code >= 0x80 : code === 0x20 || isUnescaped(String.fromCharCode(code), 'host');
}
