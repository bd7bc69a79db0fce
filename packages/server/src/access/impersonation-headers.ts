/** The `Impersonate-*` headers: the user that a request wants to act as. */

import { badRequest, quote } from '@listwatch/api';
import { utf8Header } from './utf8-header.ts';

/** The user as the headers name it, before anything is added to it. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const PREFIX = 'impersonate-';
const EXTRA_PREFIX = `${PREFIX}extra-`;
const LETTER_I = 'i'.charCodeAt(0);
const TO_LOWER_CASE = 0x20;

/** Is this one of the headers? `name` may be in any case. */
export function isImpersonationHeader(name: string): boolean {
  // By the first letter, for most headers: this is done for every header of every request.
  return (name.charCodeAt(0) | TO_LOWER_CASE) === LETTER_I && name.slice(0, PREFIX.length).toLowerCase() === PREFIX;
}

/**
 * Reads the headers, given as names and values in turn. Undefined when none asks for impersonation. Throws the 400
 * `StatusError` when groups, a uid or extras come without a user.
 */
export function readImpersonation(rawHeaders: readonly string[]): WantedUser | undefined {
  let wanted: Wanted | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!isImpersonationHeader(name)) continue;
    wanted ??= { name: '', uid: '', groups: [], extra: new Map() };
    add(wanted, name.toLowerCase(), utf8Header(rawHeaders[index + 1] ?? ''));
  }
  if (wanted === undefined || wanted.name !== '') return wanted;
  if (wanted.uid === '' && wanted.groups.length === 0 && wanted.extra.size === 0) return undefined;
  throw badRequest(`requested ${goText(wanted)} without impersonating a user name`);
}

interface Wanted extends WantedUser {
  name: string;
  uid: string;
  readonly groups: string[];
  readonly extra: Map<string, string[]>;
}

function add(wanted: Wanted, header: string, value: string): void {
  if (header === 'impersonate-group') wanted.groups.push(value);
  // Of a user or a uid that is given twice the first counts.
  else if (header === 'impersonate-user') wanted.name ||= value;
  else if (header === 'impersonate-uid') wanted.uid ||= value;
  else if (header.startsWith(EXTRA_PREFIX)) {
    const key = unescapeKey(header.slice(EXTRA_PREFIX.length));
    const values = wanted.extra.get(key);
    if (values === undefined) wanted.extra.set(key, [value]);
    else values.push(value);
  }
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The user as Go's `%#v` prints it. */
function goText({ uid, groups, extra }: WantedUser): string {
  const pairs = [...extra].map(([key, values]) => `${quote(key)}:${goList(values)}`);
  const map = `map[string][]string${pairs.length === 0 ? '(nil)' : `{${pairs.join(', ')}}`}`;
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${goList(groups)}, Extra:${map}}`;
}

function goList(values: readonly string[]): string {
  return `[]string${values.length === 0 ? '(nil)' : `{${values.map((value) => quote(value)).join(', ')}}`}`;
}
