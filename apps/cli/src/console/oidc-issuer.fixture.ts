/** An OIDC provider over HTTPS: its discovery document, its keys, and new tokens for a refresh token. */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { TestAuthority } from '@listwatch/conformance/parts';

export const CLIENT_ID = 'listwatch-test';

export class OidcIssuer implements AsyncDisposable {
  readonly url: string;
  /** The refresh tokens that it was given. */
  readonly refreshed: string[] = [];
  /** The token that it gives out. */
  readonly idToken: string;
  readonly #server: Server;
  readonly #key: KeyObject;

  private constructor(server: Server, user: string) {
    this.#server = server;
    const address = server.address();
    this.url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    this.idToken = this.#tokenOf(user, 3600);
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(this.#answer(request.url ?? '', new URLSearchParams(body))));
      });
    });
  }

  /** Gives out tokens of this user. */
  static async start(authority: TestAuthority, user: string): Promise<OidcIssuer> {
    const server = createServer(authority.server()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OidcIssuer(server, user);
  }

  expiredToken(user: string): string {
    return this.#tokenOf(user, -3600);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(path: string, form: URLSearchParams): object {
    if (path === '/keys') {
      const { kty, crv, x, y } = this.#key.export({ format: 'jwk' });
      return { keys: [{ kty, crv, x, y, kid: 'k', use: 'sig', alg: 'ES256' }] };
    }
    if (path === '/token') {
      this.refreshed.push(form.get('refresh_token') ?? '');
      return { id_token: this.idToken, refresh_token: `refresh-${this.refreshed.length + 1}` };
    }
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/keys`,
      token_endpoint: `${this.url}/token`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  #tokenOf(user: string, seconds: number): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.url,
      aud: CLIENT_ID,
      sub: user,
      groups: ['testers'],
      iat: now - 7200,
      exp: now + seconds,
    };
    const text = [{ alg: 'ES256', kid: 'k', typ: 'JWT' }, claims].map(encoded).join('.');
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
