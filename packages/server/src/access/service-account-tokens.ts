/** Signs and verifies service account tokens: JSON Web Tokens as kube-apiserver issues them. */

import { randomUUID } from 'node:crypto';
import { isRecord, textOf } from '@listwatch/api/values';
import type { Clock } from '@listwatch/storage';
import type * as joseTypes from 'jose';
import type { UserInfo } from '../contract/api-request.ts';
import type { ServiceAccountClaims, SignedToken, TokenIssuer, TokenOrder } from '../contract/service-account-token.ts';
import { CredentialProblem } from './credential-problem.ts';
import { privateClaims, readPrivateClaims, serviceAccountUser, userOfClaims } from './service-account-claims.ts';
import {
  newTokenKey,
  publicJwk,
  readSigningKey,
  readVerificationKeys,
  type SigningKey,
  type TokenKey,
} from './token-keys.ts';

/** How service account tokens are signed and recognized. */
export interface ServiceAccountOptions {
  /** Who issues tokens: the claim `iss`. Default: `https://kubernetes.default.svc`. */
  readonly issuer?: string | undefined;
  /** Other values of `iss` that are accepted: those that the server had before. Default: none. */
  readonly formerIssuers?: readonly string[] | undefined;
  /** The key that signs, PEM: EC or RSA. Default: a new one, so that a restart ends all tokens. */
  readonly signingKey?: string | Buffer | undefined;
  /**
   * Keys of tokens that are accepted besides: those that signed before, or that sign for other servers. Each text is PEM and
   * may hold several keys, public or private. They are published with the key that signs. Default: none.
   */
  readonly verificationKeys?: readonly (string | Buffer)[] | undefined;
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

const DEFAULT_ISSUER = 'https://kubernetes.default.svc';
/** A token has about 1 KB; what is longer is none of ours, and is not parsed. */
const MAX_TOKEN_CHARACTERS = 16_384;
/** As kube-apiserver: clocks may differ by this much. */
export const LEEWAY_SECONDS = 60;
/** kube-apiserver's words, which are those of its library. */
const BAD_SIGNATURE = 'go-jose/go-jose: error in cryptographic primitive';

/** The issuer of a server. */
export class ServiceAccountTokens implements TokenIssuer {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly #issuers: ReadonlySet<unknown>;
  readonly #given: SigningKey | undefined;
  readonly #others: readonly TokenKey[];
  readonly #clock: Clock;
  #made: SigningKey | undefined;

  /** Throws a `TypeError` that names the option that is wrong. */
  constructor(clock: Clock, options: ServiceAccountOptions = {}) {
    const { issuer = DEFAULT_ISSUER, formerIssuers = [], signingKey, verificationKeys = [] } = options;
    const { audiences = [issuer] } = options;
    if (typeof issuer !== 'string' || issuer === '') throw new TypeError('serviceAccounts.issuer must be a text');
    if (!Array.isArray(formerIssuers) || formerIssuers.some((former) => former === '')) {
      throw new TypeError('serviceAccounts.formerIssuers must be a list of texts');
    }
    if (audiences.length === 0 || audiences.some((audience) => audience === '')) {
      throw new TypeError('serviceAccounts.audiences must be a list of texts');
    }
    this.issuer = issuer;
    this.audiences = audiences;
    this.#clock = clock;
    this.#issuers = new Set([issuer, ...formerIssuers]);
    this.#given = signingKey === undefined ? undefined : readSigningKey(signingKey);
    this.#others = verificationKeys.flatMap(readVerificationKeys);
  }

  /** Most test servers sign nothing: a key is made when it is first needed. */
  get #key(): SigningKey {
    if (this.#given !== undefined) return this.#given;
    this.#made ??= newTokenKey();
    return this.#made;
  }

  /** The keys that verify, each once: the one that signs comes first. */
  get #keys(): readonly TokenKey[] {
    return [...new Map([this.#key, ...this.#others].map((key) => [key.id, key])).values()];
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
    const { SignJWT } = await jose();
    const token = await new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid: id }).sign(privateKey);
    return { token, expires: exp * 1000 };
  }

  /**
   * Verifies a token for these audiences; undefined when another issuer made it or it is no token at all. Throws a
   * `CredentialProblem` for one of this issuer that is forged, expired or for other audiences.
   */
  async verify(token: string, wanted: readonly string[] = this.audiences): Promise<VerifiedToken | undefined> {
    if (!this.#issuers.has(unverifiedPart(token, 1, 'iss'))) return undefined;
    const payload = await this.#verified(token);
    const claims = readPrivateClaims(payload);
    if (claims === undefined) throw new CredentialProblem('token has no service account');
    const own = [payload['aud'] ?? []].flat().map(textOf);
    const audiences = wanted.filter((audience) => own.includes(audience));
    if (audiences.length === 0) {
      throw new CredentialProblem(
        `token audiences ${goList(own)} is invalid for the target audiences ${goList(wanted)}`,
      );
    }
    return { claims, user: userOfClaims(claims, textOf(payload['jti'])), audiences };
  }

  /** The keys that verify tokens, as `/openid/v1/jwks` shows them. */
  jwks(): object {
    return { keys: this.#keys.map(publicJwk) };
  }

  /** The document of `/.well-known/openid-configuration` for a server that is reached at `url`. */
  configuration(url: string): object {
    return {
      issuer: this.issuer,
      jwks_uri: `${url}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(this.#keys.map(({ algorithm }) => algorithm))].toSorted(),
    };
  }

  /** The payload of a token that this issuer signed and whose time is now. */
  async #verified(token: string): Promise<Readonly<Record<string, unknown>>> {
    const id = unverifiedPart(token, 0, 'kid');
    const keys = this.#keys;
    const named = keys.filter((key) => key.id === id);
    let problem = new CredentialProblem(BAD_SIGNATURE);
    for (const key of named.length > 0 ? named : keys) {
      const outcome = await this.#verifiedBy(key, token);
      if (!(outcome instanceof CredentialProblem)) return outcome;
      // What is wrong besides a signature is known only with the right key.
      if (outcome.message !== BAD_SIGNATURE) problem = outcome;
    }
    throw problem;
  }

  async #verifiedBy(
    { key, algorithm }: TokenKey,
    token: string,
  ): Promise<Readonly<Record<string, unknown>> | CredentialProblem> {
    const { errors, jwtVerify } = await jose();
    try {
      // One algorithm, that of the key: a token cannot choose another one, or none.
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer: [...this.#issuers].map(textOf),
        requiredClaims: ['exp'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(this.#clock.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return new CredentialProblem('service account token has expired');
      const isEarly = error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf';
      return new CredentialProblem(isEarly ? 'service account token is not valid yet' : BAD_SIGNATURE);
    }
  }
}

/** Loaded by the first token: its 70 files would be a tenth of the start of a server. */
const jose = async (): Promise<Pick<typeof joseTypes, 'errors' | 'jwtVerify' | 'SignJWT'>> => import('jose');

/** A field of the header (0) or the payload (1) of a token, before anything of it is verified; undefined when it is no token. */
function unverifiedPart(token: string, part: 0 | 1, field: string): unknown {
  if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const content: unknown = JSON.parse(Buffer.from(parts[part] ?? '', 'base64url').toString());
    return isRecord(content) ? content[field] : undefined;
  } catch {
    return undefined;
  }
}

/** A list as Go prints it with `%q`. */
function goList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
}
