/** Authenticates by service account tokens, for as long as the account and the object that a token is bound to exist. */

import type { Clock } from '@listwatch/storage';
import type {
  ClaimedResource,
  IdentityLookup,
  ObjectClaim,
  ServiceAccountClaims,
} from '../contract/service-account-token.ts';
import type { Authenticator } from './authenticator.ts';
import { CredentialProblem } from './credential-problem.ts';
import type { ServiceAccountTokens, VerifiedToken } from './service-account-tokens.ts';

/** As kube-apiserver: an object that is being deleted keeps its tokens this long after its grace period. */
const DELETION_LEEWAY_MS = 60_000;

/** Checks tokens. */
export interface TokenChecker {
  /**
   * The token, verified and still valid; undefined when it is not one of this server's. Throws a `CredentialProblem` for one
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
    authenticate({ token }) {
      return token === undefined ? undefined : checker.check(token).then((verified) => verified?.user);
    },
  };
}

/** Throws a `CredentialProblem` when the account or the bound object is gone, or another one has its name. */
async function requireObjects(lookup: IdentityLookup, claims: ServiceAccountClaims, now: number): Promise<void> {
  const { namespace, serviceAccount, secret, pod, node } = claims;
  const find = async (plural: ClaimedResource, claim: ObjectClaim): Promise<string | undefined> => {
    const found = await lookup(plural, plural === 'nodes' ? '' : namespace, claim);
    const isGone = found?.deletionTime !== undefined && found.deletionTime + DELETION_LEEWAY_MS < now;
    return isGone ? undefined : found?.uid;
  };
  const uid = await find('serviceaccounts', serviceAccount);
  if (uid === undefined)
    throw new CredentialProblem(`serviceaccounts ${JSON.stringify(serviceAccount.name)} not found`);
  if (uid !== serviceAccount.uid) {
    throw new CredentialProblem(`service account UID (${uid}) does not match claim (${serviceAccount.uid})`);
  }
  const requireBound = async (kind: string, plural: ClaimedResource, claim: ObjectClaim): Promise<void> => {
    const actual = await find(plural, claim);
    if (actual === undefined) throw new CredentialProblem('service account token has been invalidated');
    if (actual === claim.uid) return;
    throw new CredentialProblem(
      `${kind} UID (${actual}) does not match service account ${kind} ref claim (${claim.uid})`,
    );
  };
  if (secret !== undefined) await requireBound('secret', 'secrets', secret);
  if (pod !== undefined) await requireBound('pod', 'pods', pod);
  // The node of a Pod is a fact about it; the token ends with the Pod.
  else if (node !== undefined) await requireBound('node', 'nodes', node);
}
