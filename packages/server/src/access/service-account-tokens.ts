/** Signs and verifies service account tokens: JSON Web Tokens as kube-apiserver issues them. */

import { randomUUID } from 'node:crypto';
import type { Clock } from '@listwatch/storage';
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import type { UserInfo } from '../contract/api-request.ts';
import type { ServiceAccountClaims, SignedToken, TokenIssuer, TokenOrder } from '../contract/service-account-token.ts';
import { isRecord, textOf } from '../kinds/json/json-value.ts';
import { privateClaims, readPrivateClaims, serviceAccountUser, userOfClaims } from './service-account-claims.ts';
import { newTokenKey, publicJwk, readSigningKey, type SigningKey } from './token-keys.ts';

/** How service account tokens are signed and recognized. */
export interface ServiceAccountOptions {
  /** Who issues tokens: the claim `iss`. Default: `https://kubernetes.default.svc`. */
  readonly issuer?: string | undefined;
  /** The key that signs, PEM: EC or RSA. Default: a new one, so that a restart ends all tokens. */
  readonly signingKey?: string | Buffer | undefined;
  /** The audiences of this server: tokens for others are not accepted. Default: the issuer. */
  readonly audiences?: readonly string[] | undefined;
}

/** A token whose signature, issuer and time are right. Whether its objects still exist is for others to check. */
export interface VerifiedToken {
  readonly claims: ServiceAccountClaims;
  readonly user: UserInfo;
  /** The audiences that the token shares with those it was checked for. */
  readonly audiences: readonly string[];
}

/** Why a token of this issuer is refused: the text of a TokenReview. */
export class TokenProblem extends Error {
  override readonly name: string = 'TokenProblem';
}

const DEFAULT_ISSUER = 'https://kubernetes.default.svc';
/** A token has about 1 KB; what is longer is none of ours, and is not parsed. */
const MAX_TOKEN_CHARACTERS = 16_384;
/** As kube-apiserver: clocks may differ by this much. */
const LEEWAY_SECONDS = 60;
/** kube-apiserver's words, which are those of its library. */
const BAD_SIGNATURE = 'go-jose/go-jose: error in cryptographic primitive';

/** The issuer of a server. */
export class ServiceAccountTokens implements TokenIssuer {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly #given: SigningKey | undefined;
  readonly #clock: Clock;
  #made: SigningKey | undefined;

  /** Throws a `TypeError` that names the option that is wrong. */
  constructor(clock: Clock, { issuer = DEFAULT_ISSUER, signingKey, audiences = [issuer] }: ServiceAccountOptions = {}) {
    if (typeof issuer !== 'string' || issuer === '') throw new TypeError('serviceAccounts.issuer must be a text');
    if (audiences.length === 0 || audiences.some((audience) => audience === '')) {
      throw new TypeError('serviceAccounts.audiences must be a list of texts');
    }
    this.issuer = issuer;
    this.audiences = audiences;
    this.#clock = clock;
    this.#given = signingKey === undefined ? undefined : readSigningKey(signingKey);
  }

  /** Most test servers sign nothing: a key is made when it is first needed. */
  get #key(): SigningKey {
    if (this.#given !== undefined) return this.#given;
    this.#made ??= newTokenKey();
    return this.#made;
  }

  async sign({ claims, audiences, expirationSeconds }: TokenOrder): Promise<SignedToken> {
    const { id, algorithm, privateKey } = this.#key;
    const now = Math.floor(this.#clock.now() / 1000);
    const exp = now + expirationSeconds;
    const { namespace, serviceAccount } = claims;
    const payload = {
      aud: [...audiences],
      exp,
      iat: now,
      iss: this.issuer,
      jti: randomUUID(),
      ...privateClaims(claims),
      nbf: now,
      sub: serviceAccountUser(namespace, serviceAccount.name),
    };
    const token = await new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid: id }).sign(privateKey);
    return { token, expires: exp * 1000 };
  }

  /**
   * Verifies a token for these audiences; undefined when another issuer made it or it is no token at all. Throws a
   * `TokenProblem` for one of this issuer that is forged, expired or for other audiences.
   */
  async verify(token: string, wanted: readonly string[] = this.audiences): Promise<VerifiedToken | undefined> {
    if (unverifiedIssuer(token) !== this.issuer) return undefined;
    const payload = await this.#verified(token);
    const claims = readPrivateClaims(payload);
    if (claims === undefined) throw new TokenProblem('token has no service account');
    const own = [payload['aud'] ?? []].flat().map(textOf);
    const audiences = wanted.filter((audience) => own.includes(audience));
    if (audiences.length === 0) {
      throw new TokenProblem(`token audiences ${goList(own)} is invalid for the target audiences ${goList(wanted)}`);
    }
    return { claims, user: userOfClaims(claims, textOf(payload['jti'])), audiences };
  }

  /** The keys that verify tokens, as `/openid/v1/jwks` shows them. */
  jwks(): object {
    return { keys: [publicJwk(this.#key)] };
  }

  /** The document of `/.well-known/openid-configuration` for a server that is reached at `url`. */
  configuration(url: string): object {
    return {
      issuer: this.issuer,
      jwks_uri: `${url}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [this.#key.algorithm],
    };
  }

  /** The payload of a token that this issuer signed and whose time is now. */
  async #verified(token: string): Promise<Readonly<Record<string, unknown>>> {
    const { key, algorithm } = this.#key;
    try {
      // One algorithm, that of the key: a token cannot choose another one, or none.
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer: this.issuer,
        requiredClaims: ['exp'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(this.#clock.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof joseErrors.JWTExpired) throw new TokenProblem('service account token has expired');
      const isEarly = error instanceof joseErrors.JWTClaimValidationFailed && error.claim === 'nbf';
      throw new TokenProblem(isEarly ? 'service account token is not valid yet' : BAD_SIGNATURE);
    }
  }
}

/** The issuer that a token names, before anything of it is verified; undefined when it is no token. */
function unverifiedIssuer(token: string): unknown {
  if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
    return isRecord(payload) ? payload['iss'] : undefined;
  } catch {
    return undefined;
  }
}

/** A list as Go prints it with `%q`. */
function goList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
}
