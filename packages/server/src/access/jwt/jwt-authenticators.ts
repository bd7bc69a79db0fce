/** Authenticates by the JSON Web Tokens of several providers, whose configuration can change while it serves. */

import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';
import type { UserInfo } from '../../contract/api-request.ts';
import type { Authenticator, Credentials } from '../authenticator.ts';
import { HashedCache, type HashedCacheCounts } from '../hashed-cache.ts';
import type { ReloadCounts } from '../reload-counts.ts';
import { type CompactToken, readCompactToken } from './compact-token.ts';
import { IssuerKeys } from './issuer-keys.ts';
import type { JwtConfig } from './jwt-config.ts';
import { JwtIssuer, type TokenUser } from './jwt-issuer.ts';
import { VerificationTimes } from './verification-times.ts';

/** What it needs. */
export interface JwtAuthenticatorsParts {
  readonly clock: Clock;
  /** Hears that a provider cannot be reached (`problem`) and that it can again. Default: nobody hears. */
  readonly onStatus?: ((issuer: string, problem: string | undefined) => void) | undefined;
  /** Default: changes are not counted. */
  readonly reloads?: ReloadCounts | undefined;
}

/** As kube-apiserver: how long it is believed whose token it is. */
const CACHE_MS = 10_000;
/** As kube-apiserver: how long the providers of a new configuration may take until it is given up. */
const READY_MAX_MS = 60_000;
const READY_POLL_MS = 100;

interface Generation {
  readonly issuers: ReadonlyMap<string, JwtIssuer>;
  readonly cache: HashedCache<TokenUser>;
}

/** The authenticators of a configuration that `authenticationProblems` has nothing against. */
export class JwtAuthenticators implements Authenticator {
  readonly verifications: VerificationTimes = new VerificationTimes();
  readonly reloadCounts: ReloadCounts | undefined;
  readonly #parts: JwtAuthenticatorsParts;
  readonly #listeners = new Set<(issuers: readonly string[]) => void>();
  #current: Generation;
  #isClosed = false;

  constructor(configs: readonly JwtConfig[], parts: JwtAuthenticatorsParts) {
    this.#parts = parts;
    this.reloadCounts = parts.reloads;
    this.#current = this.#generation(configs, new Map());
  }

  get cacheCounts(): HashedCacheCounts {
    return this.#current.cache.counts;
  }

  /** Attempts to fetch keys, over all providers of now. */
  get fetches(): { readonly success: number; readonly failure: number } {
    const all = [...this.#current.issuers.values()].map(({ keys }) => keys.fetches);
    const sum = (read: (one: { success: number; failure: number }) => number): number =>
      all.reduce((total, one) => total + read(one), 0);
    return { success: sum(({ success }) => success), failure: sum(({ failure }) => failure) };
  }

  /** Tokens of other issuers, and what is no token, are left to other authenticators. */
  authenticate({ token }: Pick<Credentials, 'token'>): Promise<UserInfo> | UserInfo | undefined {
    const { issuers, cache } = this.#current;
    if (token === undefined || issuers.size === 0) return undefined;
    const now = this.#parts.clock.now();
    const known = cache.get(token);
    if (known !== undefined && known.expires > now) return known.user;
    const parts = readCompactToken(token);
    const iss = parts?.claims['iss'];
    const issuer = typeof iss === 'string' ? issuers.get(iss) : undefined;
    if (parts === undefined || issuer === undefined) return undefined;
    return this.#verified(issuer, parts, now).then((verified) => {
      cache.set(token, verified, CACHE_MS);
      return verified.user;
    });
  }

  async #verified(issuer: JwtIssuer, token: CompactToken, now: number): Promise<TokenUser> {
    const started = monotonicMs(this.#parts.clock);
    const told = (result: 'failure' | 'success'): void =>
      this.verifications.observe(issuer.url, result, (monotonicMs(this.#parts.clock) - started) / 1000);
    try {
      const user = await issuer.verify(token, now);
      told('success');
      return user;
    } catch (error) {
      told('failure');
      throw error;
    }
  }

  /** `listener` is called with the issuers whose tokens may be refused now, after each change, until the function that it returns is. */
  listen(listener: (issuers: readonly string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Changes the configuration. The old one is used until every provider of the new one has answered, so that a wrong
   * address locks nobody out; after a minute it is given up, and the promise rejects.
   */
  async replace(configs: readonly JwtConfig[]): Promise<void> {
    const old = this.#current;
    const next = this.#generation(configs, old.issuers);
    const isDone = await this.#whenReady(next);
    if (!isDone) {
      closeOthers(next, this.#current);
      throw new Error(`no keys from ${waitingFor(next).join(', ')} within ${READY_MAX_MS / 1000} s`);
    }
    const before = this.#current;
    this.#current = next;
    closeOthers(before, next);
    for (const listener of this.#listeners) listener([...before.issuers.keys()]);
  }

  close(): void {
    this.#isClosed = true;
    for (const { keys } of this.#current.issuers.values()) keys.close();
  }

  /** A provider whose address stays keeps its keys: it need not be reachable just now. */
  #generation(configs: readonly JwtConfig[], known: ReadonlyMap<string, JwtIssuer>): Generation {
    const { clock, onStatus = () => {} } = this.#parts;
    const issuers = configs.map((config) => {
      const { url, discoveryURL, certificateAuthority: ca } = config.issuer;
      const address = { url, discoveryUrl: discoveryURL || undefined, ca: ca || undefined };
      const keys = known.get(url)?.keys.sameAs(address) ?? new IssuerKeys(address, { clock, onStatus });
      return [url, new JwtIssuer(config, keys)] as const;
    });
    return { issuers: new Map(issuers), cache: new HashedCache(clock) };
  }

  async #whenReady(next: Generation): Promise<boolean> {
    for (let waited = 0; waited < READY_MAX_MS && !this.#isClosed; waited += READY_POLL_MS) {
      if (waitingFor(next).length === 0) return true;
      await new Promise<void>((resolve) => this.#parts.clock.after(READY_POLL_MS, resolve));
    }
    return false;
  }
}

function waitingFor({ issuers }: Generation): readonly string[] {
  return [...issuers.values()].filter(({ keys }) => !keys.isReady).map(({ url }) => url);
}

function closeOthers(generation: Generation, kept: Generation): void {
  const used = new Set([...kept.issuers.values()].map(({ keys }) => keys));
  for (const { keys } of generation.issuers.values()) if (!used.has(keys)) keys.close();
}
