/** Tells whose token it is, for TokenReviews. */

import { isUnauthorized } from '@listwatch/api';
import type { TokenReviewer } from '../contract/service-account-token.ts';
import { type Authenticator, authenticated, SYSTEM } from './authenticator.ts';
import type { TokenChecker } from './service-account-authenticator.ts';
import { TokenProblem } from './service-account-tokens.ts';

/** Who knows tokens. */
export interface TokenReviewerParts {
  readonly checker: TokenChecker;
  /** Knows all other tokens. They are for this server, whatever audiences they were made for. */
  readonly authenticator: Authenticator;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
}

const INVALID = 'invalid bearer token';

/** Makes the reviewer of a server. */
export function createTokenReviewer({ checker, authenticator, audiences: ours }: TokenReviewerParts): TokenReviewer {
  return async (token, wanted = ours) => {
    try {
      const own = await checker.check(token, wanted);
      if (own !== undefined) return { user: authenticated(own.user), audiences: own.audiences };
    } catch (error) {
      if (!(error instanceof TokenProblem)) throw error;
      return { error: `[${INVALID}, ${error.message}]` };
    }
    const audiences = wanted.filter((audience) => ours.includes(audience));
    if (audiences.length === 0) return { error: INVALID };
    try {
      const user = await authenticator.authenticate({ token });
      // An authenticator may take a token that it does not know for anonymous: nobody's token is not valid.
      if (user === undefined || user.name === SYSTEM.anonymous) return { error: INVALID };
      return { user: authenticated(user), audiences };
    } catch (error) {
      if (isUnauthorized(error)) return { error: INVALID };
      throw error;
    }
  };
}
