/** How often each node uses an object. */

/** Most objects are used by one node, which needs no map. */
export class NodeUses {
  #node = '';
  #count = 0;
  #others: Map<string, number> | undefined;

  get isEmpty(): boolean {
    return this.#count === 0 && (this.#others === undefined || this.#others.size === 0);
  }

  has(node: string): boolean {
    return (this.#count > 0 && this.#node === node) || this.#others?.has(node) === true;
  }

  /** True: the node had not used it before. */
  add(node: string): boolean {
    const known = this.#others?.get(node);
    if (known !== undefined) {
      this.#others?.set(node, known + 1);
      return false;
    }
    if (this.#count === 0 || this.#node === node) {
      this.#node = node;
      this.#count += 1;
      return this.#count === 1;
    }
    this.#others ??= new Map();
    this.#others.set(node, 1);
    return true;
  }

  /** True: the node uses it no longer. Each call undoes one `add`. */
  remove(node: string): boolean {
    if (this.#count > 0 && this.#node === node) {
      this.#count -= 1;
      return this.#count === 0;
    }
    const known = this.#others?.get(node) ?? 0;
    if (known > 1) this.#others?.set(node, known - 1);
    else if (known === 1) this.#others?.delete(node);
    return known === 1;
  }

  /** The nodes that use it. */
  *[Symbol.iterator](): Generator<string, undefined> {
    if (this.#count > 0) yield this.#node;
    if (this.#others !== undefined) yield* this.#others.keys();
  }
}
