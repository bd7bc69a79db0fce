/** A map that is emptied from its front. */

/**
 * A loop over a `Map` that takes its first entry and leaves begins at the front each time, and walks over all that went before:
 * to take 100 000 entries so costs more than a second. This one remembers where it stands.
 */
export class MapQueue<K, V> {
  readonly #entries = new Map<K, V>();
  #walk: IterableIterator<K> = this.#entries.keys();
  /** The key where the walk stands, which is the first. */
  #first: { readonly key: K } | undefined;

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** In its place, or at the end. */
  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }

  delete(key: K): void {
    this.#entries.delete(key);
    if (this.#first?.key === key) this.#first = undefined;
  }

  /** The key that has been here longest; it stays. */
  first(): { readonly key: K } | undefined {
    if (this.#first !== undefined || this.#entries.size === 0) return this.#first;
    let step = this.#walk.next();
    if (step.done === true) {
      // A walk that has come to the end does not go on, whatever is added behind it.
      this.#walk = this.#entries.keys();
      step = this.#walk.next();
    }
    if (step.done !== true) this.#first = { key: step.value };
    return this.#first;
  }
}
