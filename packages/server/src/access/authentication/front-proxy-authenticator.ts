/** Authenticates by the headers of a front proxy: a client with a certificate of its own that names the user. */

import type { UserInfo } from '../../contract/api-request.ts';
import type { Authenticator } from '../authenticator.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { utf8Header } from '../utf8-header.ts';

/** Which headers name the user, and whose headers count. Names are matched in any case. */
export interface RequestHeaderOptions {
  /** The common names of proxies. Default: any that the authority signed. */
  readonly allowedNames?: readonly string[] | undefined;
  /** The first that is sent counts. Default: `X-Remote-User`. */
  readonly usernameHeaders?: readonly string[] | undefined;
  /** Default: none. */
  readonly uidHeaders?: readonly string[] | undefined;
  /** All values of all of them count. Default: `X-Remote-Group`. */
  readonly groupHeaders?: readonly string[] | undefined;
  /** Default: `X-Remote-Extra-`. */
  readonly extraHeaderPrefixes?: readonly string[] | undefined;
}

/** Throws a `TypeError` for an empty name of a header. */
export function frontProxyAuthenticator(options: RequestHeaderOptions): Authenticator {
  const names = lowered(options);
  return {
    authenticate({ certificate, rawHeaders = [] }) {
      const values = valuesByHeader(rawHeaders);
      const first = (headers: readonly string[]): string =>
        headers.map((header) => values.get(header)?.[0] ?? '').find((value) => value !== '') ?? '';
      const name = first(names.user);
      if (name === '') return undefined;
      // Without a certificate there is no proxy: the headers are somebody's own words.
      if (certificate === undefined) return undefined;
      if (certificate.isFrontProxy !== true) throw new CredentialProblem('x509: not a certificate of a front proxy');
      const { commonName } = certificate;
      if (names.allowed.length > 0 && !names.allowed.includes(commonName)) {
        throw new CredentialProblem(`x509: subject with cn=${commonName} is not in the allowed list`);
      }
      const uid = first(names.uid);
      const extra = extraOf(values, names.extra);
      return {
        name,
        ...(uid === '' ? {} : { uid }),
        groups: names.group.flatMap((header) => values.get(header) ?? []).filter((group) => group !== ''),
        ...(extra === undefined ? {} : { extra }),
      } satisfies UserInfo;
    },
  };
}

/** Is this, in lower case, one of the headers that name a user? A backend that trusts the same names must get only those of this server. */
export function userHeaderTest(options: RequestHeaderOptions): (name: string) => boolean {
  const { user, uid, group, extra } = lowered(options);
  const names = new Set([...user, ...uid, ...group]);
  return (name) => names.has(name) || extra.some((prefix) => name.startsWith(prefix));
}

interface HeaderNames {
  readonly allowed: readonly string[];
  readonly user: readonly string[];
  readonly uid: readonly string[];
  readonly group: readonly string[];
  readonly extra: readonly string[];
}

function lowered(options: RequestHeaderOptions): HeaderNames {
  const { allowedNames = [], usernameHeaders = ['x-remote-user'], uidHeaders = [] } = options;
  const { groupHeaders = ['x-remote-group'], extraHeaderPrefixes = ['x-remote-extra-'] } = options;
  return {
    allowed: allowedNames,
    user: lower(usernameHeaders, 'usernameHeaders'),
    uid: lower(uidHeaders, 'uidHeaders'),
    group: lower(groupHeaders, 'groupHeaders'),
    extra: lower(extraHeaderPrefixes, 'extraHeaderPrefixes'),
  };
}

function lower(list: readonly string[], option: string): readonly string[] {
  if (list.some((name) => name.trim() === '')) throw new TypeError(`requestHeader.${option} has an empty name`);
  return list.map((name) => name.trim().toLowerCase());
}

function valuesByHeader(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = utf8Header(rawHeaders[index + 1] ?? '');
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

function extraOf(
  values: ReadonlyMap<string, readonly string[]>,
  prefixes: readonly string[],
): UserInfo['extra'] | undefined {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [header, texts] of values) {
      if (!header.startsWith(prefix) || header.length === prefix.length) continue;
      const key = decodedKey(header.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...texts]);
    }
  }
  return extra.size === 0 ? undefined : Object.fromEntries(extra);
}

function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
