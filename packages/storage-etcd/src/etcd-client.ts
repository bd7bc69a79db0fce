/** Calls to the cluster: failover, repetition where it is harmless, authentication, a deadline for the whole. */

import { sleep } from '@listwatch/api';
import { abortable } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';
import { closedError } from '@listwatch/storage/internal';
import { AuthToken } from './auth-token.ts';
import type { Endpoint } from './endpoint.ts';
import { EndpointSet } from './endpoint-set.ts';
import { classifyFailure, EtcdAnswer, type EtcdFailure, toStorageError } from './etcd-error.ts';
import type { EtcdConfig } from './etcd-options.ts';
import { ReachWatch } from './etcd-reach.ts';
import type { CallMetadata, GrpcConnection, GrpcStream } from './grpc/grpc-connection.ts';
import { GrpcError } from './grpc/grpc-error.ts';
import { retryBackoffMs } from './retry-delay.ts';

/** What a call is. */
export interface CallOptions {
  /** It changes something: not repeated once it may have been carried out. */
  readonly write: boolean;
  /** Ends a read at any time, and a write until it has been handed over. */
  readonly signal?: AbortSignal | undefined;
}

/** An open stream and what to report when it fails. */
export interface OpenedStream {
  readonly stream: GrpcStream;
  readonly endpoint: Endpoint;
  readonly connection: GrpcConnection;
  readonly metadata: CallMetadata;
}

/** How often a call renews its token before it fails as unauthenticated. */
const MAX_RENEWALS = 3;

/** Calls wait no longer than this between two attempts, so that `close()` need not wait longer for them. */
const LONGEST_WAIT_MS = 500;

/** The cluster as one thing to call. */
export class EtcdClient {
  readonly #endpoints: EndpointSet;
  readonly #reach: ReachWatch;
  readonly #auth: AuthToken;
  readonly #timeoutMs: number;
  readonly #waitClock: Clock;
  #running = 0;
  #closing: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  constructor(config: EtcdConfig) {
    this.#endpoints = new EndpointSet(config);
    this.#reach = new ReachWatch(config.endpoints.length, config.clock, config.onReach);
    this.#auth = new AuthToken(config);
    this.#timeoutMs = config.requestTimeoutMs;
    this.#waitClock = config.waitClock;
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Where the next call goes. */
  get endpoint(): string {
    return this.#endpoints.current.url;
  }

  /**
   * One request. Rejects with an `EtcdAnswer` for the answers that callers deal with, with a `StorageError` for the
   * others, and with the signal's reason.
   */
  async call(path: string, request: Buffer, options: CallOptions): Promise<Buffer> {
    if (this.closed) throw closedError();
    options.signal?.throwIfAborted();
    this.#running += 1;
    try {
      return await this.#call(path, request, options);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idle?.();
    }
  }

  /** A stream to the current endpoint. Rejects with a `GrpcError` when there is no connection or no token to be had. */
  async stream(path: string): Promise<OpenedStream> {
    if (this.closed) throw closedError();
    const endpoint = this.#endpoints.current;
    const { connection } = endpoint;
    const deadline = performance.now() + this.#timeoutMs;
    try {
      const metadata = await this.#prepare(connection, deadline, undefined);
      return { stream: connection.stream(path, metadata), endpoint, connection, metadata };
    } catch (error) {
      // A member that refuses the password serves well.
      const refused = error instanceof GrpcError && classifyFailure(error) === 'loginRefused';
      if (refused) this.#reach.refused(endpoint.url, error);
      else this.#failed(endpoint, connection, error);
      throw error;
    }
  }

  /** Reports how a stream ended, so that the next one goes elsewhere or brings a new token. `serves`: the member had answered on it. */
  streamFailed({ stream, endpoint, connection, metadata }: OpenedStream, failure: EtcdFailure, serves: boolean): void {
    if (failure === 'unauthenticated' || failure === 'final') this.#auth.invalidate(metadata);
    else this.#failed(endpoint, connection, stream.error, serves);
  }

  /** Reports that a stream has brought something. */
  streamAnswered({ endpoint }: OpenedStream): void {
    this.#reach.answered(endpoint.url);
  }

  /** Whether a refused call may be repeated with a new token. */
  get renewable(): boolean {
    return this.#auth.renewable;
  }

