/** The metadata of every call: the wish for a leader, and the token of etcd's authentication. */

import { StorageError } from '@listwatch/storage';
import { classifyFailure } from './etcd-error.ts';
import { checkAuth, type EtcdAuthOptions, type EtcdConfig } from './etcd-options.ts';
import type { CallMetadata } from './grpc/grpc-connection.ts';
import { GrpcError } from './grpc/grpc-error.ts';
import { AUTHENTICATE, decodeAuthenticate, encodeAuthenticate } from './lease-messages.ts';

/** Sends one request without a token. */
export type SendUnauthenticated = (path: string, request: Buffer, metadata: CallMetadata) => Promise<Buffer>;

/** A password that etcd refused. */
interface RefusedLogin {
  readonly auth: EtcdAuthOptions;
  readonly error: GrpcError;
  readonly at: number;
}

/** etcd hashes each password that it is shown, for some 60 ms: a refused one is not shown again sooner than this. */
const REFUSED_PAUSE_MS = 1000;

/** Gets a token when one is needed, once for all who need it. */
export class AuthToken {
  readonly #read: (() => EtcdAuthOptions) | undefined;
  readonly #canChange: boolean;
  readonly #onError: (error: StorageError) => void;
  #metadata: CallMetadata | undefined;
  #renewal: Promise<CallMetadata> | undefined;
  /** What etcd gave a token for last. */
  #accepted: EtcdAuthOptions | undefined;
  /** Those of the last second. */
  #refused: readonly RefusedLogin[] = [];
  #reported: string | undefined;

  constructor({
    auth,
    authCanChange,
    onCredentialsError,
  }: Pick<EtcdConfig, 'auth' | 'authCanChange' | 'onCredentialsError'>) {
    this.#read = auth;
    this.#canChange = authCanChange;
    this.#onError = onCredentialsError;
    if (auth === undefined) this.#metadata = REQUIRE_LEADER;
  }

  /** Whether a new token could help. */
  get renewable(): boolean {
    return this.#read !== undefined;
  }

  /** Whether a refused login is worth another attempt: the password was right once, and can be replaced. */
  get mayRecover(): boolean {
    return this.#canChange && this.#accepted !== undefined;
  }

  /** What to send along; undefined when a token must be fetched first. */
  get metadata(): CallMetadata | undefined {
    return this.#metadata;
  }

  /** Forgets the token that was sent in `metadata`, unless it has been replaced meanwhile. */
  invalidate(metadata: CallMetadata): void {
    if (this.#read !== undefined && metadata === this.#metadata) this.#metadata = undefined;
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
    if (this.#read === undefined) return {};
    const { auth, isCurrent } = this.#current(this.#read);
    let refusal = this.#knownRefusal(auth);
    for (const candidate of this.#candidates(auth, refusal !== undefined)) {
      try {
        const metadata = await this.#login(candidate, send);
        if (isCurrent) this.#reported = undefined;
        return metadata;
      } catch (error) {
        if (!(error instanceof GrpcError) || classifyFailure(error) !== 'loginRefused') throw error;
        this.#refused = [...this.#refused, { auth: candidate, error, at: performance.now() }];
        refusal ??= error;
      }
    }
    if (this.mayRecover) this.#report(`etcd refuses the password of ${auth.username}; it is read again every second`);
    throw refusal;
  }

  /**
   * What to log in with. The file may hold a new password before etcd does, so the last one that was accepted is tried as well.
   * When etcd gives that up, the new one may be right although it was refused a moment ago.
   */
  #candidates(auth: EtcdAuthOptions, isRefused: boolean): readonly EtcdAuthOptions[] {
    const before = this.#accepted;
    const hasOther = before !== undefined && !isSame(before, auth) && this.#knownRefusal(before) === undefined;
    if (isRefused) return hasOther ? [before, auth] : [];
    return hasOther ? [auth, before] : [auth];
  }

  /** Once for each reason, until etcd accepts a password again. */
  #report(message: string, cause?: unknown): void {
    if (message === this.#reported) return;
    this.#reported = message;
    this.#onError(new StorageError('UNAVAILABLE', message, { cause }));
  }

  #knownRefusal(auth: EtcdAuthOptions): GrpcError | undefined {
    this.#refused = this.#refused.filter(({ at }) => performance.now() - at < REFUSED_PAUSE_MS);
    return this.#refused.find((refused) => isSame(refused.auth, auth))?.error;
  }

  async #login(auth: EtcdAuthOptions, send: SendUnauthenticated): Promise<CallMetadata> {
    try {
      const request = encodeAuthenticate(auth.username, auth.password);
      const token = decodeAuthenticate(await send(AUTHENTICATE, request, REQUIRE_LEADER));
      this.#accepted = auth;
      return { token };
    } catch (error) {
      // As etcd's own client: a user on a cluster that has authentication switched off is let in as anyone is.
      if (!(error instanceof GrpcError) || classifyFailure(error) !== 'authDisabled') throw error;
      return {};
    }
  }

  /** The user and password of now; the last good ones when the function fails. */
  #current(read: () => EtcdAuthOptions): { readonly auth: EtcdAuthOptions; readonly isCurrent: boolean } {
    try {
      const auth = read();
      checkAuth(auth);
      return { auth, isCurrent: true };
    } catch (cause) {
      const reason = `the password for etcd cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`;
      if (this.#accepted === undefined) throw new StorageError('UNAVAILABLE', reason, { cause });
      this.#report(`${reason}; the engine logs in with the last one that etcd accepted`, cause);
      return { auth: this.#accepted, isCurrent: false };
    }
  }
}

function isSame(one: EtcdAuthOptions, other: EtcdAuthOptions): boolean {
  return one.username === other.username && one.password === other.password;
}

/** A member without a leader answers at once instead of letting the call wait, and ends its watches. */
const REQUIRE_LEADER: CallMetadata = Object.freeze({ hasleader: 'true' });
