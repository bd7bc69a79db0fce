/** Interns values by the text they were parsed from, with weak references. */

/** Shorter texts are not interned: a weak reference would cost more than parsing them again. */
const SHARED_LENGTH = 1024;

/**
 * A text this much longer than the canonical one of its value is not kept: its spaces and repetitions would take more memory than
 * the value, and nobody counts them.
 */
const WASTE = 2;

/** Finds the value of a text while it is in use; keeps no value alive. */
export class SharedValues<T extends { readonly text: string }> {
  readonly #values = new Map<string, WeakRef<T>>();
  readonly #collected = new FinalizationRegistry<string>((text) => {
    if (this.#values.get(text)?.deref() === undefined) this.#values.delete(text);
  });

  /** The number of interned texts. */
  get size(): number {
    return this.#values.size;
  }

  /** The value in use for a long text; otherwise a new one from `make`, of this text or of a shorter one with the same meaning. */
  get(text: string, make: (text: string) => T): T {
    if (text.length < SHARED_LENGTH) return make(text);
    const known = this.#values.get(text)?.deref();
    if (known !== undefined) return known;
    const made = make(text);
    // Its parts are slices of the long text, so that it is made again.
    if (text.length > WASTE * made.text.length) return made.text === '' ? made : this.get(made.text, make);
    this.#values.set(text, new WeakRef(made));
    this.#collected.register(made, text);
    return made;
  }
}
