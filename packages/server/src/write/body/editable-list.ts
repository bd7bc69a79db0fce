/** A list for many insertions and removals at any index: an array would move all later items each time. */

/** A chunk of this many items is split. */
const MAX_CHUNK = 2048;

/** A list in chunks. An insertion or a removal moves the items of one chunk only. */
export class EditableList {
  readonly #chunks: unknown[][] = [];
  #length = 0;

  constructor(items: readonly unknown[]) {
    for (let start = 0; start < items.length; start += MAX_CHUNK / 2) {
      this.#chunks.push(items.slice(start, start + MAX_CHUNK / 2));
    }
    this.#length = items.length;
  }

  get length(): number {
    return this.#length;
  }

  /** The item at an index that is in the list. */
  get(index: number): unknown {
    const { chunk, offset } = this.#locate(index);
    return chunk[offset];
  }

  /** Replaces the item at an index that is in the list. */
  set(index: number, item: unknown): void {
    const { chunk, offset } = this.#locate(index);
    chunk[offset] = item;
  }

  /** Inserts before the item at `index`; at the end when `index` is the length. */
  insert(index: number, item: unknown): void {
    const { chunk, offset, at } = this.#locate(index);
    chunk.splice(offset, 0, item);
    if (at === this.#chunks.length) this.#chunks.push(chunk);
    else if (chunk.length > MAX_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(MAX_CHUNK / 2));
    this.#length += 1;
  }

  /** Removes the item at an index that is in the list. */
  remove(index: number): void {
    const { chunk, offset, at } = this.#locate(index);
    chunk.splice(offset, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    this.#length -= 1;
  }

  /** All items in their order. */
  items(): unknown[] {
    return this.#chunks.flat();
  }

  /** The chunk of an index; for the length the end of the last chunk, or a new chunk when there is none. */
  #locate(index: number): { readonly chunk: unknown[]; readonly offset: number; readonly at: number } {
    const last = this.#chunks.length - 1;
    let offset = index;
    for (let at = 0; at <= last; at++) {
      const chunk = this.#chunks[at] ?? [];
      if (offset < chunk.length || (at === last && offset === chunk.length)) return { chunk, offset, at };
      offset -= chunk.length;
    }
    return { chunk: [], offset: 0, at: last + 1 };
  }
}
