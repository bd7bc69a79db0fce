/** Calls one set of handlers, one change at a time. */

import type { ApiObject, Clock } from '@listwatch/api';
import type { AddChange, DeleteChange, StoreChange, UpdateChange } from '../reflector/store-change.ts';
import type { ToldStore } from '../store/store-writer.ts';
import type { ChangeListener, ListenerSet } from './change-listener.ts';
import { ChangeQueue, type ChangeQueueOptions } from './change-queue.ts';
import type { WarningSink } from './informer-warning.ts';
import { SyncGate } from './sync-gate.ts';

/** What is called; a promise is waited for before the next call. */
export interface Handlers<T extends ApiObject> {
  readonly add?: ((change: AddChange<T>) => unknown) | undefined;
  readonly update?: ((change: UpdateChange<T>) => unknown) | undefined;
  readonly delete?: ((change: DeleteChange<T>) => unknown) | undefined;
}

export interface HandlerLoopOptions extends ChangeQueueOptions {
  /** A call that takes longer is reported. Default: 30 000. Ours. */
  readonly slowHandlerMs?: number | undefined;
}

const SLOW_HANDLER_MS = 30_000;

/** A handler that throws or is slow harms only itself: the others have queues of their own, and so has the store. */
export class HandlerLoop<T extends ApiObject> implements ChangeListener<T> {
  #queue: ChangeQueue<T> | undefined;
  readonly #handlers: Handlers<T>;
  readonly #listeners: ListenerSet<T>;
  readonly #clock: Clock;
  readonly #warn: WarningSink;
  readonly #slowHandlerMs: number;
  readonly #synced = new SyncGate();
  #running: Promise<void> | undefined;
  #closed: { readonly reason: unknown } | undefined;

  constructor(
    store: ToldStore<T>,
    handlers: Handlers<T>,
    surroundings: { readonly listeners: ListenerSet<T>; readonly clock: Clock; readonly warn: WarningSink },
    options: HandlerLoopOptions,
  ) {
    this.#queue = new ChangeQueue(store, options);
    this.#handlers = handlers;
    this.#listeners = surroundings.listeners;
    this.#clock = surroundings.clock;
    this.#warn = surroundings.warn;
    this.#slowHandlerMs = options.slowHandlerMs ?? SLOW_HANDLER_MS;
    this.#wake();
  }

  get depth(): number {
    return this.#queue?.depth ?? 0;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  push(changes: readonly StoreChange<T>[]): void {
    try {
      for (const change of changes) this.#queue?.push(change);
    } catch (error) {
      this.#warn({ type: 'HANDLER_FAILED', message: 'a handler fell too far behind and is called no more', error });
      void this.close(error);
    }
    this.#wake();
  }

  markSynced(): void {
    this.#queue?.mark(() => this.#synced.open());
    this.#wake();
  }

  resync(): void {
    this.#queue?.resync();
    this.#wake();
  }

  /** No call begins after this; resolves when the running one has ended. Not from within a handler: it would wait for itself. */
  async close(reason: unknown = new Error('the handler was removed')): Promise<void> {
    this.#closed ??= { reason };
    // Whoever keeps the registration must not keep the keys of the whole cache with it.
    this.#queue = undefined;
    this.#listeners.delete(this);
    this.#synced.close(this.#closed.reason);
    await this.#running;
  }

  #wake(): void {
    // Never within the caller, who is in the middle of telling all listeners.
    this.#running ??= Promise.resolve().then(() => this.#drain());
  }

  async #drain(): Promise<void> {
    try {
      while (this.#closed === undefined) {
        const change = this.#queue?.take();
        if (change === undefined) return;
        const call = this.#call(change);
        if (call !== undefined) await call;
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** A promise only if the handler gave one: calls that are done cost no turn. */
  #call(change: StoreChange<T>): Promise<void> | undefined {
    try {
      const result = this.#dispatch(change);
      if (!isThenable(result)) return undefined;
      const cancel = this.#clock.after(this.#slowHandlerMs, () =>
        this.#warn({
          type: 'HANDLER_SLOW',
          message: `a handler of ${change.type} has taken ${this.#slowHandlerMs} ms, and ${this.depth} changes wait`,
          key: change.key,
        }),
      );
      return settled(result, (error) => this.#failed(change, error)).finally(cancel);
    } catch (error) {
      this.#failed(change, error);
      return undefined;
    }
  }

  #failed({ type, key }: StoreChange<T>, error: unknown): void {
    this.#warn({ type: 'HANDLER_FAILED', message: `a handler of ${type} threw`, key, error });
  }

  #dispatch(change: StoreChange<T>): unknown {
    switch (change.type) {
      case 'add':
        return this.#handlers.add?.(change);
      case 'update':
        return this.#handlers.update?.(change);
      case 'delete':
        return this.#handlers.delete?.(change);
    }
  }
}

/** Not `instanceof Promise`: handlers may be of another realm or use promises of their own. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

async function settled(result: PromiseLike<unknown>, failed: (error: unknown) => void): Promise<void> {
  try {
    await result;
  } catch (error) {
    failed(error);
  }
}
