/** A watch over a {@link ChangeLog}: a cursor, no queue. */

import type { ChangeLog } from './change-log.ts';
import type { StorageEvent, StorageWatch, WatchBatch, WatchOptions } from './storage-engine.ts';
import { closedError, compactedError } from './storage-error.ts';
import { checkPrefix } from './storage-key.ts';

/** Reads the log at the consumer's own pace: a slow consumer costs nothing until the history moves past it. */
export class LogWatch implements StorageWatch {
  readonly #log: ChangeLog;
  readonly #prefix: string;
  readonly #signal: AbortSignal | undefined;
  #cursor: number;
  #state: 'fresh' | 'iterating' | 'ended' = 'fresh';
  #progressWanted = false;
  #wake: (() => void) | undefined;

  constructor(log: ChangeLog, prefix: string, options: WatchOptions) {
    checkPrefix(prefix);
    if (typeof options.after !== 'bigint' || options.after < 0n) {
      throw new RangeError(`after must be a revision, got ${String(options.after)}`);
    }
    this.#log = log;
    this.#prefix = prefix;
    this.#cursor = Number(options.after);
    this.#signal = options.signal;
  }

  requestProgress(): void {
    this.#progressWanted = true;
    this.#wake?.();
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

  async #next(): Promise<IteratorResult<WatchBatch, undefined>> {
    try {
      const batch = await this.#batch();
      return batch === undefined ? { done: true, value: undefined } : { done: false, value: batch };
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async #batch(): Promise<WatchBatch | undefined> {
    const log = this.#log;
    for (;;) {
      if (this.#state === 'ended') return undefined;
      this.#signal?.throwIfAborted();
      if (log.closed) throw closedError();
      if (this.#cursor < log.compacted) throw compactedError(BigInt(this.#cursor), BigInt(log.compacted));
      if (this.#cursor < log.revision) {
        const chunk = await log.read(this.#cursor);
        this.#cursor = chunk.revision;
        const events = this.#matching(chunk.events);
        if (events.length > 0) return { events, revision: BigInt(this.#cursor) };
      } else if (this.#progressWanted && this.#cursor === log.revision) {
        this.#progressWanted = false;
        return { events: [], revision: BigInt(this.#cursor) };
      } else {
        await this.#sleep();
      }
    }
  }

  #matching(events: readonly StorageEvent[]): readonly StorageEvent[] {
    const prefix = this.#prefix;
    if (prefix === '' || events.every((event) => event.key.startsWith(prefix))) return events;
    return events.filter((event) => event.key.startsWith(prefix));
  }

  #sleep(): Promise<void> {
    const signal = this.#signal;
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake = undefined;
        signal?.removeEventListener('abort', wake);
        forget();
        resolve();
      };
      const forget = this.#log.onWake(wake);
      signal?.addEventListener('abort', wake, { once: true });
      this.#wake = wake;
    });
  }

  #end(): void {
    this.#state = 'ended';
    this.#wake?.();
  }
}
