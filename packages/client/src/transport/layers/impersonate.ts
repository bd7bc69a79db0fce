/** Acting as somebody else, as `kubectl --as` does. */

import type { TransportDecorator } from '../transport.ts';
import { wrap } from './decorate.ts';

export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[] | undefined;
  readonly uid?: string | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The server decides whether we may. Throws a `TypeError` without a user, for the server would ignore the rest. */
export function impersonate({ user, groups = [], uid, extra = {} }: Impersonation): TransportDecorator {
  if (user === '') throw new TypeError('impersonation needs a user');
  const headers: Record<string, string | readonly string[]> = { 'impersonate-user': user };
  if (groups.length > 0) headers['impersonate-group'] = groups;
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  for (const [key, values] of Object.entries(extra)) headers[`impersonate-extra-${escapeKey(key)}`] = values;
  return (next) => wrap(next, (request) => next.send({ ...request, headers: { ...request.headers, ...headers } }));
}

/** Keys may have what the names of headers may not, above all `/`: percent-encoded, as client-go. */
function escapeKey(key: string): string {
  let escaped = '';
  for (const byte of new TextEncoder().encode(key.toLowerCase())) {
    const character = String.fromCharCode(byte);
    escaped += /[\w!#$&'*+.^`|~-]/u.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
