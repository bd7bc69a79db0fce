/** The changes of an informer as an async iterable. */

import { type AbortOptions, type ApiObject } from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';
import type { StoreChange } from '../reflector/store-change.ts';
import type { ToldStore } from '../store/store-writer.ts';
import type { ChangeListener, ListenerSet } from './change-listener.ts';
import { ChangeQueue, type ChangeQueueOptions } from './change-queue.ts';

/** Options of `changes()`. */
export interface ChangesOptions extends ChangeQueueOptions, AbortOptions {}

/**
 * A snapshot as adds, and then each change. For one reader; `break` leaves. It ends when the informer is closed, and throws
 * only the signal's reason or `OVERFLOW`.
 */
export interface ChangeStream<T extends ApiObject = ApiObject> extends AsyncIterable<StoreChange<T>> {
  /** How many changes wait to be read. */
  readonly depth: number;
}

type Result<T extends ApiObject> = IteratorResult<StoreChange<T>, undefined>;

interface Waiting<T extends ApiObject> {
  readonly resolve: (result: Result<T>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Begins with the first `next()`: a stream that is never read costs nothing. */
export class InformerChangeStream<T extends ApiObject>
  implements ChangeStream<T>, ChangeListener<T>, AsyncIterator<StoreChange<T>, undefined>
{
  readonly #store: ToldStore<T>;
  readonly #options: ChangesOptions;
  readonly #listeners: ListenerSet<T>;
  readonly #onAbort = (): void => this.#finish({ reason: this.#options.signal?.reason });
  #queue: ChangeQueue<T> | undefined;
  #waiting: Waiting<T> | undefined;
  #end: { readonly reason?: unknown } | undefined;
  #taken = false;
  #unlink: () => void = () => {};

  constructor(store: ToldStore<T>, listeners: ListenerSet<T>, options: ChangesOptions) {
    this.#store = store;
    this.#listeners = listeners;
    this.#options = options;
  }

  get depth(): number {
    return this.#queue?.depth ?? 0;
  }

  [Symbol.asyncIterator](): AsyncIterator<StoreChange<T>, undefined> {
    if (this.#taken) throw new TypeError('a stream of changes has one reader: call changes() again');
    this.#taken = true;
    return this;
  }

  next(): Promise<Result<T>> {
    if (this.#waiting !== undefined)
      return Promise.reject(new TypeError('next() was called before the last change arrived'));
    if (this.#queue === undefined && this.#end === undefined) this.#begin();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#serve();
    });
  }

  async return(): Promise<Result<T>> {
    this.#finish({});
    return { done: true, value: undefined };
  }

  push(changes: readonly StoreChange<T>[]): void {
    try {
      for (const change of changes) this.#queue?.push(change);
    } catch (reason) {
      this.#finish({ reason });
    }
    this.#serve();
  }

  markSynced(): void {}

  resync(): void {
    this.#queue?.resync();
    this.#serve();
  }

  async close(): Promise<void> {
    this.#finish({});
  }

  #begin(): void {
    const { signal } = this.#options;
    if (signal?.aborted === true) return this.#onAbort();
    if (this.#listeners.isClosed) return this.#finish({});
    this.#queue = new ChangeQueue(this.#store, this.#options);
    this.#listeners.add(this);
    this.#unlink = onAbort(signal, this.#onAbort);
  }

  #finish(end: { readonly reason?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#unlink();
    this.#listeners.delete(this);
    this.#queue = undefined;
    this.#serve();
  }

  #serve(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const change = this.#queue?.take();
    if (change === undefined && this.#end === undefined) return;
    this.#waiting = undefined;
    if (change !== undefined) return waiting.resolve({ done: false, value: change });
    const end = this.#end ?? {};
    // A reason is told once; after that the stream is simply over.
    this.#end = {};
    if ('reason' in end) waiting.reject(end.reason);
    else waiting.resolve({ done: true, value: undefined });
  }
}
