/** Keys that wait for a time: a binary heap, the earliest first, and one timer for all of them. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

interface Wait<K> {
  readonly key: K;
  readonly dueAt: number;
  readonly priority: number;
}

/** So many waits are held without asking how many of them are over. */
const HELD_ANYWAY = 64;

/** Calls `onDue` for each key when its time has come, the earliest first. */
export class DelayedKeys<K> {
  readonly #clock: Clock;
  readonly #onDue: (key: K, priority: number) => void;
  /** The wait of each key that counts; the heap may hold older ones of the same key. */
  readonly #waits = new Map<K, Wait<K>>();
  #heap: Wait<K>[] = [];
  #timer: { readonly dueAt: number; readonly cancel: CancelTimer } | undefined;
  #latest = -Infinity;
  /** By how much the clock was set back, all together. */
  #setBackMs = 0;

  constructor(clock: Clock, onDue: (key: K, priority: number) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#waits.size;
  }

  /** Waits in memory, with those that are over: at most twice `size`, or a few. */
  get held(): number {
    return this.#heap.length;
  }

  /** For a key that waits already, the earlier time and the higher priority win. */
  add(key: K, delayMs: number, priority: number): void {
    const asked = this.#time() + delayMs;
    const old = this.#waits.get(key);
    const dueAt = Math.min(asked, old?.dueAt ?? Infinity);
    const wait = { key, dueAt, priority: Math.max(priority, old?.priority ?? -Infinity) };
    if (old?.dueAt === wait.dueAt && old.priority === wait.priority) return;
    this.#waits.set(key, wait);
    push(this.#heap, wait);
    this.#dropReplaced();
    this.#arm();
  }

  /** The key waits no more. Gives its priority if it did. */
  delete(key: K): number | undefined {
    const wait = this.#waits.get(key);
    this.#waits.delete(key);
    this.#dropReplaced();
    return wait?.priority;
  }

  clear(): void {
    this.#waits.clear();
    this.#heap = [];
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Without this a key that is delayed anew or added over and over would fill the heap with waits that are over. */
  #dropReplaced(): void {
    if (this.#heap.length <= HELD_ANYWAY || this.#heap.length <= 2 * this.#waits.size) return;
    this.#heap = [];
    for (const wait of this.#waits.values()) push(this.#heap, wait);
  }

  #arm(): void {
    const [next] = this.#heap;
    if (next === undefined || (this.#timer !== undefined && this.#timer.dueAt <= next.dueAt)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, next.dueAt - this.#time()), () => this.#fire(next.dueAt));
    this.#timer = { dueAt: next.dueAt, cancel };
  }

  #fire(dueAt: number): void {
    // The timer has waited long enough, also when the clock was set back meanwhile.
    const now = Math.max(this.#time(), dueAt);
    this.#timer = undefined;
    for (;;) {
      this.#dropStale();
      const [next] = this.#heap;
      if (next === undefined || next.dueAt > now) break;
      this.#waits.delete(next.key);
      this.#onDue(next.key, next.priority);
    }
    this.#arm();
  }

  /** Never goes back: a clock that is set back by an hour must not delay every key by an hour. */
  #time(): number {
    const now = monotonicMs(this.#clock) + this.#setBackMs;
    this.#setBackMs += Math.max(0, this.#latest - now);
    this.#latest = Math.max(this.#latest, now);
    return this.#latest;
  }

  #dropStale(): void {
    for (let [next] = this.#heap; next !== undefined && this.#waits.get(next.key) !== next; [next] = this.#heap) {
      pop(this.#heap);
    }
  }
}

function push<K>(heap: Wait<K>[], wait: Wait<K>): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || parent.dueAt <= wait.dueAt) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = wait;
}

function pop<K>(heap: Wait<K>[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    let child = heap[below];
    const right = heap[below + 1];
    if (child !== undefined && right !== undefined && right.dueAt < child.dueAt) {
      below += 1;
      child = right;
    }
    if (child === undefined || child.dueAt >= last.dueAt) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
}
