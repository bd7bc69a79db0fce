/** Authentication: the user that the credentials of a request belong to. */
import { unauthorized } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import type { ClientCertificate } from '../contract/incoming-request.ts';

/** Names of users and groups that the server itself uses. */
export const SYSTEM = {
  anonymous: 'system:anonymous',
  authenticated: 'system:authenticated',
  masters: 'system:masters',
  unauthenticated: 'system:unauthenticated',
} as const;

/** The user of a request without credentials. */
export const ANONYMOUS: UserInfo = Object.freeze({ name: SYSTEM.anonymous, groups: [SYSTEM.unauthenticated] });

/** The credentials of a request. */
export interface Credentials {
  readonly certificate?: ClientCertificate | undefined;
  /** The bearer token, without the word `Bearer`. */
  readonly token?: string | undefined;
}

/** One way to authenticate a user. */
export interface Authenticator {
  /**
   * The user; undefined when the request has no credential of this kind. Throws the 401 `StatusError` for a wrong
   * credential.
   */
  authenticate(credentials: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** Authenticates by the bearer tokens of a token file. */
export function tokenAuthenticator(tokens: ReadonlyMap<string, UserInfo>): Authenticator {
  return {
    authenticate({ token }) {
      if (token === undefined) return undefined;
      const user = tokens.get(token);
      if (user === undefined) throw unauthorized();
      return user;
    },
  };
}

/** Knows users by client certificates: the common name is the user, the organizations are the groups. */
export function certificateAuthenticator(): Authenticator {
  return {
    authenticate({ certificate }) {
      if (certificate === undefined) return undefined;
      if (!certificate.trusted || certificate.commonName === '') throw unauthorized();
      return { name: certificate.commonName, groups: certificate.organizations };
    },
  };
}

/**
 * Tries each in turn. The first that returns a user decides, and adds the group `system:authenticated`. A wrong credential
 * does not count when another one is right. A request without any credential is anonymous; with `anonymous: false` it is
 * a 401.
 */
export function firstAuthenticator(
  authenticators: readonly Authenticator[],
  options: { readonly anonymous?: boolean | undefined } = {},
): Authenticator {
  const { anonymous = true } = options;
  return {
    async authenticate(credentials) {
      let refusal: unknown;
      for (const authenticator of authenticators) {
        try {
          const user = await authenticator.authenticate(credentials);
          if (user !== undefined) return authenticated(user);
        } catch (error) {
          refusal ??= error;
        }
      }
      if (refusal !== undefined) throw refusal;
      // A token that no authenticator knows must not be taken for anonymous: its owner would not notice.
      if (!anonymous || credentials.token !== undefined) throw unauthorized();
      return ANONYMOUS;
    },
  };
}

/** The token of an `Authorization` header; undefined for another scheme or an empty token, as in Kubernetes. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** The user as a member of `system:authenticated`. */
export function authenticated(user: UserInfo): UserInfo {
  return user.name === SYSTEM.anonymous || user.groups.includes(SYSTEM.authenticated)
    ? user
    : { ...user, groups: [...user.groups, SYSTEM.authenticated] };
}
