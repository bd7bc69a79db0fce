/** Authenticates by service account tokens, for as long as the account and the object that a token is bound to exist. */

import { unauthorized } from '@listwatch/api';
import type { Clock } from '@listwatch/storage';
import type {
  ClaimedResource,
  IdentityLookup,
  ObjectClaim,
  ServiceAccountClaims,
} from '../contract/service-account-token.ts';
import { type Authenticator, firstAuthenticator } from './authenticator.ts';
import { type ServiceAccountTokens, TokenProblem, type VerifiedToken } from './service-account-tokens.ts';

/** As kube-apiserver: an object that is being deleted keeps its tokens this long after its grace period. */
const DELETION_LEEWAY_MS = 60_000;

/** Checks tokens. */
export interface TokenChecker {
  /**
   * The token, verified and still valid; undefined when it is not one of this server's. Throws a `TokenProblem` for one
   * that is refused.
   */
  check(token: string, audiences?: readonly string[]): Promise<VerifiedToken | undefined>;
}

/** What checking a token takes. */
export interface TokenCheckerParts {
  readonly tokens: ServiceAccountTokens;
  readonly lookup: IdentityLookup;
  readonly clock: Clock;
}

/** Makes the checker of a server. */
export function createTokenChecker({ tokens, lookup, clock }: TokenCheckerParts): TokenChecker {
  return {
    async check(token, audiences) {
      const verified = await tokens.verify(token, audiences);
      if (verified !== undefined) await requireObjects(lookup, verified.claims, clock.now());
      return verified;
    },
  };
}

/** The authenticator that asks a checker. */
export function serviceAccountAuthenticator(checker: TokenChecker): Authenticator {
  return {
    async authenticate({ token }) {
      if (token === undefined) return undefined;
      try {
        return (await checker.check(token))?.user;
      } catch (error) {
        throw error instanceof TokenProblem ? unauthorized() : error;
      }
    },
  };
}

/** Throws a `TokenProblem` when the account or the bound object is gone, or another one has its name. */
async function requireObjects(lookup: IdentityLookup, claims: ServiceAccountClaims, now: number): Promise<void> {
  const { namespace, serviceAccount, secret, pod, node } = claims;
  const find = async (plural: ClaimedResource, claim: ObjectClaim): Promise<string | undefined> => {
    const found = await lookup(plural, plural === 'nodes' ? '' : namespace, claim);
    const isGone = found?.deletionTime !== undefined && found.deletionTime + DELETION_LEEWAY_MS < now;
    return isGone ? undefined : found?.uid;
  };
  const uid = await find('serviceaccounts', serviceAccount);
  if (uid === undefined) throw new TokenProblem(`serviceaccounts ${JSON.stringify(serviceAccount.name)} not found`);
  if (uid !== serviceAccount.uid) {
    throw new TokenProblem(`service account UID (${uid}) does not match claim (${serviceAccount.uid})`);
  }
  const requireBound = async (kind: string, plural: ClaimedResource, claim: ObjectClaim): Promise<void> => {
    const actual = await find(plural, claim);
    if (actual === undefined) throw new TokenProblem('service account token has been invalidated');
    if (actual === claim.uid) return;
    throw new TokenProblem(`${kind} UID (${actual}) does not match service account ${kind} ref claim (${claim.uid})`);
  };
  if (secret !== undefined) await requireBound('secret', 'secrets', secret);
  if (pod !== undefined) await requireBound('pod', 'pods', pod);
  // The node of a Pod is a fact about it; the token ends with the Pod.
  else if (node !== undefined) await requireBound('node', 'nodes', node);
}

/**
 * Service accounts beside the authenticator that a server was given. Without a client certificate they come first, so that
 * an authenticator that takes unknown tokens for anonymous does not hide them.
 */
export function withServiceAccounts(given: Authenticator, checker: TokenChecker): Authenticator {
  const own = serviceAccountAuthenticator(checker);
  const tokenFirst = firstAuthenticator([own, given]);
  const certificateFirst = firstAuthenticator([given, own]);
  return {
    authenticate: (credentials) => {
      if (credentials.token === undefined) return given.authenticate(credentials);
      return (credentials.certificate === undefined ? tokenFirst : certificateFirst).authenticate(credentials);
    },
  };
}
