/** Hands values from one side to the other, at most one ahead of the reader. */

interface Reader<V> {
  readonly resolve: (result: IteratorResult<V, undefined>) => void;
  readonly reject: (reason: unknown) => void;
}

/** One writer, one reader. Who writes faster than the reader reads is made to wait. */
export class Rendezvous<V> {
  #reader: Reader<V> | undefined;
  #held: { readonly value: V; readonly taken: () => void } | undefined;
  #end: { readonly reason?: unknown } | undefined;

  /** Is a reader waiting for the value that it has asked for? */
  get asked(): boolean {
    return this.#reader !== undefined;
  }

  /** Hands over a value. A promise resolves once it has been taken. One value at a time. */
  put(value: V): Promise<void> | undefined {
    if (this.#end !== undefined) return undefined;
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader.resolve({ done: false, value });
      return undefined;
    }
    return new Promise((taken) => {
      this.#held = { value, taken };
    });
  }

  take(): Promise<IteratorResult<V, undefined>> {
    if (this.#reader !== undefined) throw new TypeError('the value before has not been read yet');
    const held = this.#held;
    if (held !== undefined) {
      this.#held = undefined;
      held.taken();
      return Promise.resolve({ done: false, value: held.value });
    }
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#settle();
    });
  }

  /** Nothing follows. With a reason the reader is told it, once; what was not taken is dropped. */
  end(end: { readonly reason?: unknown } = {}): void {
    this.#end ??= end;
    this.#held?.taken();
    this.#held = undefined;
    this.#settle();
  }

  #settle(): void {
    const [reader, end] = [this.#reader, this.#end];
    if (reader === undefined || end === undefined) return;
    this.#reader = undefined;
    if ('reason' in end) reader.reject(end.reason);
    else reader.resolve({ done: true, value: undefined });
    this.#end = {};
  }
}
