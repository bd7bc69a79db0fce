/** URLs as Go's `net/url` reads them. It differs from WHATWG: nothing is normalized, and more is refused. */

import { byteText, quoted, textOfBytes } from './go-quote.ts';
import { AddressProblem, parseNetip } from './netip-address.ts';
import { escapeProblem, UrlProblem, unescaped, withEscapes } from './url-escape.ts';

/** The parts of a URL. Texts are bytes (`byteText`) until they leave it. */
export class GoUrl {
  readonly scheme: string;
  readonly #opaque: string;
  readonly #user: string | undefined;
  readonly #host: string;
  readonly #path: string;
  readonly #query: string | undefined;
  readonly #fragment: string;
  readonly #omitsHost: boolean;

  constructor(parts: UrlParts, fragment: string) {
    this.scheme = parts.scheme;
    this.#opaque = parts.opaque;
    this.#user = parts.user;
    this.#host = parts.host;
    this.#path = parts.path;
    this.#query = parts.query;
    this.#omitsHost = parts.omitsHost;
    this.#fragment = fragment;
  }

  /** Host and port. */
  get host(): string {
    return textOfBytes(this.#host);
  }

  /** The host without brackets and port. */
  get hostname(): string {
    const { hostname } = this.#splitHost();
    return textOfBytes(hostname);
  }

  get port(): string {
    return this.#splitHost().port;
  }

  /** The path as it was written where that is valid, else with escapes. */
  get escapedPath(): string {
    if (isValid(this.#path, 'path')) return textOfBytes(this.#path);
    const path = unescaped(this.#path, 'path');
    return path instanceof UrlProblem ? '' : withEscapes(path, 'path');
  }

  /** Names and values of the query. Pairs that cannot be read are left out. */
  get query(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    const pairs = (this.#query ?? '').split('&');
    if (pairs.length > MAX_PARAMETERS) return found;
    for (const pair of pairs) {
      if (pair === '' || pair.includes(';')) continue;
      const equals = pair.indexOf('=');
      const key = unescaped(equals < 0 ? pair : pair.slice(0, equals), 'query');
      const value = unescaped(equals < 0 ? '' : pair.slice(equals + 1), 'query');
      if (key instanceof UrlProblem || value instanceof UrlProblem) continue;
      const values = found.get(textOfBytes(key));
      if (values === undefined) found.set(textOfBytes(key), [textOfBytes(value)]);
      else values.push(textOfBytes(value));
    }
    return found;
  }

  /** The URL as Go prints it. */
  toString(): string {
    let text = this.scheme === '' ? '' : `${this.scheme}:`;
    if (this.#opaque === '') {
      text += this.#authority();
      const path = this.escapedPath;
      if (path !== '' && !path.startsWith('/') && this.#host !== '') text += '/';
      if (text === '' && (path.split('/')[0] ?? '').includes(':')) text += './';
      text += path;
    } else {
      text += textOfBytes(this.#opaque);
    }
    if (this.#query !== undefined) text += `?${textOfBytes(this.#query)}`;
    return this.#fragment === '' ? text : `${text}#${this.#escapedFragment()}`;
  }

  #authority(): string {
    if (this.scheme === '' && this.#host === '' && this.#user === undefined) return '';
    if (this.#omitsHost && this.#host === '' && this.#user === undefined) return '';
    const user = this.#user === undefined ? '' : `${this.#user}@`;
    const slashes = this.#host !== '' || this.#path !== '' || this.#user !== undefined ? '//' : '';
    return `${slashes}${user}${withEscapes(this.#host, 'host')}`;
  }

  #escapedFragment(): string {
    const fragment = unescaped(this.#fragment, 'fragment');
    if (fragment instanceof UrlProblem || isValid(this.#fragment, 'fragment')) return textOfBytes(this.#fragment);
    return withEscapes(fragment, 'fragment');
  }

  #splitHost(): { readonly hostname: string; readonly port: string } {
    const colon = this.#host.lastIndexOf(':');
    const hasPort = colon >= 0 && isPort(this.#host.slice(colon));
    const hostname = hasPort ? this.#host.slice(0, colon) : this.#host;
    const port = hasPort ? this.#host.slice(colon + 1) : '';
    const isBracketed = hostname.startsWith('[') && hostname.endsWith(']');
    return { hostname: isBracketed ? hostname.slice(1, -1) : hostname, port };
  }
}

interface UrlParts {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: string | undefined;
  readonly host: string;
  /** As it was written. */
  readonly path: string;
  readonly query: string | undefined;
  readonly omitsHost: boolean;
}

const MAX_PARAMETERS = 10_000;

/**
 * Reads a URL that a request could be for: an absolute one, or a path from the root. First it must be valid as a whole, then
 * its fragment is cut off, as Kubernetes does.
 */
export function parseRequestUrl(text: string): GoUrl | UrlProblem {
  const whole = byteText(text);
  const request = parseParts(whole, true);
  if (request instanceof UrlProblem) return new UrlProblem(`parse ${quoted(text)}: ${request.message}`);
  const hash = whole.indexOf('#');
  const front = hash < 0 ? whole : whole.slice(0, hash);
  const parts = parseParts(front, false);
  if (parts instanceof UrlProblem) return new UrlProblem(`parse ${quoted(textOfBytes(front))}: ${parts.message}`);
  const rawFragment = hash < 0 ? '' : whole.slice(hash + 1);
  const fragment = unescaped(rawFragment, 'fragment');
  if (fragment instanceof UrlProblem) return new UrlProblem(`parse ${quoted(text)}: ${fragment.message}`);
  return new GoUrl(parts, rawFragment);
}

/** What is wrong with a text as a URL of a request; `undefined` when nothing is. */
export function requestUrlProblem(text: string): string | undefined {
  const parts = parseParts(byteText(text), true);
  return parts instanceof UrlProblem ? `parse ${quoted(text)}: ${parts.message}` : undefined;
}

function parseParts(text: string, isRequest: boolean): UrlParts | UrlProblem {
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(text)) return new UrlProblem('net/url: invalid control character in URL');
  if (text === '' && isRequest) return new UrlProblem('empty url');
  const empty = { scheme: '', opaque: '', user: undefined, host: '', query: undefined, omitsHost: false };
  if (text === '*') return { ...empty, path: '*' };
  if (text.startsWith(':')) return new UrlProblem('missing protocol scheme');
  const scheme = (/^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '').toLowerCase();
  const behind = scheme === '' ? text : text.slice(scheme.length + 1);
  const mark = behind.indexOf('?');
  const query = mark < 0 ? undefined : behind.slice(mark + 1);
  let rest = mark < 0 ? behind : behind.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, scheme, opaque: rest, query, path: '' };
    if (isRequest) return new UrlProblem('invalid URI for request');
    if ((rest.split('/')[0] ?? '').includes(':')) {
      return new UrlProblem('first path segment in URL cannot contain colon');
    }
  }
  let authority: Authority | UrlProblem = { user: undefined, host: '' };
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));
  if (hasAuthority) {
    const slash = rest.indexOf('/', 2);
    authority = parseAuthority(scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    rest = slash < 0 ? '' : rest.slice(slash);
  }
  if (authority instanceof UrlProblem) return authority;
  const problem = escapeProblem(rest);
  if (problem !== undefined) return problem;
  return { scheme, opaque: '', ...authority, path: rest, query, omitsHost: !hasAuthority && scheme !== '' };
}

interface Authority {
  /** With escapes; `undefined` without a user. */
  readonly user: string | undefined;
  readonly host: string;
}

function parseAuthority(scheme: string, text: string): Authority | UrlProblem {
  const at = text.lastIndexOf('@');
  const host = parseHost(scheme, text.slice(at + 1));
  if (host instanceof UrlProblem) return host;
  if (at < 0) return { user: undefined, host };
  const user = text.slice(0, at);
  if (!/^[\w.:~!$&'()*+,;=%@-]*$/.test(user)) return new UrlProblem('net/url: invalid userinfo');
  const colon = user.indexOf(':');
  const names = colon < 0 ? [user] : [user.slice(0, colon), user.slice(colon + 1)];
  const escapedNames: string[] = [];
  for (const name of names) {
    const plain = unescaped(name, 'user');
    if (plain instanceof UrlProblem) return plain;
    escapedNames.push(withEscapes(plain, 'user'));
  }
  return { user: escapedNames.join(':'), host };
}

function parseHost(scheme: string, host: string): string | UrlProblem {
  const open = host.lastIndexOf('[');
  if (open > 0) return new UrlProblem('invalid IP-literal');
  if (open === 0) return parseIpHost(host);
  const colon = host.indexOf(':');
  if (colon >= 0) {
    const isStrict = scheme === 'http' || scheme === 'https';
    const port = host.slice(isStrict ? colon : host.lastIndexOf(':'));
    if (!isPort(port)) return new UrlProblem(`invalid port ${quoted(textOfBytes(port))} after host`);
  }
  return unescaped(host, 'host');
}

function parseIpHost(host: string): string | UrlProblem {
  const close = host.lastIndexOf(']');
  if (close < 0) return new UrlProblem("missing ']' in host");
  const port = host.slice(close + 1);
  if (!isPort(port)) return new UrlProblem(`invalid port ${quoted(textOfBytes(port))} after host`);
  const literal = host.slice(1, close);
  const zone = literal.indexOf('%25');
  const front = unescaped(zone < 0 ? literal : literal.slice(0, zone), 'host');
  if (front instanceof UrlProblem) return front;
  const back = zone < 0 ? '' : unescaped(literal.slice(zone), 'zone');
  if (back instanceof UrlProblem) return back;
  const address = parseNetip(front + back);
  if (address instanceof AddressProblem) return new UrlProblem(`invalid host: ${address.message}`);
  if (address.bytes.length === 4) return new UrlProblem('invalid IP-literal');
  return `[${front}${back}]${port}`;
}

function isPort(text: string): boolean {
  return /^(?::[0-9]*)?$/.test(text);
}

const VALID: Readonly<Record<'fragment' | 'path', RegExp>> = {
  fragment: /^[A-Za-z0-9._~!$&'()*+,;=:@[\]%/?-]*$/,
  path: /^[A-Za-z0-9._~!$&'()*+,;=:@[\]%/-]*$/,
};

/** May the text stand in the URL as it is? */
function isValid(text: string, part: 'fragment' | 'path'): boolean {
  return VALID[part].test(text);
}
