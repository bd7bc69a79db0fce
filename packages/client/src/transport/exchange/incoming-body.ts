/** A body as it comes in: what arrives is kept in order until its one reader asks for it, and the sender is held back. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { NEWLINE } from '../../json/json-byte.ts';
import { ReusedBytes } from '../../json/reused-bytes.ts';
import { TransportError } from '../transport-error.ts';

/** Where the bytes come from. */
export interface BodySource {
  /** The reader does not keep up: bring nothing more until `resume`. */
  pause(): void;
  resume(): void;
  /** Our side ends it, at most once and never after the source has ended by itself. */
  cancel(reason: unknown): void;
  /** Absent: everything is handed out at once. */
  readonly gather?: Gathering | undefined;
}

/**
 * How to wait for more. A server written in Go sends an answer in pieces of 4 KiB and a socket brings 16 KiB at most; to wake
 * the reader for each costs more than to read it.
 */
export interface Gathering {
  /** Runs `task` when what has reached this process already has been pushed. */
  turn(task: () => void): void;
  /** Runs `task` in a moment. */
  soon(task: () => void): void;
}

/** What is kept for the reader before the sender is held back. */
const HIGH_WATER_BYTES = 256 * 1024;

/**
 * The most that is handed out in one piece, unless it came in a larger one. V8 makes the objects of a text below 100 KB in its
 * young generation, and has to copy those that stay; a text above 128 KB gets pages of its own, cleared each time.
 */
export const PIECE_BYTES: number = 124 * 1024;

/** This much is handed out at once, and less is if it ends a line. Else more of it is to come, and is waited for a moment. */
const FULL_BYTES = 112 * 1024;

/**
 * A few bytes after a pause of so many milliseconds are an event that comes alone: it is handed out at once, for to gather
 * costs a turn of the loop. What comes faster is gathered.
 */
const LONE_BYTES = 8 * 1024;
const LONE_AFTER_MS = 0.2;

type Ending = { readonly type: 'failed'; readonly error: unknown } | { readonly type: 'whole' };

interface Waiter {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

export interface IncomingBodyOptions {
  readonly source: Pick<BodySource, 'gather' | 'pause' | 'resume'>;
  readonly clock: Clock;
  /** How long the reader may wait for the next chunk. Absent: for ever. */
  readonly idleTimeoutMs?: number | undefined;
  /** The reader waited too long. */
  readonly onIdle: (error: TransportError) => void;
  /** The reader does not want the rest. */
  readonly onReturn: () => void;
  /** Read before each chunk: once it is aborted nothing more is handed out, also not what has arrived. */
  readonly signal?: AbortSignal | undefined;
}

/** Not a generator: each chunk of a list would then cost three promises instead of one. */
export class IncomingBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #options: IncomingBodyOptions;
  readonly #memory = new ReusedBytes();
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #paused = false;
  /** The reader will be woken. */
  #isWaking = false;
  #wokenAt = 0;
  #taken = false;
  #ending: Ending | undefined;
  #waiter: Waiter | undefined;
  #cancelIdle: CancelTimer | undefined;

