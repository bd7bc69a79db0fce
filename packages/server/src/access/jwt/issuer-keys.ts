/** The keys of one provider: found by discovery, kept, and fetched again when they change. */

import { monotonicMs } from '@listwatch/api/internal';
import { recordOf, textOf } from '@listwatch/api/values';
import type { Clock } from '@listwatch/storage';
import { JsonEndpoint } from '../authentication/json-endpoint.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { readKeySet, type VerificationKey } from './json-web-keys.ts';

/** Where a provider is. */
export interface IssuerAddress {
  /** What its tokens and its discovery document name as issuer. */
  readonly url: string;
  /** Where the discovery document is, when not below `url`. */
  readonly discoveryUrl?: string | undefined;
  /** PEM of the authorities to trust. Default: those that Node trusts. */
  readonly ca?: string | undefined;
}

/** What it needs. */
export interface IssuerKeysParts {
  readonly clock: Clock;
  /** Hears that the provider failed, and that it is reachable again. */
  readonly onStatus: (url: string, problem: string | undefined) => void;
}

const FETCH_TIMEOUT_MS = 10_000;
const DOCUMENT_MAX_BYTES = 256 * 1024;
/** A provider that is down is asked again after this long, then after twice as long, up to the last one. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 10_000;
/** A token with an unknown key makes us fetch at most this often: otherwise strangers could make us flood the provider. */
const FETCH_INTERVAL_MS = 2000;
/** Keys that the provider no longer publishes stop being trusted after this long at the latest. */
const KEYS_AGE_MS = 10 * 60_000;

/** Begins to fetch at once, and goes on until it has succeeded. */
export class IssuerKeys {
  readonly #address: IssuerAddress;
  readonly #parts: IssuerKeysParts;
  #keys: readonly VerificationKey[] | undefined;
  #loading: Promise<void> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | undefined;
  #problem = '';
  #isClosed = false;
  /** Attempts since the start. */
  readonly fetches: { success: number; failure: number } = { success: 0, failure: 0 };

  constructor(address: IssuerAddress, parts: IssuerKeysParts) {
    this.#address = address;
    this.#parts = parts;
    void this.#load();
  }

  /** Have the keys been fetched at least once? */
  get isReady(): boolean {
    return this.#keys !== undefined;
  }

  /** Itself, when it is for this address. */
  sameAs({ url, discoveryUrl, ca }: IssuerAddress): this | undefined {
    const own = this.#address;
    return own.url === url && own.discoveryUrl === discoveryUrl && own.ca === ca ? this : undefined;
  }

  /** The keys that could have signed a token with this key id. Throws a `CredentialProblem` before there are any. */
  async find(id: string | undefined): Promise<readonly VerificationKey[]> {
    if (this.#keys === undefined) await this.#loading;
    if (this.#keys === undefined) {
      throw new CredentialProblem(`oidc: the keys of ${this.#address.url} are not known yet: ${this.#problem}`);
    }
    if (this.#now() - this.#fetchedAt > KEYS_AGE_MS) void this.refresh();
    const known = matching(this.#keys, id);
    if (known.length > 0) return known;
    await this.refresh();
    return matching(this.#keys, id);
  }

  /** Fetches the keys again, unless that was done a moment ago. Resolves with whether it was done now. */
  async refresh(): Promise<boolean> {
    if (this.#loading === undefined && this.#now() - this.#triedAt < FETCH_INTERVAL_MS) return false;
    await this.#load();
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
  }

  #load(): Promise<void> {
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Never rejects. */
  async #fetch(): Promise<void> {
    const { url } = this.#address;
    this.#triedAt = this.#now();
    this.#cancelRetry?.();
    try {
      const keys = await this.#fetchKeys();
      this.#keys = keys;
      this.#fetchedAt = this.#now();
      this.#retryMs = FIRST_RETRY_MS;
      this.fetches.success += 1;
      if (this.#problem !== '') this.#parts.onStatus(url, undefined);
      this.#problem = '';
    } catch (error) {
      this.fetches.failure += 1;
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#problem && !this.#isClosed) this.#parts.onStatus(url, problem);
      this.#problem = problem;
      this.#retryLater();
    }
  }

  /** Known keys stay in use while the provider is down. */
  #retryLater(): void {
    if (this.#isClosed) return;
    this.#cancelRetry = this.#parts.clock.after(this.#retryMs, () => void this.#load());
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  async #fetchKeys(): Promise<readonly VerificationKey[]> {
    const { url, discoveryUrl } = this.#address;
    const document = recordOf(
      await this.#get(discoveryUrl ?? `${url.replace(/\/$/u, '')}/.well-known/openid-configuration`),
    );
    const issuer = textOf(document['issuer']);
    if (issuer !== url) {
      const [expected, got] = [url, issuer].map((text) => JSON.stringify(text));
      throw new Error(`oidc: issuer did not match the issuer returned by provider, expected ${expected} got ${got}`);
    }
    const address = textOf(document['jwks_uri']);
    if (!address.startsWith('https://') || !URL.canParse(address)) {
      throw new Error(`oidc: jwks_uri of ${url} must be a URL of https, not ${JSON.stringify(address)}`);
    }
    const keys = readKeySet(await this.#get(address));
    if (keys.length === 0) throw new Error(`oidc: ${address} has no key that verifies signatures`);
    return keys;
  }

  async #get(url: string): Promise<unknown> {
    const limits = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: DOCUMENT_MAX_BYTES };
    const endpoint = new JsonEndpoint({ url, ca: this.#address.ca, ...limits }, this.#parts.clock);
    try {
      return await endpoint.get();
    } finally {
      endpoint.close();
    }
  }

  #now(): number {
    return monotonicMs(this.#parts.clock);
  }
}

/** A token without a key id may be signed by any of them. */
function matching(keys: readonly VerificationKey[], id: string | undefined): readonly VerificationKey[] {
  return id === undefined ? keys : keys.filter((key) => key.id === id);
}