  /** Whether a refused login is worth another attempt: the password was right once, and can be replaced. */
  get loginMayRecover(): boolean {
    return this.#auth.mayRecover;
  }

  /** Refuses new calls, waits for those under way (each has its deadline), hangs up. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#endpoints.close();
  }

  async #call(path: string, request: Buffer, { write, signal }: CallOptions): Promise<Buffer> {
    const deadline = performance.now() + this.#timeoutMs;
    // A read that hangs on one member must leave time for another one.
    const attemptTimeoutMs = write ? this.#timeoutMs : this.#timeoutMs / 2;
    let renewals = 0;
    let known: GrpcError | undefined;
    for (let attempt = 0; ; attempt += 1) {
      const endpoint = this.#endpoints.current;
      const { connection } = endpoint;
      let metadata: CallMetadata | undefined;
      let handedOver = false;
      try {
        metadata = connection.state === 'ready' ? this.#auth.metadata : undefined;
        metadata ??= await this.#prepare(connection, deadline, signal);
        handedOver = true;
        const answered = await connection.unary(path, request, metadata, {
          timeoutMs: Math.max(1, Math.min(deadline - performance.now(), attemptTimeoutMs)),
          // A write has been handed over: its outcome is what counts now.
          signal: write ? undefined : signal,
        });
        this.#reach.answered(endpoint.url);
        return answered;
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        const failure = classifyFailure(error);
        const repeatable = failure === 'unsent' || (failure === 'unknown' && !(write && handedOver));
        const awaitsPassword = failure === 'loginRefused' && this.loginMayRecover;
        if (repeatable || failure === 'unknown') this.#failed(endpoint, connection, error);
        if (awaitsPassword) this.#reach.refused(endpoint.url, error);
        if (failure === 'unauthenticated' && metadata !== undefined && renewals < MAX_RENEWALS && this.renewable) {
          renewals += 1;
          this.#auth.invalidate(metadata);
        } else if (!repeatable && !awaitsPassword) throw answer(error, failure, endpoint, write && handedOver);
        // That time was up says less than the failure before it.
        const reason = known !== undefined && error.unsent ? known : error;
        known = reason;
        await this.#pause(attempt, deadline, signal, () => toStorageError(reason, endpoint.url, false));
      }
    }
  }

  #failed(endpoint: Endpoint, connection: GrpcConnection, error: unknown, serves = isAnswered(error)): void {
    this.#endpoints.failed(endpoint, connection, serves);
    this.#reach.failed(endpoint.url, error);
  }

  /** A connection, and the metadata to send over it. */
  async #prepare(connection: GrpcConnection, deadline: number, signal: AbortSignal | undefined): Promise<CallMetadata> {
    if (connection.state !== 'ready') await abortable(connection.ready(deadline - performance.now()), signal);
    if (this.#auth.metadata !== undefined) return this.#auth.metadata;
    const renewal = this.#auth.renew((path, request, metadata) =>
      connection.unary(path, request, metadata, { timeoutMs: Math.max(1, deadline - performance.now()) }),
    );
    return abortable(renewal, signal);
  }

  /** Waits before the next attempt, unless there are members left to try; throws `failure()` when time is up. */
  async #pause(
    attempt: number,
    deadline: number,
    signal: AbortSignal | undefined,
    failure: () => Error,
  ): Promise<void> {
    if (this.closed) throw closedError();
    const wait = attempt + 1 < this.#endpoints.size ? 0 : Math.min(LONGEST_WAIT_MS, retryBackoffMs(attempt));
    if (performance.now() + wait >= deadline) throw failure();
    if (wait > 0) await sleep(this.#waitClock, wait, signal);
    if (this.closed) throw closedError();
  }
}

function isAnswered(error: unknown): boolean {
  return error instanceof GrpcError && error.answered;
}

/** The answers that callers deal with. */
const ANSWERS: ReadonlySet<EtcdFailure> = new Set(['compacted', 'future', 'leaseNotFound']);

function answer(error: GrpcError, failure: EtcdFailure, endpoint: Endpoint, write: boolean): Error {
  return ANSWERS.has(failure) ? new EtcdAnswer(failure, error) : toStorageError(error, endpoint.url, write);
}