  constructor(options: IncomingBodyOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    if (this.#ending !== undefined || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#waiter !== undefined) this.#wakeLater();
    if (this.#bytes < HIGH_WATER_BYTES || this.#paused) return;
    this.#paused = true;
    this.#options.source.pause();
  }

  /** The sender has ended it. */
  finish(): void {
    this.#end({ type: 'whole' });
  }

  /** The sender broke off: what has arrived is still read before the error comes. */
  fail(error: unknown): void {
    this.#end({ type: 'failed', error });
  }

  /** Our side broke off: nothing more is handed out. */
  abandon(error: unknown): void {
    this.#drop();
    this.#end({ type: 'failed', error });
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    // Two readers would each get half of the frames.
    if (this.#taken) throw new TypeError('the body of an answer can be read once');
    this.#taken = true;
    return this;
  }

  /** Not async: a promise within a promise costs three turns more. */
  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { signal } = this.#options;
    if (signal?.aborted === true && this.#chunks.length > 0) {
      this.#drop();
      this.#ending = { type: 'failed', error: signal.reason };
    }
    const hasPart = this.#chunks.length > 0 && this.#isPartial;
    if (this.#chunks.length > 0 && !hasPart) return Promise.resolve({ done: false, value: this.#takePiece() });
    if (this.#chunks.length === 0 && this.#ending !== undefined) return this.#last(this.#ending);
    if (this.#waiter !== undefined) return Promise.reject(new TypeError('the last chunk asked for has not come yet'));
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.#startIdle();
      if (hasPart) this.#wakeLater();
      if (!this.#paused) return;
      this.#paused = false;
      this.#options.source.resume();
    });
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    const open = this.#ending === undefined;
    this.#drop();
    this.#ending = { type: 'whole' };
    this.#takeWaiter()?.resolve({ done: true, value: undefined });
    if (open) this.#options.onReturn();
    return { done: true, value: undefined };
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    // Who reads what has arrived meets the end behind it.
    if (this.#chunks.length > 0) return this.#wake();
    const waiter = this.#takeWaiter();
    if (waiter === undefined) return;
    if (ending.type === 'failed') waiter.reject(ending.error);
    else waiter.resolve({ done: true, value: undefined });
  }

  #last(ending: Ending): Promise<IteratorResult<Uint8Array, undefined>> {
    if (ending.type === 'whole') return Promise.resolve({ done: true, value: undefined });
    // Told once, as a generator tells it: who reads on after the error finds the end.
    this.#ending = { type: 'whole' };
    return Promise.reject(ending.error);
  }

  /** Is more of this to come? What a server writes ends with a line: an event, a list, a line of a log. */
  get #isPartial(): boolean {
    if (this.#options.source.gather === undefined || this.#ending !== undefined || this.#bytes >= FULL_BYTES)
      return false;
    return this.#chunks.at(-1)?.at(-1) !== NEWLINE;
  }

  get #isLone(): boolean {
    return this.#bytes < LONE_BYTES && !this.#isPartial && performance.now() - this.#wokenAt > LONE_AFTER_MS;
  }

  /** At once, at the end of this turn, or, if that brings only a part of something, a moment later. */
  #wakeLater(): void {
    const { gather } = this.#options.source;
    if (gather === undefined || this.#bytes >= FULL_BYTES || (!this.#isWaking && this.#isLone)) return this.#wake();
    if (this.#isWaking) return;
    this.#isWaking = true;
    const waiter = this.#waiter;
    const wake = (): void => {
      if (this.#waiter === waiter) this.#wake();
    };
    gather.turn(() => {
      if (this.#waiter === waiter && this.#isPartial) gather.soon(wake);
      else wake();
    });
  }

  #wake(): void {
    this.#wokenAt = performance.now();
    if (this.#chunks.length > 0) this.#takeWaiter()?.resolve({ done: false, value: this.#takePiece() });
  }

  /** What has arrived, as much of it as goes into one piece: objects that are decoded together cost the least. */
  #takePiece(): Uint8Array {
    let size = 0;
    let count = 0;
    for (const { length } of this.#chunks) {
      if (count > 0 && size + length > PIECE_BYTES) break;
      size += length;
      count += 1;
    }
    const chunks = this.#chunks.splice(0, count);
    this.#bytes -= size;
    const [first] = chunks;
    if (first !== undefined && chunks.length === 1) return first;
    // The reader has asked for this one, and has no more use for the piece before.
    const piece = this.#memory.take(size);
    let at = 0;
    for (const chunk of chunks) {
      piece.set(chunk, at);
      at += chunk.length;
    }
    return piece;
  }

  #drop(): void {
    this.#chunks = [];
    this.#bytes = 0;
  }

  #takeWaiter(): Waiter | undefined {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#isWaking = false;
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
    return waiter;
  }

  /** Only a reader that waits can be kept waiting: the time it takes for itself is not the sender's silence. */
  #startIdle(): void {
    const { idleTimeoutMs, clock, onIdle } = this.#options;
    if (idleTimeoutMs === undefined || idleTimeoutMs <= 0) return;
    this.#cancelIdle = clock.after(idleTimeoutMs, () =>
      onIdle(new TransportError('IDLE_TIMEOUT', `the answer fell silent for ${idleTimeoutMs} ms`)),
    );
  }
}
