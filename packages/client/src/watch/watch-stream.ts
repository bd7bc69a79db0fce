/** One watch, from its request to its end. */

import { type ApiObject, type Clock, isInitialEventsEnd, type WatchEvent } from '@listwatch/api';
import type { WatchStream } from '../cluster.ts';
import { interruptible } from '../interruptible.ts';
import { type LinkedSignal, linkSignal } from '../link-signal.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { TransportError } from '../transport/transport-error.ts';
import { decodeAll } from './decode-all.ts';
import { FrameSplitter } from './frame-splitter.ts';
import { LivenessTimer } from './liveness-timer.ts';
import type { WatchDecoder } from './watch-decoder.ts';
import type { LivenessConfig, SilenceReason } from './watch-liveness.ts';

/** What a watch is made of. */
export interface WatchStreamConfig<T extends ApiObject> {
  /** Sends the request; the signal ends the exchange, also later. */
  readonly open: (signal: AbortSignal) => Promise<TransportResponse>;
  readonly decoder: WatchDecoder<T>;
  /** Says in an error which watch it is about. `open` does so itself. */
  readonly named: (error: unknown) => unknown;
  readonly liveness: LivenessConfig;
  /** A larger frame fails with `PROTOCOL`. */
  readonly maxFrameBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** Abort reason when the reader leaves; no reader sees it. */
const LEFT = Symbol('the reader has left');

/** Nothing is sent before the first event is asked for. */
export class TransportWatchStream<T extends ApiObject> implements WatchStream<T> {
  readonly #config: WatchStreamConfig<T>;
  #link: LinkedSignal | undefined;
  #isTaken = false;
  #isClosed = false;
  #opened = false;

  constructor(config: WatchStreamConfig<T>) {
    this.#config = config;
  }

  get opened(): boolean {
    return this.#opened;
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>, undefined> {
    return new EventIterator(this.#reader());
  }

  batches(): AsyncIterable<readonly WatchEvent<T>[]> {
    const reader = this.#reader();
    return { [Symbol.asyncIterator]: () => reader };
  }

  #reader(): BatchIterator<T> {
    if (this.#isTaken) throw new TypeError('a watch has one reader: open another watch');
    this.#isTaken = true;
    const batches = this.#batches();
    return {
      next: () => batches.next(),
      // A generator that waits for bytes does not hear of `return` until they come: that may be never.
      return: async () => {
        this.#close();
        return batches.return(undefined);
      },
    };
  }

  /** Closes the watch; a pending `next` gets the end of the stream. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
  }

  #close(): void {
    this.#isClosed = true;
    this.#link?.abort(LEFT);
  }

  async *#batches(): AsyncGenerator<readonly WatchEvent<T>[], undefined> {
    const { open, decoder, liveness, maxFrameBytes, clock, signal } = this.#config;
    signal?.throwIfAborted();
    if (this.#isClosed) return undefined;
    const link = linkSignal(signal);
    this.#link = link;
    const wait = interruptible(link.signal);
    const splitter = new FrameSplitter(maxFrameBytes);
    let body: AsyncIterator<Uint8Array> | undefined;
    let timer: LivenessTimer | undefined;
    try {
      body = (await wait(open(link.signal))).body[Symbol.asyncIterator]();
      this.#opened = true;
      timer = new LivenessTimer(liveness, clock, (reason) => link.abort(silence(reason, liveness)));
      for (;;) {
        timer.reading();
        const { done, value } = await wait(body.next());
        if (done === true) {
          body = undefined;
          splitter.end();
          return undefined;
        }
        splitter.push(value);
        const { events, hasNotice, error } = decodeAll(splitter, decoder);
        if (events.length > 0) timer.events();
        if (hasNotice && events.some(isHeartbeat)) timer.bookmark();
        if (events.length > 0) yield events;
        // Events before the damage count; nothing behind it does.
        if (error !== undefined) throw error.cause;
        if (events.at(-1)?.type === 'ERROR') return undefined;
      }
    } catch (error) {
      if (error === LEFT) return undefined;
      throw this.#opened && error !== signal?.reason ? this.#config.named(error) : error;
    } finally {
      timer?.stop();
      link.unlink();
      if (!link.signal.aborted) await body?.return?.();
    }
  }
}

/** The bookmark that ends the initial events is no promise of others: watches of Events get no more. */
function isHeartbeat(event: WatchEvent): boolean {
  return event.type === 'BOOKMARK' && !isInitialEventsEnd(event);
}

type BatchIterator<T extends ApiObject> = Required<
  Pick<AsyncIterator<readonly WatchEvent<T>[], undefined>, 'next' | 'return'>
>;

/** One event at a time. Not a generator: each event would then cost three promises instead of one. */
class EventIterator<T extends ApiObject> implements AsyncIterator<WatchEvent<T>, undefined> {
  readonly #batches: BatchIterator<T>;
  #batch: readonly WatchEvent<T>[] = [];
  #at = 0;
  #isOver = false;

  constructor(batches: BatchIterator<T>) {
    this.#batches = batches;
  }

  async next(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    if (this.#at >= this.#batch.length) {
      if (this.#isOver) return { done: true, value: undefined };
      const { done, value } = await this.#batches.next();
      if (done === true || this.#isOver) return { done: true, value: undefined };
      this.#batch = value;
      this.#at = 0;
    }
    const event = this.#batch[this.#at];
    this.#at += 1;
    return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
  }

  async return(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    this.#isOver = true;
    this.#batch = [];
    await this.#batches.return();
    return { done: true, value: undefined };
  }
}

function silence(reason: SilenceReason, { timeoutMs, marginMs, heartbeatMs }: LivenessConfig): TransportError {
  const message =
    reason === 'heartbeat'
      ? `no event and no bookmark for ${heartbeatMs} ms, from a server that sends bookmarks`
      : `the server did not end the watch after its timeout of ${timeoutMs} ms, nor within ${marginMs} ms more`;
  return new TransportError('IDLE_TIMEOUT', message);
}
