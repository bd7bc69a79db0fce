/** Tells whose token it is, for TokenReviews. */

import type { TokenReviewer } from '../contract/service-account-token.ts';
import { type AuthenticatorChain, INVALID_TOKEN } from './authentication/authenticator-chain.ts';
import { authenticated } from './authenticator.ts';
import { CredentialProblem } from './credential-problem.ts';
import type { TokenChecker } from './service-account-authenticator.ts';

/** Finds the user of a token. */
export interface TokenReviewerParts {
  readonly checker: TokenChecker;
  /** Knows all other tokens. They are for this server, whatever audiences they were made for. */
  readonly chain: Pick<AuthenticatorChain, 'ownerOf'>;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
}

/** Makes the reviewer of a server. */
export function createTokenReviewer({ checker, chain, audiences: ours }: TokenReviewerParts): TokenReviewer {
  return async (token, wanted = ours) => {
    try {
      const own = await checker.check(token, wanted);
      if (own !== undefined) return { user: authenticated(own.user), audiences: own.audiences };
    } catch (error) {
      if (!(error instanceof CredentialProblem)) throw error;
      return { error: `[${INVALID_TOKEN}, ${error.message}]` };
    }
    const audiences = wanted.filter((audience) => ours.includes(audience));
    if (audiences.length === 0) return { error: INVALID_TOKEN };
    try {
      return { user: await chain.ownerOf(token), audiences };
    } catch (error) {
      if (error instanceof CredentialProblem) return { error: error.message };
      throw error;
    }
  };
}
