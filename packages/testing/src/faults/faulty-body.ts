/** The body of an answer, with whatever goes wrong on its way to the reader. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { TransportError, type TransportRequest } from '@listwatch/client';
import type { EndOfBody } from './fault.ts';
import type { FaultRule, FrameVerdict } from './fault-rule.ts';
import { FrameTracker } from './frame-tracker.ts';

/** What a body is made of. */
export interface FaultyBodyParts {
  readonly request: TransportRequest;
  readonly isWatch: boolean;
  readonly source: AsyncIterable<Uint8Array>;
  readonly clock: Clock;
  /** The faults that are in place now and about this request. */
  readonly rules: () => readonly FaultRule[];
  /** Called once, when nothing more will be read. */
  readonly onOver: () => void;
}

/** How it goes on once everything that was taken in has been given out. */
type Ending =
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly error: unknown }
  /** Nothing more will come, and nobody says so. */
  | { readonly type: 'swallowed' };

interface Reader {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const DONE = { done: true, value: undefined } as const;

/** Not a generator: `return` and a cut must not wait behind a `next` that waits for the next event. */
export class FaultyBody implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #parts: FaultyBodyParts;
  readonly #source: AsyncIterator<Uint8Array, unknown>;
  readonly #frames = new FrameTracker();
  /** How many frames each fault has seen of this body. */
  readonly #seen = new Map<FaultRule, number>();
  /** Taken in and not given out yet. Parts of the source's last chunk: it is not asked for more before they are out. */
  #ready: Uint8Array[] = [];
  /** Goes out when the frame that is on its way is whole; then the body ends. */
  #lastWords: Uint8Array | undefined;
  /** Was the last frame dropped? */
  #dropped = false;
  #ending: Ending | undefined;
  #reader: Reader | undefined;
  #pulling = false;
  #taken = false;
  #left = false;
  #cancelIdle: CancelTimer | undefined;

