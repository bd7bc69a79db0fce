/** Credentials that stay as they are. */

import type { UserCredentials } from './user-credentials.ts';

/** A token. */
export function bearerCredentials(token: string): UserCredentials {
  return fixed(`Bearer ${token}`);
}

/** A user and a password. API servers themselves take none since 1.19; proxies in front of them do. */
export function basicCredentials(username: string, password: string): UserCredentials {
  const bytes = String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`));
  return fixed(`Basic ${btoa(bytes)}`);
}

function fixed(authorization: string): UserCredentials {
  return {
    headers: async () => ({ authorization }),
    renew: async () => false,
  };
}
