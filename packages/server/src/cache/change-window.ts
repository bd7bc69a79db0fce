/** The newest changes of a kind, in memory: a watch that begins within them does not read the store. */

import { type BudgetMember, ByteBudget } from './byte-budget.ts';
import { objectBytes } from './cached-object.ts';
import type { ObjectChange } from './object-tree.ts';

/** As kube-apiserver: the capacity doubles while changes are young and halves when they are old, between these limits. */
const MIN_CAPACITY = 100;
const MAX_CAPACITY = 102_400;
/** A full window grows while its oldest change is younger than this: the bookmark period of 60 s and a margin of 15 s. */
const FRESH_MS = 75_000;

/** How large a window may be. */
export interface WindowOptions {
  /** Changes kept at least, 1 or more. Default 100. */
  readonly minCapacity?: number | undefined;
  /** Changes kept at most. Default 102 400. */
  readonly maxCapacity?: number | undefined;
}

interface Kept {
  readonly change: ObjectChange;
  readonly time: number;
}

/** What a change takes beside the objects that only it keeps alive. */
const CHANGE_BYTES = 200;

/** Changes are numbered from the first one ever; a number stays the same while the window moves on. */
export class ChangeWindow implements BudgetMember {
  readonly #budget: ByteBudget;
  readonly #min: number;
  readonly #max: number;
  #capacity: number;
  #kept: Kept[] = [];
  /** The number of `#kept[0]`. */
  #first = 0;
  /** Watches from this revision on can be served. */
  #oldestStart: bigint;
  #bytes = 0;

  constructor(
    start: bigint,
    options: WindowOptions = {},
    budget: ByteBudget = new ByteBudget(Number.POSITIVE_INFINITY),
  ) {
    this.#budget = budget;
    budget.add(this);
    // A window of size 0 would never grow: it doubles.
    this.#min = Math.max(1, options.minCapacity ?? MIN_CAPACITY);
    this.#max = Math.max(this.#min, options.maxCapacity ?? MAX_CAPACITY);
    this.#capacity = this.#min;
    this.#oldestStart = start;
  }

  /** A watch after this revision, or any later one, misses nothing. */
  get oldestStart(): bigint {
    return this.#oldestStart;
  }

  get size(): number {
    return this.#kept.length;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the next change. */
  get end(): number {
    return this.#first + this.#kept.length;
  }

  /** The number of the oldest change kept. */
  get start(): number {
    return this.#first;
  }

  /** When the oldest change was made; undefined when there is none. */
  get oldestTime(): number | undefined {
    return this.#kept[0]?.time;
  }

  append(change: ObjectChange, time: number): void {
    if (this.#kept.length >= this.#capacity) this.#makeRoom(time);
    this.#kept.push({ change, time });
    this.#charge(bytesOf(change));
  }

  /** Drops all changes; watches can begin at `revision`, which is the newest. Numbers go on. */
  clear(revision: bigint): void {
    this.#first += this.#kept.length;
    this.#kept = [];
    this.#oldestStart = revision;
    this.#charge(-this.#bytes);
  }

  /** Gives everything back: no watch can begin from here any more. */
  dispose(): void {
    this.clear(this.#kept.at(-1)?.change.revision ?? this.#oldestStart);
    this.#budget.remove(this);
  }

  evictOldest(): boolean {
    if (this.#kept.length === 0) return false;
    // A few at a time, because the rest of the array moves.
    this.#drop(Math.max(1, this.#kept.length >>> 4));
    return true;
  }

  /** The change with this number, or undefined when it is gone or yet to come. */
  at(number: number): ObjectChange | undefined {
    return this.#kept[number - this.#first]?.change;
  }

  /** The number of the first change after `revision`, which must not be before `oldestStart`. */
  after(revision: bigint): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#kept[middle]?.change.revision ?? 0n) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#first + low;
  }

  /** The changes after `revision`, newest first. */
  *backTo(revision: bigint): Generator<ObjectChange, undefined> {
    for (let i = this.#kept.length - 1; i >= 0; i -= 1) {
      const change = this.#kept[i]?.change;
      if (change === undefined || change.revision <= revision) return;
      yield change;
    }
  }

  #makeRoom(now: number): void {
    const oldest = this.#kept[0]?.time ?? now;
    const quarterFromEnd = this.#kept[this.#kept.length - (this.#capacity >>> 2)]?.time ?? now;
    if (now - oldest < FRESH_MS && this.#capacity < this.#max) this.#capacity = Math.min(this.#max, this.#capacity * 2);
    else if (now - quarterFromEnd > FRESH_MS && this.#capacity > this.#min) {
      this.#capacity = Math.max(this.#min, this.#capacity >>> 1);
    }
    const surplus = this.#kept.length - this.#capacity + 1;
    // Dropping a few more at once makes it rare that the rest of the array moves.
    if (surplus > 0) this.#drop(Math.max(surplus, this.#capacity >>> 4));
  }

  #drop(count: number): void {
    const dropped = this.#kept.splice(0, count);
    let bytes = 0;
    for (const { change } of dropped) bytes += bytesOf(change);
    this.#first += dropped.length;
    this.#oldestStart = dropped.at(-1)?.change.revision ?? this.#oldestStart;
    this.#charge(-bytes);
  }

  #charge(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.charge(bytes);
  }
}

/** The current object is alive without the window. A DELETED event holds a second copy of the last state. */
function bytesOf({ object, previous }: ObjectChange): number {
  if (previous === undefined) return CHANGE_BYTES;
  return CHANGE_BYTES + objectBytes(previous) + (object === undefined ? previous.bytes.length : 0);
}
