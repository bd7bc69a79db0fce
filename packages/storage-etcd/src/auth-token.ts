/** The metadata of every call: the wish for a leader, and the token of etcd's authentication. */

import { classifyFailure } from './etcd-error.ts';
import type { EtcdAuthOptions } from './etcd-options.ts';
import type { CallMetadata } from './grpc/grpc-connection.ts';
import { GrpcError } from './grpc/grpc-error.ts';
import { AUTHENTICATE, decodeAuthenticate, encodeAuthenticate } from './lease-messages.ts';

/** Sends one request without a token. */
export type SendUnauthenticated = (path: string, request: Buffer, metadata: CallMetadata) => Promise<Buffer>;

/** Gets a token when one is needed, once for all who need it. */
export class AuthToken {
  readonly #auth: EtcdAuthOptions | undefined;
  #metadata: CallMetadata | undefined;
  #renewal: Promise<CallMetadata> | undefined;

  constructor(auth: EtcdAuthOptions | undefined) {
    this.#auth = auth;
    if (auth === undefined) this.#metadata = REQUIRE_LEADER;
  }

  /** Whether a new token could help. */
  get renewable(): boolean {
    return this.#auth !== undefined;
  }

  /** What to send along; undefined when a token must be fetched first. */
  get metadata(): CallMetadata | undefined {
    return this.#metadata;
  }

  /** Forgets the token that was sent in `metadata`, unless it has been replaced meanwhile. */
  invalidate(metadata: CallMetadata): void {
    if (this.#auth !== undefined && metadata === this.#metadata) this.#metadata = undefined;
  }

  /** Fetches a token. */
  renew(send: SendUnauthenticated): Promise<CallMetadata> {
    this.#renewal ??= this.#renew(send).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(send: SendUnauthenticated): Promise<CallMetadata> {
    const metadata = { ...REQUIRE_LEADER, ...(await this.#fetch(send)) };
    this.#metadata = metadata;
    return metadata;
  }

  async #fetch(send: SendUnauthenticated): Promise<CallMetadata> {
    if (this.#auth === undefined) return {};
    try {
      const request = encodeAuthenticate(this.#auth.username, this.#auth.password);
      return { token: decodeAuthenticate(await send(AUTHENTICATE, request, REQUIRE_LEADER)) };
    } catch (error) {
      // As etcd's own client: a user on a cluster that has authentication switched off is let in as anyone is.
      if (!(error instanceof GrpcError) || classifyFailure(error) !== 'authDisabled') throw error;
      return {};
    }
  }
}

/** A member without a leader answers at once instead of letting the call wait, and ends its watches. */
const REQUIRE_LEADER: CallMetadata = Object.freeze({ hasleader: 'true' });
