/** A watch that outlives its connections. */

import { monotonicMs } from '@listwatch/api/internal';
import {
  type CancelTimer,
  type Clock,
  isStorageError,
  StorageError,
  type StorageWatch,
  type WatchBatch,
} from '@listwatch/storage';
import { closedError, compactedError } from '@listwatch/storage/internal';
import type { EtcdClient, OpenedStream } from './etcd-client.ts';
import { classifyFailure, classifyText, type EtcdFailure, toStorageError } from './etcd-error.ts';
import { EtcdWatchStream } from './etcd-watch-stream.ts';
import { GrpcError } from './grpc/grpc-error.ts';
import type { KeyRange } from './key-space.ts';
import { ProgressRequests } from './progress-requests.ts';
import { retryBackoffMs } from './retry-delay.ts';
import type { RevisionReader } from './revision-reader.ts';
import { type EtcdWatchMessage, encodeWatchCreate, encodeWatchProgress, WATCH } from './watch-messages.ts';
import { startRevision, stepWatch, type WatchState, type WatchStep, watchFrom } from './watch-state.ts';

/** What a watch needs. */
export interface EtcdWatchOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  /** For the pause before another stream: it keeps the process alive. */
  readonly waitClock: Clock;
  readonly range: KeyRange;
  readonly rootBytes: number;
  readonly after: number;
  readonly signal: AbortSignal | undefined;
  /** How long etcd may take to confirm a watch. */
  readonly createTimeoutMs: number;
  readonly revisions: RevisionReader;
  /** False where progress requests are not to be sent. */
  readonly progressRequests: boolean;
  /** The watches to end when the engine closes; this one adds and removes itself. */
  readonly running: Set<EtcdWatch>;
}

/** Why the watch is over, once it is. `left`: the consumer went. */
type Ending = { readonly type: 'left' } | { readonly type: 'failed'; readonly error: unknown };

/**
 * A quiet watch moves on at least this often. Without it, its position would stay at its last event, fall out of the
 * history, and the next broken connection would end it with `COMPACTED` although it had missed nothing.
 */
const QUIET_MS = 60_000;

/** A stream that lasted this long was healthy: its end is no reason to wait longer before the next. */
const HEALTHY_MS = 10_000;

/** A token can be refused by a member that has not heard of it yet, so one refusal is not the last word. */
const MAX_REFUSALS = 3;

/** A batch grows no further than this by joining what has arrived. */
const MAX_JOINED_EVENTS = 500;

const DONE: IteratorResult<WatchBatch, undefined> = Object.freeze({ done: true, value: undefined });

/** Reads etcd's stream as the consumer reads the watch, and opens another one whenever it ends. */
export class EtcdWatch implements StorageWatch {
  readonly #options: EtcdWatchOptions;
  readonly #progress: ProgressRequests | undefined;
  #state: WatchState;
  #stream: EtcdWatchStream | undefined;
  #openedAt = 0;
  #attempt = 0;
  #refusals = 0;
  /** Where a gap was met: met there again, it is not the compaction that would explain it. */
  #gapAt = -1;
  #iterating = false;
  /** Asked for before the watch began: a watch that is never read must not do anything. */
  #progressWanted = false;
  #ending: Ending | undefined;
  #wake: (() => void) | undefined;
  /** Calls of `next` wait for one another. */
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = false;
  #cancelQuiet: CancelTimer | undefined;

