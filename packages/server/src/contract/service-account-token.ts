/** Service account tokens: their claims, the issuer and the reviewer. */

import type { UserInfo } from './api-request.ts';

/** An object that a token names. The uid tells a recreated object of the same name apart. */
export interface ObjectClaim {
  readonly name: string;
  /** `''` for the node of a Pod that did not exist when the token was signed. */
  readonly uid: string;
}

/** The claims of a service account token. */
export interface ServiceAccountClaims {
  readonly namespace: string;
  readonly serviceAccount: ObjectClaim;
  /** The object that the token is bound to: it is valid as long as that exists. */
  readonly pod?: ObjectClaim | undefined;
  readonly secret?: ObjectClaim | undefined;
  /** The node of the Pod, or the node that the token is bound to when there is no Pod. */
  readonly node?: ObjectClaim | undefined;
}

/** A token to sign. */
export interface TokenOrder {
  readonly claims: ServiceAccountClaims;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
}

/** A signed token. */
export interface SignedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** Signs tokens. */
export interface TokenIssuer {
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  sign(order: TokenOrder): Promise<SignedToken>;
}

/** The user and the audiences of a token, or the reason why it is refused. */
export type TokenVerdict =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly error: string };

/** Authenticates a token. `audiences` default to those of the server. */
export type TokenReviewer = (token: string, audiences?: readonly string[]) => Promise<TokenVerdict>;

/** An object that exists. */
export interface ObjectIdentity {
  readonly uid: string;
  /** When its deletion takes effect, milliseconds since the epoch; undefined while it is not being deleted. */
  readonly deletionTime: number | undefined;
}

/** The core kinds that a token can name. */
export type ClaimedResource = 'nodes' | 'pods' | 'secrets' | 'serviceaccounts';

/** Finds an object by a claim; undefined when there is none of that name. */
export type IdentityLookup = (
  plural: ClaimedResource,
  namespace: string,
  claim: ObjectClaim,
) => Promise<ObjectIdentity | undefined>;