  constructor(parts: FaultyBodyParts) {
    this.#parts = parts;
    this.#source = parts.source[Symbol.asyncIterator]();
    parts.request.signal?.addEventListener('abort', this.#aborted, { once: true });
  }

  /** Ends it at once, or, when it is to be clean, at the end of the frame that is on its way. */
  cut(how: EndOfBody): void {
    if (how === 'clean') this.endWith(new Uint8Array());
    else this.fail(cutError());
  }

  /** Sends this after the frame that is on its way, and ends cleanly. */
  endWith(lastWords: Uint8Array): void {
    this.#lastWords = lastWords;
    this.#step();
  }

  /** Breaks it off; what has not been read is lost. */
  fail(error: unknown): void {
    if (this.#left) return;
    this.#ready = [];
    this.#ending = { type: 'failed', error };
    this.#leave();
    this.#step();
  }

  /** From now on nothing comes any more, and nobody says so. */
  swallow(): void {
    if (this.#left) return;
    this.#ready = [];
    this.#ending = { type: 'swallowed' };
    this.#step();
  }

  /** A fault has been put in place or taken away. */
  reconsider(): void {
    this.#step();
  }

  [Symbol.asyncIterator](): this {
    // Two readers would each get half of the frames.
    if (this.#taken) throw new TypeError('the body of an answer can be read once');
    this.#taken = true;
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#reader !== undefined) return Promise.reject(new TypeError('this body is being read already'));
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#step();
    });
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#ready = [];
    this.#ending = { type: 'ended' };
    this.#leave();
    this.#step();
    return DONE;
  }

  readonly #aborted = (): void => this.fail(this.#parts.request.signal?.reason);

  /** Moves the reader that waits as far as it can go now. */
  #step(): void {
    if (this.#reader === undefined) return;
    if (this.#ending === undefined && this.#stalls()) return this.#waitInSilence();
    if (this.#ending === undefined && this.#ready.length === 0 && this.#frames.wholeSoFar) this.#sayLastWords();
    const chunk = this.#ready.shift();
    if (chunk !== undefined) return this.#settle(({ resolve }) => resolve({ done: false, value: chunk }));
    const ending = this.#ending;
    switch (ending?.type) {
      case 'ended':
        return this.#settle(({ resolve }) => resolve(DONE));
      case 'failed':
        this.#ending = { type: 'ended' };
        return this.#settle(({ reject }) => reject(ending.error));
      case 'swallowed':
        return this.#waitInSilence();
      case undefined:
        return this.#pull();
    }
  }

  #sayLastWords(): void {
    if (this.#lastWords === undefined) return;
    if (this.#lastWords.length > 0) this.#ready.push(this.#lastWords);
    this.#ending = { type: 'ended' };
  }

  #settle(settle: (reader: Reader) => void): void {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#endIdle();
    if (this.#ending?.type === 'ended' && this.#ready.length === 0) this.#leave();
    if (reader !== undefined) settle(reader);
  }

  #pull(): void {
    this.#endIdle();
    if (!this.#pulling) void this.#read();
  }

  async #read(): Promise<void> {
    this.#pulling = true;
    try {
      const result = await this.#source.next();
      if (this.#ending === undefined) this.#take(result);
    } catch (error) {
      this.#ending ??= { type: 'failed', error };
    } finally {
      this.#pulling = false;
    }
    this.#step();
  }

  #take(result: IteratorResult<Uint8Array, unknown>): void {
    if (result.done === true) {
      this.#ready.push(...this.#frames.flush());
      this.#ending = { type: 'ended' };
      return;
    }
    const rules = this.#parts.isWatch ? this.#parts.rules().filter(({ effect }) => effect.frame !== undefined) : [];
    if (rules.length === 0 && this.#lastWords === undefined) {
      this.#dropped = false;
      this.#ready.push(...this.#frames.pass(result.value));
      return;
    }
    for (const piece of this.#frames.split(result.value)) {
      if (this.#ending !== undefined) return;
      // A line end that comes late shares the fate of its frame.
      if (piece.type === 'rest' && !this.#dropped) this.#ready.push(piece.bytes);
      if (piece.type === 'frame' && this.#lastWords === undefined) this.#judge(piece.bytes, rules);
    }
  }

  #judge(frame: Uint8Array, rules: readonly FaultRule[]): void {
    const verdict = this.#verdict(frame, rules);
    this.#dropped = verdict.type === 'drop';
    if (verdict.type === 'drop') return;
    const half = Math.ceil(frame.length / 2);
    this.#ready.push(verdict.type === 'tear' ? frame.subarray(0, half) : frame);
    if (verdict.type === 'pass') return;
    this.#ending = verdict.how === 'clean' ? { type: 'ended' } : { type: 'failed', error: cutError() };
  }

  #verdict(frame: Uint8Array, rules: readonly FaultRule[]): FrameVerdict {
    for (const rule of rules) {
      if (!rule.active) continue;
      const number = (this.#seen.get(rule) ?? 0) + 1;
      this.#seen.set(rule, number);
      const verdict = rule.effect.frame?.(frame, number);
      if (verdict === undefined || verdict.type === 'pass') continue;
      rule.strike();
      return verdict;
    }
    return { type: 'pass' };
  }

  #stalls(): boolean {
    return this.#parts.rules().some(({ effect }) => effect.stalls === true);
  }

  /** The request's own limit goes on, although the transport below knows nothing of the silence. */
  #waitInSilence(): void {
    const { request, clock } = this.#parts;
    const { idleTimeoutMs } = request;
    if (idleTimeoutMs === undefined || this.#cancelIdle !== undefined) return;
    this.#cancelIdle = clock.after(idleTimeoutMs, () => {
      this.fail(new TransportError('IDLE_TIMEOUT', `no byte came for ${idleTimeoutMs} ms`));
    });
  }

  #endIdle(): void {
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
  }

  /** Lets go of the source and of the signal. */
  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#endIdle();
    this.#parts.request.signal?.removeEventListener('abort', this.#aborted);
    // Nobody is left to hear how the source takes it.
    this.#source.return?.().then(undefined, () => {});
    this.#parts.onOver();
  }
}

function cutError(): TransportError {
  return new TransportError('CLOSED', 'the connection was cut by a fault');
}
