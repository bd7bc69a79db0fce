/** Changes that a reader has not taken yet: the latest of each object, or every one up to a limit. */

import type { ApiObject } from '@listwatch/api';
import { addChange, type StoreChange, updateChange } from '../reflector/store-change.ts';
import { InformerError } from './informer-error.ts';
import { MapQueue } from './map-queue.ts';

/** What stands in the queue of a reader: changes, and marks between them. */
export interface PendingChanges<T extends ApiObject> {
  readonly depth: number;
  /** Throws `OVERFLOW` when there is no room. */
  push(change: StoreChange<T>): void;
  /** Runs `reached` when everything that is here now has been taken. */
  mark(reached: () => void): void;
  /** The objects that there is news of. */
  keys(): { has(key: string): boolean };
  take(): StoreChange<T> | undefined;
}

/** One object: what the reader knew is gone, or something is there now, or both. */
interface Latest<T extends ApiObject> {
  readonly gone: StoreChange<T> | undefined;
  readonly here: StoreChange<T> | undefined;
}

/** At most a delete and an add, or an update, for each object; it cannot grow beyond the number of objects. */
export class LatestChanges<T extends ApiObject> implements PendingChanges<T> {
  readonly #entries = new MapQueue<string | symbol, Latest<T> | (() => void)>();
  #marks = 0;

  get depth(): number {
    return this.#entries.size - this.#marks;
  }

  keys(): { has(key: string): boolean } {
    return this.#entries;
  }

  push(change: StoreChange<T>): void {
    const before = this.#entries.get(change.key);
    const next = merge(before === undefined || typeof before === 'function' ? NOTHING : before, change);
    // In its place: an object that changes all the time must not be overtaken for ever.
    if (next === undefined) this.#entries.delete(change.key);
    else this.#entries.set(change.key, next);
  }

  mark(reached: () => void): void {
    this.#entries.set(Symbol('mark'), reached);
    this.#marks += 1;
  }

  take(): StoreChange<T> | undefined {
    for (let first = this.#entries.first(); first !== undefined; first = this.#entries.first()) {
      const { key } = first;
      const entry = this.#entries.get(key);
      if (typeof entry === 'function') {
        this.#entries.delete(key);
        this.#marks -= 1;
        entry();
      } else if (entry?.gone !== undefined && entry.here !== undefined) {
        this.#entries.set(key, { gone: undefined, here: entry.here });
        return entry.gone;
      } else {
        this.#entries.delete(key);
        return entry?.gone ?? entry?.here;
      }
    }
    return undefined;
  }
}

const NOTHING = { gone: undefined, here: undefined };

/** `undefined`: the reader never knew of it and need not. */
function merge<T extends ApiObject>({ gone, here }: Latest<T>, change: StoreChange<T>): Latest<T> | undefined {
  switch (change.type) {
    case 'add':
      return { gone, here: change };
    case 'update':
      if (here?.type === 'add') return { gone, here: addChange(change.key, change.object, here.initial) };
      if (here?.type === 'update') return { gone, here: updateChange(change.key, here.old, change.object) };
      return { gone, here: change };
    case 'delete':
      // Came and went unseen: what the reader has still to hear is the delete before it, if there was one.
      if (here?.type === 'add') return gone === undefined ? undefined : { gone, here: undefined };
      return { gone: change, here: undefined };
  }
}

/** Every change in its order, up to a limit. */
export class EveryChange<T extends ApiObject> implements PendingChanges<T> {
  readonly #limit: number;
  #entries: (StoreChange<T> | (() => void))[] = [];
  #head = 0;
  #marks = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get depth(): number {
    return this.#entries.length - this.#head - this.#marks;
  }

  keys(): { has(key: string): boolean } {
    const unread = this.#entries.slice(this.#head);
    return new Set(unread.flatMap((entry) => (typeof entry === 'function' ? [] : entry.key)));
  }

  push(change: StoreChange<T>): void {
    if (this.depth >= this.#limit) {
      throw new InformerError('OVERFLOW', `the reader is ${this.#limit} changes behind; the limit is maxPending`);
    }
    this.#entries.push(change);
  }

  mark(reached: () => void): void {
    this.#entries.push(reached);
    this.#marks += 1;
  }

  take(): StoreChange<T> | undefined {
    while (this.#head < this.#entries.length) {
      const entry = this.#entries[this.#head];
      this.#head += 1;
      // Cut off what has been read once it is the larger part: a shift each time costs the length of the queue.
      const { length } = this.#entries;
      if (this.#head === length || (this.#head > 1_000 && this.#head * 2 > length)) {
        this.#entries = this.#entries.slice(this.#head);
        this.#head = 0;
      }
      if (typeof entry !== 'function') return entry;
      this.#marks -= 1;
      entry();
    }
    return undefined;
  }
}
