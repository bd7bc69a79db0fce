/** A binary heap of what waits for a turn, by its start tag. */

/** Something with a tag. The tag must not change while it is in a heap. */
export interface Tagged {
  start: number;
  /** Breaks ties: first come, first served. */
  order: number;
}

/** The least start is on top. */
export class TagHeap<T extends Tagged> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !isBefore(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes the least out. */
  pop(): T | undefined {
    const items = this.#items;
    const [least] = items;
    const last = items.pop();
    if (least === undefined || last === undefined || least === last) return least;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = items[child];
      const right = items[child + 1];
      if (below !== undefined && right !== undefined && isBefore(right, below)) {
        child += 1;
        below = right;
      }
      if (below === undefined || !isBefore(below, last)) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return least;
  }
}

function isBefore(left: Tagged, right: Tagged): boolean {
  return left.start < right.start || (left.start === right.start && left.order < right.order);
}
