/** Authentication: the user that the credentials of a request belong to. */
import { unauthorized } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import type { ClientCertificate } from '../contract/incoming-request.ts';
import { CredentialProblem } from './credential-problem.ts';

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
  /** The names and values of all headers in turn, as sent. Front proxies name the user in them. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** The decoded path of the request: some are open to everybody. */
  readonly path?: string | undefined;
}

/** One way to authenticate a user. */
export interface Authenticator {
  /**
   * The user; undefined when the request has no credential of this kind. Throws a `CredentialProblem` or the 401
   * `StatusError` for a wrong credential.
   */
  authenticate(credentials: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** Authenticates by the bearer tokens of a token file. Other tokens are left to other authenticators. */
export function tokenAuthenticator(tokens: ReadonlyMap<string, UserInfo>): Authenticator {
  return { authenticate: ({ token }) => (token === undefined ? undefined : tokens.get(token)) };
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
      if (refusal !== undefined) throw refusal instanceof CredentialProblem ? unauthorized() : refusal;
      // A token that no authenticator knows must not be taken for anonymous: its owner would not notice.
      if (!anonymous || credentials.token !== undefined) throw unauthorized();
      return ANONYMOUS;
    },
  };
}

/** The token of an `Authorization` header; undefined for another scheme or an empty token, as in Kubernetes. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** Does the header have a token behind two spaces or more, which Kubernetes ignores? */
export function hasSpacedToken(authorization: string | undefined): boolean {
  return /^bearer {2}/iu.test((authorization ?? '').trim());
}

/** The user as a member of `system:authenticated`. */
export function authenticated(user: UserInfo): UserInfo {
  const { groups } = user;
  const isMember = groups.includes(SYSTEM.authenticated) || groups.includes(SYSTEM.unauthenticated);
  return isMember || user.name === SYSTEM.anonymous ? user : { ...user, groups: [...groups, SYSTEM.authenticated] };
}
