/** The `oidc` auth provider: an id token, and a refresh token that gets the next one. */

import type { AbortOptions, Clock } from '@listwatch/api';
import { abortable } from '@listwatch/api/internal';
import type { JsonRecord } from '@listwatch/api/values';
import { createHttp1Transport } from '../transport/carriers/http1-transport.ts';
import { environmentProxy } from '../transport/dial/environment-proxy.ts';
import { ConfigError } from './config-error.ts';
import { jsonOf } from './json-answer.ts';
import type { UserCredentials } from './user-credentials.ts';

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** PEM of the authorities to trust; default: those that Node trusts. */
  readonly ca: string | undefined;
  /** Default: the one that the environment names for the provider. */
  readonly proxy: string | undefined;
  /** `file:line` of its section. */
  readonly place: string;
}

export interface OidcTokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

/** Refreshed a little early, so that it is still good when it arrives. */
const LEEWAY_MS = 10_000;
/** A provider that sends a little now and then must not hold up a program for ever. */
const ANSWER_MS = 30_000;

export class OidcCredentials implements UserCredentials {
  readonly #config: OidcConfig;
  readonly #clock: Clock;
  /** Keeps new tokens: many providers take a refresh token only once, and the next program would be locked out. */
  readonly #save: (tokens: OidcTokens) => Promise<void>;
  #idToken: string | undefined;
  #refreshToken: string | undefined;
  #refreshing: Promise<string> | undefined;

  constructor(config: OidcConfig, clock: Clock, save: (tokens: OidcTokens) => Promise<void>) {
    this.#config = config;
    this.#clock = clock;
    this.#save = save;
    this.#idToken = config.idToken;
    this.#refreshToken = config.refreshToken;
  }

  async headers({ signal }: AbortOptions = {}): Promise<Readonly<Record<string, string>>> {
    const fresh = this.#idToken !== undefined && this.#clock.now() < expiryOf(this.#idToken) - LEEWAY_MS;
    const token = fresh ? this.#idToken : await abortable(this.#refresh(), signal);
    return { authorization: `Bearer ${token}` };
  }

  async renew(refused: Readonly<Record<string, string>>, { signal }: AbortOptions = {}): Promise<boolean> {
    if (refused['authorization'] !== `Bearer ${this.#idToken}`) return true;
    if (this.#refreshToken === undefined) return false;
    await abortable(this.#refresh(), signal);
    return true;
  }

  #refresh(): Promise<string> {
    this.#refreshing ??= this.#askForTokens().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #askForTokens(): Promise<string> {
    const refreshToken = this.#refreshToken;
    if (refreshToken === undefined)
      throw this.#failed('the id-token has expired and there is no refresh-token; log in');
    const { issuer, clientId, clientSecret } = this.#config;
    const discovery = await this.#ask(`${issuer.replace(/\/+$/u, '')}/.well-known/openid-configuration`);
    const endpoint = discovery['token_endpoint'];
    if (typeof endpoint !== 'string') throw this.#failed(`${issuer} names no token_endpoint`);
    const answer = await this.#ask(
      endpoint,
      new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      }),
    );
    const idToken = answer['id_token'];
    if (typeof idToken !== 'string') throw this.#failed(`${endpoint} gave no id_token`);
    const next = answer['refresh_token'];
    this.#idToken = idToken;
    this.#refreshToken = typeof next === 'string' ? next : refreshToken;
    await this.#save({ idToken, refreshToken: this.#refreshToken });
    return idToken;
  }

  /** One request to the provider, which is another server than the cluster's. */
  async #ask(address: string, form?: URLSearchParams): Promise<JsonRecord> {
    if (!URL.canParse(address)) throw this.#failed(`${JSON.stringify(address)} is no URL`);
    const { origin, pathname, search } = new URL(address);
    const { ca, proxy = environmentProxy(origin, process.env) } = this.#config;
    await using provider = createHttp1Transport({ server: origin, tls: { ca }, proxy, clock: this.#clock });
    const limit = new AbortController();
    const cancel = this.#clock.after(ANSWER_MS, () => limit.abort(new Error(`no answer within ${ANSWER_MS} ms`)));
    const request = {
      method: form === undefined ? 'GET' : 'POST',
      path: pathname + search,
      headers: {
        accept: 'application/json',
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form === undefined ? undefined : new TextEncoder().encode(form.toString()),
      signal: limit.signal,
    } as const;
    try {
      const response = await provider.send(request);
      return this.#checked(address, response.status, await jsonOf(response));
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw this.#failed(`${address} did not answer: ${error instanceof Error ? error.message : String(error)}`, error);
    } finally {
      cancel();
    }
  }

  #checked(address: string, status: number, answer: JsonRecord): JsonRecord {
    if (status === 200) return answer;
    const reason = [answer['error'], answer['error_description']].filter((text) => typeof text === 'string').join(': ');
    throw this.#failed(`${address} answered with ${status} ${reason}`.trimEnd());
  }

  #failed(problem: string, cause?: unknown): ConfigError {
    return new ConfigError('LOGIN_FAILED', `${this.#config.place}: the oidc login failed: ${problem}`, { cause });
  }
}

/** When a token expires. What cannot be read counts as expired. */
function expiryOf(token: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}
