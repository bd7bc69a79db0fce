/** Values by text, as many as fit: those that were used last. */

/** How much is kept. */
export interface TextCacheLimits {
  /** Of all texts together. */
  readonly characters: number;
  /** Longer texts are not kept. */
  readonly longest: number;
}

/** Forgets the value that was not used for the longest time when the texts take more than their limit. */
export class TextCache<T> {
  readonly #limits: TextCacheLimits;
  readonly #values = new Map<string, T>();
  #characters = 0;

  constructor(limits: TextCacheLimits) {
    this.#limits = limits;
  }

  /** The characters of all texts. */
  get characters(): number {
    return this.#characters;
  }

  get(text: string): T | undefined {
    const value = this.#values.get(text);
    if (value === undefined) return undefined;
    this.#values.delete(text);
    this.#values.set(text, value);
    return value;
  }

  set(text: string, value: T): void {
    if (text.length > this.#limits.longest) return;
    if (!this.#values.has(text)) this.#characters += text.length;
    this.#values.set(text, value);
    for (const oldest of this.#values.keys()) {
      if (this.#characters <= this.#limits.characters) return;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
