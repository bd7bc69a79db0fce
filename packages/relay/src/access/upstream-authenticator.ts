/** Asks the upstream whose token a request has. */

import { type Clock, unauthorized } from '@listwatch/api';
import { isRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import type { Authenticator, Credentials, UserInfo } from '@listwatch/server/read';
import { type Decided, DecisionCache, type DecisionCounts } from './decision-cache.ts';
import { cannotAsk, isUnanswered, type SendReview, tooManyReviews } from './review-client.ts';

const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';
/** Longer ones are not sent on. */
const TOKEN_MAX_CHARACTERS = 64 * 1024;
const MAX_KEPT = 20_000;
const MAX_ASKED = 400;

/** Whose token it is; undefined: nobody's. */
export type Owner = UserInfo | undefined;

/** Options of a {@link UpstreamAuthenticator}. */
export interface UpstreamAuthenticatorOptions {
  readonly send: SendReview;
  readonly clock: Clock;
  /** How long an answer is kept, yes or no. 0: not at all. */
  readonly keepMs: number;
  /** So long a user who was known stands in while the upstream cannot be asked. Default: not at all. */
  readonly stretchMs?: number | undefined;
}

/** An authenticator. It throws the 401 for a token of nobody, and a 503 while the upstream cannot be asked. */
export class UpstreamAuthenticator implements Authenticator {
  readonly #options: UpstreamAuthenticatorOptions;
  readonly #cache: DecisionCache<Owner>;

  constructor(options: UpstreamAuthenticatorOptions) {
    const { clock, stretchMs: ms } = options;
    this.#options = options;
    const stretch =
      ms === undefined ? undefined : { ms, isUnanswered, isAllowed: (owner: Owner) => owner !== undefined };
    this.#cache = new DecisionCache({
      clock,
      maxKept: MAX_KEPT,
      maxAsked: MAX_ASKED,
      tooMany: tooManyReviews,
      stretch,
    });
  }

  get counts(): DecisionCounts {
    return this.#cache.counts;
  }

  get kept(): number {
    return this.#cache.size;
  }

  /** What stands in for answers, for a process that was restarted. */
  get cache(): Pick<DecisionCache<Owner>, 'counts' | 'known' | 'restore'> {
    return this.#cache;
  }

  async authenticate({ token }: Credentials): Promise<UserInfo> {
    // The gate lets nobody in without a token.
    if (token === undefined || token.length > TOKEN_MAX_CHARACTERS) throw unauthorized();
    const owner = await this.#cache.of(token, () => this.#review(token));
    if (owner === undefined) throw unauthorized();
    return owner;
  }

  drop(): void {
    this.#cache.drop();
  }

  /** Every token is asked about again. */
  refresh(): void {
    this.#cache.refresh();
  }

  async #review(token: string): Promise<Decided<Owner>> {
    const review = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', metadata: {}, spec: { token } };
    const status = recordOf((await this.#options.send(PATH, review))['status']);
    const { keepMs } = this.#options;
    if (status['authenticated'] !== true) {
      // The upstream could not tell: that is no answer to be kept.
      if (textOf(status['error']) !== '' && status['authenticated'] === undefined)
        return { value: undefined, keepMs: 0 };
      return { value: undefined, keepMs };
    }
    const validMs = this.#validMs(token);
    return { value: ownerOf(status['user']), keepMs: Math.min(keepMs, validMs), validMs };
  }

  /** How long the token itself is valid, where it says so. It was not verified here: it can only shorten the time. */
  #validMs(token: string): number {
    const expiry = expiryOf(token);
    return expiry === undefined ? Infinity : Math.max(0, expiry * 1000 - this.#options.clock.now());
  }
}

function expiryOf(token: string): number | undefined {
  const [, claims, signature] = token.split('.');
  if (claims === undefined || signature === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const expiry = isRecord(parsed) ? parsed['exp'] : undefined;
    return typeof expiry === 'number' ? expiry : undefined;
  } catch {
    return undefined;
  }
}

function ownerOf(value: unknown): UserInfo {
  const user = recordOf(value);
  const name = textOf(user['username']);
  // A user without a name would be asked about as nobody in particular.
  if (name === '') throw cannotAsk(new Error('the upstream server named no user'));
  const uid = textOf(user['uid']);
  const extra = user['extra'];
  return {
    name,
    ...(uid === '' ? {} : { uid }),
    groups: listOf(user['groups']).map(textOf),
    ...(isRecord(extra)
      ? { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, listOf(values).map(textOf)])) }
      : {}),
  };
}
