/** A watch over the pipe: a connection of its own, which is read at the pace of its consumer. */

import type { Socket } from 'node:net';
import { StorageError, type StorageWatch, type WatchBatch, type WatchOptions } from '@listwatch/storage';
import { checkPrefix, closedError } from '@listwatch/storage/internal';
import { FRAME, FrameReader, FrameWriter, framesOf, type PipeFrame } from './pipe-frame.ts';
import { readBatch, readPipeFailure } from './pipe-values.ts';

/** The engine of a watch. */
export interface PipeWatchOwner {
  readonly open: () => Socket;
  readonly isClosed: () => boolean;
  readonly onEnd: () => void;
}

export class PipeWatch implements StorageWatch {
  readonly #prefix: string;
  readonly #options: WatchOptions;
  readonly #owner: PipeWatchOwner;
  #state: 'fresh' | 'iterating' | 'ended' = 'fresh';
  #socket: Socket | undefined;
  #frames: AsyncGenerator<PipeFrame, undefined> | undefined;
  #progressWanted = false;
  readonly #abort = (): void => void this.#socket?.destroy();

  constructor(prefix: string, options: WatchOptions, owner: PipeWatchOwner) {
    checkPrefix(prefix);
    if (typeof options.after !== 'bigint' || options.after < 0n) {
      throw new RangeError(`after must be a revision, got ${String(options.after)}`);
    }
    this.#prefix = prefix;
    this.#options = options;
    this.#owner = owner;
  }

  requestProgress(): void {
    if (this.#socket === undefined) this.#progressWanted = true;
    else this.#socket.write(new FrameWriter().frame(FRAME.progress, 0));
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchBatch, undefined> {
    if (this.#state !== 'fresh') throw new TypeError('a watch has one consumer and cannot be iterated again');
    this.#state = 'iterating';
    return {
      next: () => this.#next(),
      return: () => {
        this.#end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  /** The engine was closed. */
  close(): void {
    this.#socket?.destroy();
  }

  async #next(): Promise<IteratorResult<WatchBatch, undefined>> {
    if (this.#isEnded()) return { done: true, value: undefined };
    try {
      const batch = await this.#batch();
      if (!this.#isEnded()) return { done: false, value: batch };
      return { done: true, value: undefined };
    } catch (error) {
      // Somebody has left the loop while it waited.
      if (this.#isEnded()) return { done: true, value: undefined };
      this.#end();
      throw error;
    }
  }

  async #batch(): Promise<WatchBatch> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    if (this.#owner.isClosed()) throw closedError();
    this.#frames ??= this.#open();
    const next = await this.#frames.next().catch(() => undefined);
    signal?.throwIfAborted();
    if (this.#owner.isClosed()) throw closedError();
    if (next === undefined || next.done === true) {
      throw new StorageError('UNAVAILABLE', 'the connection to the primary is lost');
    }
    const fields = new FrameReader(next.value);
    if (next.value.type === FRAME.failure) throw readPipeFailure(fields);
    return readBatch(fields);
  }

  #open(): AsyncGenerator<PipeFrame, undefined> {
    const { after, signal } = this.#options;
    const socket = this.#owner.open();
    this.#socket = socket;
    signal?.addEventListener('abort', this.#abort, { once: true });
    socket.write(new FrameWriter().text(this.#prefix).revision(after).frame(FRAME.watch, 0));
    if (this.#progressWanted) this.requestProgress();
    return framesOf(socket);
  }

  #isEnded(): boolean {
    return this.#state === 'ended';
  }

  #end(): void {
    this.#state = 'ended';
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#socket?.destroy();
    this.#owner.onEnd();
  }
}