  constructor(options: EtcdWatchOptions) {
    this.#options = options;
    this.#state = watchFrom(options.after);
    const { clock, revisions } = options;
    if (options.progressRequests) {
      const send = (): void => {
        // While the consumer is away the answers would only pile up.
        if (this.#waiting && this.#state.created) this.#stream?.send(encodeWatchProgress());
      };
      this.#progress = new ProgressRequests({ clock, revision: () => revisions.current(), send });
    }
  }

  requestProgress(): void {
    if (this.#iterating) this.#progress?.request();
    else this.#progressWanted = true;
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchBatch, undefined> {
    if (this.#iterating) throw new TypeError('a watch has one consumer and cannot be iterated again');
    this.#iterating = true;
    const { signal, running } = this.#options;
    running.add(this);
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
    this.#watchQuiet();
    if (this.#progressWanted) this.requestProgress();
    return {
      next: () => {
        const batch = this.#turn.then(() => this.#next());
        this.#turn = batch.catch(() => undefined);
        return batch;
      },
      return: () => {
        this.#end({ type: 'left' });
        return Promise.resolve(DONE);
      },
    };
  }

  /** Ends the watch because the engine closes. */
  close(): void {
    this.#end({ type: 'failed', error: closedError() });
  }

  async #next(): Promise<IteratorResult<WatchBatch, undefined>> {
    if (this.#ending === undefined && this.#options.client.closed) this.close();
    this.#waiting = true;
    try {
      for (;;) {
        if (this.#ending !== undefined) return this.#over(this.#ending);
        const stream = this.#stream ?? (await this.#open());
        const response = await stream?.next();
        if (this.#ending !== undefined) continue;
        const batch = response === undefined ? this.#lost(stream) : this.#take(response);
        if (batch !== undefined)
          return { done: false, value: stream === undefined ? batch : this.#joined(batch, stream) };
      }
    } catch (error) {
      this.#end({ type: 'left' });
      throw error;
    } finally {
      this.#waiting = false;
    }
  }

  /**
   * A batch with what else has arrived: a consumer that is behind is told of many changes at once. A message that is no
   * delivery waits for the next turn, so that what came before it is not lost with it.
   */
  #joined(first: WatchBatch, stream: EtcdWatchStream): WatchBatch {
    const events = [...first.events];
    let { revision } = first;
    while (events.length < MAX_JOINED_EVENTS && stream === this.#stream) {
      const response = stream.take();
      if (response === undefined) break;
      const step = stepWatch(this.#state, response);
      const batch = step.type === 'deliver' ? this.#take(response, step) : undefined;
      if (batch === undefined) {
        stream.putBack(response);
        break;
      }
      for (const event of batch.events) events.push(event);
      ({ revision } = batch);
    }
    return { events, revision };
  }

  /** What to tell the consumer, once; after that the watch is simply done. */
  #over(ending: Ending): typeof DONE {
    this.#ending = { type: 'left' };
    if (ending.type === 'failed') throw ending.error;
    return DONE;
  }

  /** A new stream, after the wait that the failures before it call for; undefined when it could not be had. */
  async #open(): Promise<EtcdWatchStream | undefined> {
    const { client, clock, range, rootBytes, createTimeoutMs } = this.#options;
    if (this.#attempt > 0) await this.#sleep(retryBackoffMs(this.#attempt - 1));
    if (this.#ending !== undefined) return undefined;
    this.#attempt += 1;
    const opened = await this.#connect(client);
    if (opened === undefined) return undefined;
    const stream = new EtcdWatchStream(opened, rootBytes);
    this.#state = watchFrom(this.#state.position);
    this.#stream = stream;
    this.#openedAt = monotonicMs(clock);
    stream.send(encodeWatchCreate(range, startRevision(this.#state)));
    // A connection that swallows the request without a word must not keep the watch waiting for ever.
    const cancel = clock.after(createTimeoutMs, () => stream.cancel());
    const first = await stream.next();
    cancel();
    if (this.#ending !== undefined || first === undefined) return stream;
    client.streamAnswered(opened);
    if (this.#take(first) !== undefined) throw new StorageError('CORRUPT', 'etcd sent a watch event before its watch');
    if (first.revision < this.#state.position && !(await this.#confirmed(stream))) return undefined;
    if (this.#state.created) this.#progress?.streamCreated();
    return this.#stream;
  }

  /** The member is behind the watch: it lags, or etcd has been restored, which ends the watch. False: ask another one. */
  async #confirmed(stream: EtcdWatchStream): Promise<boolean> {
    try {
      await this.#options.revisions.refuseRestored(this.#state.position);
      return true;
    } catch (error) {
      if (isStorageError(error, 'COMPACTED')) throw error;
      this.#drop('unknown');
      stream.cancel();
      return false;
    }
  }

  /** A stream without a watch on it yet; undefined when there is none to be had, or the watch has ended meanwhile. */
  async #connect(client: EtcdClient): Promise<OpenedStream | undefined> {
    const opening = client.stream(WATCH);
    const ended = new Promise<undefined>((resolve) => {
      this.#wake = () => resolve(undefined);
    });
    try {
      const opened = await Promise.race([opening, ended]);
      if (opened === undefined) void opening.then((late) => new EtcdWatchStream(late, 0).cancel(), ignore);
      return opened;
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      this.#giveUpIfHopeless(classifyFailure(error), error);
      return undefined;
    } finally {
      this.#wake = undefined;
    }
  }

  /** One message. The batch to deliver, if it makes one; throws when the watch cannot go on. */
  #take(response: EtcdWatchMessage, step: WatchStep = stepWatch(this.#state, response)): WatchBatch | undefined {
    let batch: WatchBatch | undefined;
    switch (step.type) {
      case 'wait':
        this.#state = step.state;
        if (step.state.created) this.#refusals = 0;
        break;
      case 'deliver':
        this.#state = step.state;
        this.#options.revisions.saw(step.state.position);
        this.#attempt = 0;
        this.#watchQuiet();
        this.#progress?.delivered(step.state.position);
        batch = { events: step.events, revision: BigInt(step.state.position) };
        break;
      case 'compacted':
        throw compactedError(BigInt(this.#state.position), BigInt(step.revision));
      case 'canceled':
        this.#canceled(step.reason);
        break;
      case 'gap':
        if (this.#gapAt === step.revision) {
          throw new StorageError('CORRUPT', `etcd has lost the value before revision ${step.revision}`);
        }
        // Begun again from the position, the watch is told of the compaction that took the value away.
        this.#gapAt = step.revision;
        this.#drop('unsent');
        break;
      case 'disorder':
        throw new StorageError('CORRUPT', `etcd sent revision ${step.revision} out of order`);
    }
    return batch;
  }

  #canceled(reason: string): void {
    // etcd 3.4 says "permission denied" when it means that it does not know the token.
    const refused = /permission denied|user name is empty/.test(reason);
    const failure = refused ? 'unauthenticated' : (classifyText(reason) ?? 'unknown');
    this.#drop(failure);
    this.#giveUpIfHopeless(failure, new StorageError('UNAVAILABLE', `etcd refused the watch: ${reason}`));
  }

  /** The stream is over: look why, and go on with another one from the position. */
  #lost(stream: EtcdWatchStream | undefined): undefined {
    if (stream === undefined || stream !== this.#stream) return undefined;
    this.#drop(stream.failure);
    this.#giveUpIfHopeless(stream.failure, stream.error);
    return undefined;
  }

  /** Throws the failure if opening another stream cannot cure it. */
  #giveUpIfHopeless(failure: EtcdFailure, error: unknown): void {
    if (failure === 'unauthenticated') this.#refusals += 1;
    const { renewable, loginMayRecover } = this.#options.client;
    const refused =
      this.#refusals >= (renewable ? MAX_REFUSALS : 1) || (failure === 'loginRefused' && !loginMayRecover);
    if (!refused && failure !== 'incompatible' && failure !== 'corrupt' && failure !== 'final') return;
    throw error instanceof GrpcError ? toStorageError(error, this.#options.client.endpoint, false) : error;
  }

  #drop(failure: EtcdFailure): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#stream = undefined;
    const { serves } = stream;
    stream.cancel();
    this.#options.client.streamFailed(stream.opened, failure, serves);
    if (this.#state.created && monotonicMs(this.#options.clock) - this.#openedAt > HEALTHY_MS) this.#attempt = 0;
    this.#state = watchFrom(this.#state.position);
  }

  readonly #abort = (): void => this.#end({ type: 'failed', error: this.#options.signal?.reason });

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    const { signal, running } = this.#options;
    signal?.removeEventListener('abort', this.#abort);
    running.delete(this);
    this.#cancelQuiet?.();
    this.#progress?.stop();
    this.#stream?.cancel();
    this.#stream = undefined;
    this.#wake?.();
  }

  #watchQuiet(): void {
    this.#cancelQuiet?.();
    if (this.#progress === undefined || this.#ending !== undefined) return;
    this.#cancelQuiet = this.#options.clock.after(QUIET_MS, () => {
      this.requestProgress();
      this.#watchQuiet();
    });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
      const cancel = this.#options.waitClock.after(ms, wake);
      this.#wake = wake;
    });
  }
}

function ignore(): void {}
