/** Asks a webhook whose token it is, by a TokenReview. */

import { isRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import type { Clock } from '@listwatch/storage';
import type { UserInfo } from '../../contract/api-request.ts';
import type { Authenticator } from '../authenticator.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { HashedCache, type HashedCacheCounts } from '../hashed-cache.ts';
import { EndpointError, JsonEndpoint, type JsonEndpointOptions } from './json-endpoint.ts';

/** The webhook. Times are in milliseconds. */
export interface TokenWebhookOptions extends Omit<JsonEndpointOptions, 'maxBytes' | 'timeoutMs'> {
  /** The version of authentication.k8s.io in requests. Default: `v1beta1`, as kube-apiserver. */
  readonly version?: 'v1' | 'v1beta1' | undefined;
  /** How long an answer is kept, also that a token is unknown. Default: 2 min. 0: not at all. */
  readonly cacheTtlMs?: number | undefined;
}

/** As kube-apiserver: also sent to the webhook, in the query. */
const TIMEOUT_MS = 30_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const DEFAULT_TTL_MS = 120_000;
/** As kube-apiserver: attempts, and the pauses between them. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const PAUSE_FACTOR = 1.5;
/** Tokens that are asked about at one time. Without a bound strangers could fill the memory with waiting requests. */
const ACTIVE_MAX = 400;
/** Longer tokens are not sent on. */
const TOKEN_MAX_CHARACTERS = 64 * 1024;

/** What is kept: whose token it is, or that the webhook does not know it. */
type Owner = UserInfo | 'unknown';

/** The cache of a webhook, and the questions to it so far. */
export interface TokenWebhookCounts extends HashedCacheCounts {
  /** Requests, with those that repeat a failed one. */
  readonly fetches: number;
  readonly answered: number;
  readonly failed: number;
  /** Questions without an answer yet. */
  readonly active: number;
}

/** The authenticator of one webhook. */
export class TokenWebhookAuthenticator implements Authenticator {
  readonly #endpoint: JsonEndpoint;
  readonly #options: TokenWebhookOptions;
  readonly #audiences: readonly string[];
  readonly #clock: Clock;
  readonly #cache: HashedCache<Owner>;
  readonly #active = new Map<string, Promise<Owner>>();
  #fetches = 0;
  #answered = 0;
  #failed = 0;

  /** `audiences` are those of this server. Throws a `TypeError` for a URL that is none. */
  constructor(options: TokenWebhookOptions, audiences: readonly string[], clock: Clock) {
    if (!/^https?:/u.test(options.url) || !URL.canParse(options.url)) {
      throw new TypeError(`webhook.url must be a URL of https or http, not ${JSON.stringify(options.url)}`);
    }
    const url = new URL(options.url);
    url.searchParams.set('timeout', `${TIMEOUT_MS / 1000}s`);
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_MAX_BYTES };
    this.#endpoint = new JsonEndpoint({ ...options, ...limits, url: url.href }, clock);
    this.#options = options;
    this.#audiences = audiences;
    this.#clock = clock;
    this.#cache = new HashedCache(clock);
  }

  get counts(): TokenWebhookCounts {
    const [fetches, answered, failed] = [this.#fetches, this.#answered, this.#failed];
    return { ...this.#cache.counts, fetches, answered, failed, active: this.#active.size };
  }

  async authenticate({ token }: { readonly token?: string | undefined }): Promise<UserInfo | undefined> {
    if (token === undefined || token.length > TOKEN_MAX_CHARACTERS) return undefined;
    const verdict = this.#cache.get(token) ?? (await this.#ask(token));
    return verdict === 'unknown' ? undefined : verdict;
  }

  close(): void {
    this.#endpoint.close();
  }

  /** One request for all who have the same token. */
  async #ask(token: string): Promise<Owner> {
    const active = this.#active.get(token);
    if (active !== undefined) return active;
    if (this.#active.size >= ACTIVE_MAX) throw new CredentialProblem('webhook: too many tokens are being reviewed');
    const asking = this.#counted(this.#review(token)).finally(() => this.#active.delete(token));
    this.#active.set(token, asking);
    return asking;
  }

  async #counted(review: Promise<Owner>): Promise<Owner> {
    try {
      const owner = await review;
      this.#answered += 1;
      return owner;
    } catch (error) {
      this.#failed += 1;
      throw error;
    }
  }

  async #review(token: string): Promise<Owner> {
    const { version = 'v1beta1', cacheTtlMs = DEFAULT_TTL_MS } = this.#options;
    const review = {
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: {},
      spec: { token, audiences: this.#audiences },
      status: { user: {} },
    };
    const status = recordOf(recordOf(await this.#post(review))['status']);
    if (status['authenticated'] !== true) {
      const error = textOf(status['error']);
      // A webhook that could not tell must be asked again.
      if (error !== '') throw new CredentialProblem(error);
      this.#cache.set(token, 'unknown', cacheTtlMs);
      return 'unknown';
    }
    const verdict = this.#isForUs(listOf(status['audiences'])) ? userOf(status['user']) : 'unknown';
    this.#cache.set(token, verdict, cacheTtlMs);
    return verdict;
  }

  /** A webhook that knows nothing of audiences names none. */
  #isForUs(audiences: readonly unknown[]): boolean {
    return audiences.length === 0 || audiences.some((audience) => this.#audiences.includes(textOf(audience)));
  }

  async #post(review: object): Promise<unknown> {
    let pause = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt += 1) {
      this.#fetches += 1;
      try {
        return await this.#endpoint.post(review);
      } catch (error) {
        const isTemporary = error instanceof EndpointError && error.isTemporary;
        if (!isTemporary || attempt === ATTEMPTS) throw new CredentialProblem(`webhook: ${messageOf(error)}`);
      }
      await new Promise<void>((resolve) => this.#clock.after(pause, resolve));
      pause *= PAUSE_FACTOR;
    }
  }
}

function userOf(value: unknown): Owner {
  const user = recordOf(value);
  const name = textOf(user['username']);
  if (name === '') return 'unknown';
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
