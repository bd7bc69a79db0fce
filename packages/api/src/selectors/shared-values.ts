/** Values that were made from text, one for equal texts as long as anybody uses it. */

/** Values of shorter texts are made anew each time: a weak reference would cost more than they do. */
const SHARED_LENGTH = 1024;

/** Finds the value of a text again while it is in use; keeps none alive. */
export class SharedValues<T extends object> {
  readonly #values = new Map<string, WeakRef<T>>();
  readonly #collected = new FinalizationRegistry<string>((text) => {
    if (this.#values.get(text)?.deref() === undefined) this.#values.delete(text);
  });

  /** How many texts are known. */
  get size(): number {
    return this.#values.size;
  }

  /** The value of a long text that is in use already; otherwise what `make` makes. */
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
