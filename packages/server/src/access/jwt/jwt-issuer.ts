/** Verifies the tokens of one provider. */

import { type JsonRecord, listOf, textOf } from '@listwatch/api/values';
import type { UserInfo } from '../../contract/api-request.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { type ClaimMapper, claimMapper } from './claim-mapper.ts';
import type { CompactToken } from './compact-token.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { JwtConfig } from './jwt-config.ts';
import { isSignedBy, SIGNING_ALGORITHMS } from './jwt-signature.ts';

/** A user, and until when the token says so, milliseconds since the epoch. */
export interface TokenUser {
  readonly user: UserInfo;
  readonly expires: number;
}

/** As kube-apiserver: a token may be this young. One that has expired gets no leeway. */
const NOT_BEFORE_LEEWAY_MS = 5 * 60_000;

/** One entry of a configuration, with the keys of its provider. */
export class JwtIssuer {
  readonly url: string;
  readonly keys: IssuerKeys;
  readonly #audiences: readonly string[];
  readonly #algorithms: readonly string[];
  readonly #map: ClaimMapper;

  constructor(config: JwtConfig, keys: IssuerKeys) {
    this.url = config.issuer.url;
    this.keys = keys;
    this.#audiences = config.issuer.audiences;
    this.#algorithms = config.signingAlgorithms ?? SIGNING_ALGORITHMS;
    this.#map = claimMapper(config);
  }

  /** Throws a `CredentialProblem` for a token that is forged, expired, for others, or refused by a rule. */
  async verify(token: CompactToken, now: number): Promise<TokenUser> {
    await this.#checkSignature(token);
    const expires = checkTime(token.claims, now);
    this.#checkAudience(token.claims);
    return { user: this.#map(token.claims), expires };
  }

  async #checkSignature(token: CompactToken): Promise<void> {
    const { alg, kid, crit } = token.header;
    // Checked before a key is looked for: `none` and HMAC never reach one.
    if (typeof alg !== 'string' || !this.#algorithms.includes(alg)) {
      throw unverified(
        `oidc: id token signed with unsupported algorithm, expected ${goTexts(this.#algorithms)} got ${JSON.stringify(alg)}`,
      );
    }
    if (crit !== undefined) throw unverified('oidc: the header of the token has critical extensions');
    const id = typeof kid === 'string' && kid !== '' ? kid : undefined;
    if (await this.#isSigned(token, alg, id)) return;
    // The provider may have changed a key and kept its id.
    if ((await this.keys.refresh()) && (await this.#isSigned(token, alg, id))) return;
    throw unverified('failed to verify signature: failed to verify id token signature');
  }

  async #isSigned(token: CompactToken, alg: string, id: string | undefined): Promise<boolean> {
    const keys = await this.keys.find(id);
    return keys.some(({ key, algorithm }) => (algorithm === '' || algorithm === alg) && isSignedBy(key, alg, token));
  }

  #checkAudience(claims: JsonRecord): void {
    const value = claims['aud'];
    const own = typeof value === 'string' ? [value] : listOf(value).map(textOf);
    if (own.some((audience) => this.#audiences.includes(audience))) return;
    throw unverified(`oidc: expected audience in ${goTexts(this.#audiences)} got ${goTexts(own)}`);
  }
}

/** Until when the token is valid. */
function checkTime({ exp, nbf }: JsonRecord, now: number): number {
  const expires = typeof exp === 'number' ? exp * 1000 : 0;
  if (!(expires > now)) {
    throw unverified(`oidc: token is expired (Token Expiry: ${timeText(expires)})`);
  }
  if (nbf === undefined || nbf === null) return expires;
  const begins = typeof nbf === 'number' ? nbf * 1000 : Number.NaN;
  if (begins <= now + NOT_BEFORE_LEEWAY_MS) return expires;
  throw unverified(`oidc: current time ${timeText(now)} before the nbf (not before) time: ${timeText(begins)}`);
}

/** What the library says that kube-apiserver verifies tokens with stands behind words of its own. */
function unverified(problem: string): CredentialProblem {
  return new CredentialProblem(`oidc: verify token: ${problem}`);
}

/** As Go shows a time. */
function timeText(ms: number): string {
  if (!(Math.abs(ms) < 8.64e15)) return String(ms);
  return new Date(ms).toISOString().replace(/^(.+)T(.{8}).*$/u, '$1 $2 +0000 UTC');
}

function goTexts(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
}
