/** One reader's view of a store: what was there when it came, and every change since, without gap or repeat. */

import type { ApiObject } from '@listwatch/api';
import { addChange, type StoreChange, updateChange } from '../reflector/store-change.ts';
import type { ToldStore } from '../store/store-writer.ts';
import { MapQueue } from './map-queue.ts';
import { EveryChange, LatestChanges, type PendingChanges } from './pending-changes.ts';

/** Options of a reader. */
export interface ChangeQueueOptions {
  /**
   * What happens to changes that the reader has not taken. `latest`, the default: those of one object become one, so that
   * the queue never outgrows the cache. `fail`: every change is kept; one too many ends the reader with `OVERFLOW`.
   */
  readonly policy?: 'fail' | 'latest' | undefined;
  /** For `fail`. Default: 10 000. Ours. */
  readonly maxPending?: number | undefined;
}

const MAX_PENDING = 10_000;

/**
 * Objects of the snapshot are not copied into the queue, only their keys: they are read from the store when their turn comes,
 * in the state that they have then. A change to one that is still to come is therefore told by the snapshot.
 */
export class ChangeQueue<T extends ApiObject> {
  readonly #store: ToldStore<T>;
  readonly #pending: PendingChanges<T>;
  readonly #snapshot = new MapQueue<string, 'add' | 'resync'>();
  readonly #marks: (() => void)[] = [];

  constructor(store: ToldStore<T>, { policy = 'latest', maxPending = MAX_PENDING }: ChangeQueueOptions = {}) {
    this.#store = store;
    if (policy !== 'latest' && policy !== 'fail') throw new TypeError(`no such policy: ${JSON.stringify(policy)}`);
    if (!(maxPending > 0)) throw new RangeError(`maxPending must be above 0: ${maxPending}`);
    this.#pending = policy === 'latest' ? new LatestChanges() : new EveryChange(maxPending);
    for (const key of store.keys()) this.#snapshot.set(key, 'add');
  }

  /** How many changes have not been taken. */
  get depth(): number {
    return this.#snapshot.size + this.#pending.depth;
  }

  /** The store has been changed so. Throws `OVERFLOW`. */
  push(change: StoreChange<T>): void {
    const listed = this.#snapshot.get(change.key);
    if (listed === 'add' && change.type !== 'delete') return;
    this.#snapshot.delete(change.key);
    if (listed !== 'add') this.#pending.push(change);
  }

  /** Tells each object once more, as an update without a change, unless there is news of it anyway. */
  resync(): void {
    const news = this.#pending.keys();
    for (const key of this.#store.keys()) {
      if (!this.#snapshot.has(key) && !news.has(key)) this.#snapshot.set(key, 'resync');
    }
  }

  /** Runs `reached` once everything that is here now has been taken, and handled: at the next `take`. */
  mark(reached: () => void): void {
    if (this.#pending.depth > 0) this.#pending.mark(reached);
    else this.#marks.push(reached);
  }

  take(): StoreChange<T> | undefined {
    for (let first = this.#snapshot.first(); first !== undefined; first = this.#snapshot.first()) {
      const { key } = first;
      const type = this.#snapshot.get(key);
      this.#snapshot.delete(key);
      const object = this.#store.told(key);
      if (object === undefined) continue;
      return type === 'add' ? addChange(key, object, true) : updateChange(key, object, object);
    }
    if (this.#marks.length > 0) for (const reached of this.#marks.splice(0)) reached();
    return this.#pending.take();
  }
}
