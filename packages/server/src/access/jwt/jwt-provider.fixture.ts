/** A provider in a test: documents over TLS, tokens of any content, and a switch for every fault. */

import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { TestAuthority } from '@listwatch/conformance/parts';

/** A private key and how it signs. */
export interface TokenSigner {
  readonly kid: string;
  readonly alg: string;
  readonly key: KeyObject;
}

/** A new key for an algorithm. */
export function newSigner(kid: string, alg = 'ES256'): TokenSigner {
  const curve = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[alg];
  const { privateKey: key } =
    curve === undefined
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: curve });
  return { kid, alg, key };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token; `header` overrides what the signer would say. */
export function signToken({ kid, alg, key }: TokenSigner, claims: unknown, header: object = {}): string {
  const signed = `${part({ alg, kid, ...header })}.${part(claims)}`;
  const padding = alg.startsWith('PS') ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: -1 } : {};
  const how = { key, dsaEncoding: 'ieee-p1363' as const, ...padding };
  return `${signed}.${sign(`sha${alg.slice(2)}`, Buffer.from(signed), how).toString('base64url')}`;
}

/** A token whose HMAC has the published key as its secret: what a careless verifier takes for the provider's. */
export function hmacToken({ kid, key }: TokenSigner, claims: unknown): string {
  const signed = `${part({ alg: 'HS256', kid })}.${part(claims)}`;
  const secret = key.export({ type: 'pkcs8', format: 'pem' });
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** A token without a signature. */
export function unsignedToken(claims: unknown): string {
  return `${part({ alg: 'none' })}.${part(claims)}.${part('x')}`;
}

export class JwtProvider implements AsyncDisposable {
  readonly #authority = new TestAuthority('oidc');
  readonly #server: Server;
  #port = 0;
  /** What `/keys` publishes. */
  signers: readonly TokenSigner[] = [newSigner('k1')];
  /** Instead of the documents: a status and a body. */
  fault: readonly [number, string] | undefined;
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** What the discovery document says besides. */
  discovery: object = {};

  private constructor() {
    this.#server = createServer(this.#authority.server(), (request, response) => {
      this.asked.push(request.url ?? '');
      const [status, body] = this.fault ?? [200, JSON.stringify(this.#document(request.url ?? ''))];
      response.writeHead(status, { location: `${this.url}/elsewhere` }).end(body);
    });
  }

  static async start(): Promise<JwtProvider> {
    const provider = new JwtProvider();
    await provider.up();
    return provider;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get ca(): string {
    return this.#authority.ca;
  }

  get signer(): TokenSigner {
    return this.signers[0] ?? newSigner('none');
  }

  /** Listens, on the port that it had before. */
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
    this.#authority[Symbol.dispose]();
  }

  #document(path: string): object {
    if (path !== '/keys') return { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.discovery };
    const keys = this.signers.map(({ kid, alg, key }) => {
      const { d: _d, ...jwk } = key.export({ format: 'jwk' });
      return { kid, alg, use: 'sig', ...jwk };
    });
    return { keys };
  }
}
