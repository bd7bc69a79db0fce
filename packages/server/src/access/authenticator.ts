/** Who asks: from the credentials of a request to a user. */
import { unauthorized } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import type { ClientCertificate } from '../contract/arrival.ts';

/** The name and the groups of users that the server itself knows. */
export const SYSTEM = {
  anonymous: 'system:anonymous',
  authenticated: 'system:authenticated',
  masters: 'system:masters',
  unauthenticated: 'system:unauthenticated',
} as const;

/** Who a request without any credential is from. */
export const ANONYMOUS: UserInfo = Object.freeze({ name: SYSTEM.anonymous, groups: [SYSTEM.unauthenticated] });

/** What a request shows of its sender. */
export interface Credentials {
  readonly certificate?: ClientCertificate | undefined;
  /** The bearer token, without the word `Bearer`. */
  readonly token?: string | undefined;
}

/** One way to know a user. */
export interface Authenticator {
  /**
   * The user; undefined when the request shows no credential of this kind. Throws the 401 `StatusError` for a credential
   * that is wrong.
   */
  authenticate(credentials: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** Knows users by the bearer tokens of a token file. */
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
 * Asks each in turn; the first that knows the user decides, and the user joins `system:authenticated`. A wrong
 * credential is forgiven when another one is right. With no credential at all the user is anonymous, unless
 * `anonymous` is false: then it is 401.
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
      // A token that nobody looked at must not pass for no token: its owner believes to be somebody.
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
