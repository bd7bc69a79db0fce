/** The metadata of every call: the wish for a leader, and the token of etcd's authentication. */

import { Metadata } from '@grpc/grpc-js';
import { classifyFailure, isServiceError } from './etcd-error.ts';
import type { EtcdAuthOptions } from './etcd-options.ts';
import { AUTHENTICATE, decodeAuthenticate, encodeAuthenticate } from './lease-messages.ts';

/** Sends one request without a token. */
export type SendUnauthenticated = (path: string, request: Buffer, metadata: Metadata) => Promise<Buffer>;

/** Gets a token when one is needed, once for all who need it. */
export class AuthToken {
  readonly #auth: EtcdAuthOptions | undefined;
  #metadata: Metadata | undefined;
  #renewal: Promise<Metadata> | undefined;

  constructor(auth: EtcdAuthOptions | undefined) {
    this.#auth = auth;
    if (auth === undefined) this.#metadata = requireLeader();
  }

  /** Whether a new token could help. */
  get renewable(): boolean {
    return this.#auth !== undefined;
  }

  /** What to send along; undefined when a token must be fetched first. */
  get metadata(): Metadata | undefined {
    return this.#metadata;
  }

  /** Forgets the token that was sent in `metadata`, unless it has been replaced meanwhile. */
  invalidate(metadata: Metadata): void {
    if (this.#auth !== undefined && metadata === this.#metadata) this.#metadata = undefined;
  }

  /** Fetches a token. */
  renew(send: SendUnauthenticated): Promise<Metadata> {
    this.#renewal ??= this.#renew(send).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(send: SendUnauthenticated): Promise<Metadata> {
    const metadata = requireLeader();
    if (this.#auth !== undefined) {
      try {
        const request = encodeAuthenticate(this.#auth.username, this.#auth.password);
        metadata.set('token', decodeAuthenticate(await send(AUTHENTICATE, request, requireLeader())));
      } catch (error) {
        // As etcd's own client: a user on a cluster that has authentication switched off is let in as anyone is.
        if (!isServiceError(error) || classifyFailure(error) !== 'authDisabled') throw error;
      }
    }
    this.#metadata = metadata;
    return metadata;
  }
}

/** A member without a leader answers at once instead of letting the call wait, and ends its watches. */
function requireLeader(): Metadata {
  const metadata = new Metadata();
  metadata.set('hasleader', 'true');
  return metadata;
}
