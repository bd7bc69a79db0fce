/** Interns values by the text they were parsed from, with weak references. */

/** Shorter texts are not interned: a weak reference would cost more than parsing them again. */
const SHARED_LENGTH = 1024;

/** Finds the value of a text while it is in use; keeps no value alive. */
export class SharedValues<T extends object> {
  readonly #values = new Map<string, WeakRef<T>>();
  readonly #collected = new FinalizationRegistry<string>((text) => {
    if (this.#values.get(text)?.deref() === undefined) this.#values.delete(text);
  });

  /** The number of interned texts. */
  get size(): number {
    return this.#values.size;
  }

  /** The value in use for a long text; otherwise a new one from `make`. */
  get(text: string, make: () => T): T {
    if (text.length < SHARED_LENGTH) return make();
    const known = this.#values.get(text)?.deref();
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(text, new WeakRef(made));
    this.#collected.register(made, text);
    return made;
  }
}
