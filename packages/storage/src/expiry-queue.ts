/** Keys that will expire, soonest first, for the memory engine. */

import { BTree } from './b-tree.ts';
import type { Revision } from './storage-engine.ts';

/** A key written with a TTL; void when the key has been written since. */
export interface Expiring {
  readonly key: string;
  readonly revision: Revision;
}

/** Ordered by due time. */
export class ExpiryQueue {
  readonly #due = new BTree<number, Expiring[]>();

  add(due: number, expiring: Expiring): void {
    const same = this.#due.get(due);
    if (same === undefined) this.#due.set(due, [expiring]);
    else same.push(expiring);
  }

  /** When the next key is due. */
  next(): number | undefined {
    return this.#due.minKey();
  }

  /** Takes out what is due by `now`, at most `limit` keys. */
  take(now: number, limit: number): readonly Expiring[] {
    const taken: Expiring[] = [];
    for (let due = this.#due.minKey(); due !== undefined && due <= now; due = this.#due.minKey()) {
      const same = this.#due.get(due) ?? [];
      taken.push(...same.splice(0, limit - taken.length));
      if (same.length > 0) break;
      this.#due.delete(due);
    }
    return taken;
  }
}
