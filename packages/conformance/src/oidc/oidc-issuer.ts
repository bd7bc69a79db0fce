/** A real OpenID Connect provider on this machine: discovery, keys, and a token endpoint with refresh tokens. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import OidcServer from 'oidc-provider';
import { TestAuthority } from '../parts/test-authority.ts';

/** A user of the provider. */
export interface OidcAccount {
  readonly name: string;
  readonly groups?: readonly string[] | undefined;
}

/** A client of the provider: an audience of its tokens. */
export const OIDC_CLIENT = { id: 'kubernetes', secret: 'client-secret' } as const;
/** Another one: its tokens are not for the cluster. */
export const OTHER_CLIENT = { id: 'other', secret: 'other-secret' } as const;

const SCOPE = 'openid offline_access groups';

/** Options of `OidcIssuer.start`. */
export interface OidcIssuerOptions {
  /** How long tokens live. Default: an hour. */
  readonly idTokenSeconds?: number | undefined;
}

/** The provider. It can be stopped, and started again where it was. */
export class OidcIssuer implements AsyncDisposable {
  readonly #authority = new TestAuthority('oidc');
  readonly #accounts = new Map<string, OidcAccount>();
  readonly #options: OidcIssuerOptions;
  readonly #server: Server;
  #provider: OidcServer | undefined;
  #port = 0;

  private constructor(options: OidcIssuerOptions) {
    this.#options = options;
    let handle: ReturnType<OidcServer['callback']> | undefined;
    let of: OidcServer | undefined;
    this.#server = createServer(this.#authority.server(), (incoming, response) => {
      if (of !== this.#provider) {
        of = this.#provider;
        handle = of?.callback();
      }
      handle?.(incoming, response);
    });
  }

  static async start(options: OidcIssuerOptions = {}): Promise<OidcIssuer> {
    const issuer = new OidcIssuer(options);
    await issuer.up();
    issuer.rotateKeys();
    return issuer;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** PEM. */
  get ca(): string {
    return this.#authority.ca;
  }

  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  /** Refuses connections. */
  async down(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Signs with a new key from now on, and publishes only that. */
  rotateKeys(): void {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { idTokenSeconds = 3600 } = this.#options;
    this.#provider = new OidcServer(this.url, {
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
      clients: [OIDC_CLIENT, OTHER_CLIENT].map(({ id, secret }) => ({
        client_id: id,
        client_secret: secret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['https://127.0.0.1/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      })),
      scopes: ['openid', 'offline_access', 'groups'],
      claims: { openid: ['sub'], groups: ['groups'] },
      // Claims of scopes in the ID token itself, as Kubernetes wants them.
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['test'] },
      ttl: { IdToken: idTokenSeconds, AccessToken: 3600, Grant: 86_400, RefreshToken: 86_400 },
      rotateRefreshToken: true,
      findAccount: (_context: unknown, id: string) => {
        const { groups = [] } = this.#accounts.get(id) ?? {};
        return { accountId: id, claims: () => ({ sub: id, groups }) };
      },
    });
  }

  /** A refresh token, as a login in a browser would end with. */
  async login(account: OidcAccount, clientId: string = OIDC_CLIENT.id): Promise<string> {
    const provider = this.#provider;
    if (provider === undefined) throw new Error('the provider has not started');
    this.#accounts.set(account.name, account);
    const grant = new provider.Grant({ accountId: account.name, clientId });
    grant.addOIDCScope(SCOPE);
    const grantId = await grant.save();
    const client = await provider.Client.find(clientId);
    const token = new provider.RefreshToken({
      client,
      accountId: account.name,
      grantId,
      scope: SCOPE,
      claims: {},
      gty: 'authorization_code',
      expiresWithSession: false,
    });
    return token.save();
  }

  /** An ID token, by the token endpoint. */
  async idToken(
    account: OidcAccount,
    client: { readonly id: string; readonly secret: string } = OIDC_CLIENT,
  ): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: await this.login(account, client.id),
      client_id: client.id,
      client_secret: client.secret,
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(`${this.url}/token`, { method: 'POST', headers, ca: this.ca, agent: false });
    sent.end(form.toString());
    const [response]: AsyncIterable<Buffer>[] = await once(sent, 'response');
    const parts: Buffer[] = [];
    if (response !== undefined) for await (const part of response) parts.push(part);
    const answer: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (typeof answer === 'object' && answer !== null && 'id_token' in answer && typeof answer.id_token === 'string') {
      return answer.id_token;
    }
    throw new Error(`the provider gave no token: ${JSON.stringify(answer)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
    this.#authority[Symbol.dispose]();
  }
}
