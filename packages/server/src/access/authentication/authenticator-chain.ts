/** All ways to authenticate a user, in the order of kube-apiserver. */

import { isUnauthorized, unauthorized } from '@listwatch/api';
import type { UserInfo } from '../../contract/api-request.ts';
import { ANONYMOUS, type Authenticator, authenticated, type Credentials, SYSTEM } from '../authenticator.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { AuthenticationCounts } from './authentication-counts.ts';

/** Who may come without credentials: everybody, nobody, or everybody to these paths. */
export type AnonymousAccess = boolean | { readonly paths: readonly string[] };

/** What a chain is made of. */
export interface AuthenticatorChainParts {
  /** For what is not a bearer token; they come first. */
  readonly identity: readonly Authenticator[];
  readonly tokens: readonly Authenticator[];
  /**
   * The authenticator that a program brings. Without a client certificate it comes after `tokens`, so that one that knows
   * every token does not hide them.
   */
  readonly given?: Authenticator | undefined;
  readonly anonymous?: AnonymousAccess | undefined;
  /** Hears why a request was refused with 401. It must not throw. Default: nobody hears. */
  readonly onRefused?: ((problem: string) => void) | undefined;
}

/** The text of a TokenReview about a token that nobody knows. */
export const INVALID_TOKEN = 'invalid bearer token';

/**
 * The first success decides. An error of one authenticator does not end the chain, but when nobody knows the user the
 * request is refused and not anonymous: the owner of a wrong credential would not notice.
 */
export class AuthenticatorChain implements Authenticator {
  readonly counts: AuthenticationCounts = new AuthenticationCounts();
  readonly #tokenFirst: readonly Authenticator[];
  readonly #identityFirst: readonly Authenticator[];
  readonly #tokenSteps: readonly Authenticator[];
  readonly #isOpen: (path: string) => boolean;
  readonly #onRefused: ((problem: string) => void) | undefined;

  constructor({ identity, tokens, given, anonymous = true, onRefused }: AuthenticatorChainParts) {
    const own = given === undefined ? [] : [given];
    this.#tokenFirst = [...identity, ...tokens, ...own];
    this.#identityFirst = [...identity, ...own, ...tokens];
    this.#tokenSteps = [...tokens, ...own];
    this.#isOpen = opennessOf(anonymous);
    this.#onRefused = onRefused;
  }

  /** The user, anonymous if that is allowed. Throws the 401 `StatusError`. */
  async authenticate(credentials: Credentials): Promise<UserInfo> {
    const steps = credentials.certificate === undefined ? this.#tokenFirst : this.#identityFirst;
    const { user, isRefused, problems } = await this.#try(steps, credentials);
    if (user !== undefined && user.name !== SYSTEM.anonymous) {
      this.counts.success(user.name);
      return authenticated(user);
    }
    if (isRefused || credentials.token !== undefined) {
      this.counts.attempts.error += 1;
      const reasons = [...(credentials.token === undefined ? [] : [INVALID_TOKEN]), ...problems];
      this.#onRefused?.(reasons.join(', '));
      throw unauthorized();
    }
    if (user === undefined && !this.#isOpen(credentials.path ?? '')) {
      this.counts.attempts.failure += 1;
      throw unauthorized();
    }
    this.counts.success(SYSTEM.anonymous);
    return user ?? ANONYMOUS;
  }

  /** The owner of a bearer token. Throws a `CredentialProblem` that says why it is refused, as TokenReviews do. */
  async ownerOf(token: string): Promise<UserInfo> {
    const { user, problems } = await this.#try(this.#tokenSteps, { token });
    if (user !== undefined && user.name !== SYSTEM.anonymous) return authenticated(user);
    throw new CredentialProblem(problems.length === 0 ? INVALID_TOKEN : `[${[INVALID_TOKEN, ...problems].join(', ')}]`);
  }

  async #try(steps: readonly Authenticator[], credentials: Credentials): Promise<Outcome> {
    const problems: string[] = [];
    let isRefused = false;
    let failure: unknown;
    let fallback: UserInfo | undefined;
    for (const step of steps) {
      try {
        const outcome = step.authenticate(credentials);
        const user = outcome instanceof Promise ? await outcome : outcome;
        // A program's own authenticator may take what it does not know for anonymous; the others still come.
        if (user?.name === SYSTEM.anonymous) fallback = user;
        else if (user !== undefined) return { user, isRefused, problems };
      } catch (error) {
        isRefused = true;
        if (error instanceof CredentialProblem) problems.push(error.message);
        else if (!isUnauthorized(error)) failure ??= error;
      }
    }
    // Not the fault of the credential: a cache that is not filled yet, or a bug. A 401 would make clients log in again.
    if (failure !== undefined) throw failure;
    return { user: fallback, isRefused, problems };
  }
}

interface Outcome {
  readonly user: UserInfo | undefined;
  /** Has an authenticator said that a credential is wrong? */
  readonly isRefused: boolean;
  /** Why; one that only says 401 gives no reason. */
  readonly problems: readonly string[];
}

function opennessOf(anonymous: AnonymousAccess): (path: string) => boolean {
  if (typeof anonymous === 'boolean') return () => anonymous;
  const paths = new Set(anonymous.paths);
  return (path) => paths.has(path);
}
