/** Counts the unsettled definitions at the start of a server: it becomes ready when all of them are settled. */

/** Counts them down. */
export class FirstLook {
  readonly #untried: Set<string>;
  readonly #unsettled: Set<string>;
  readonly #done: () => void;
  /** Resolves after the first attempt for each definition, successful or not. */
  readonly tried: Promise<void>;

  constructor(names: Iterable<string>) {
    this.#untried = new Set(names);
    this.#unsettled = new Set(this.#untried);
    let done: (() => void) | undefined;
    this.tried = new Promise((resolve) => {
      done = resolve;
    });
    this.#done = () => done?.();
    if (this.#untried.size === 0) this.#done();
  }

  /** The number of definitions that are not settled yet. */
  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** A definition was processed. */
  looked(name: string, isSettled: boolean): void {
    if (isSettled) this.#unsettled.delete(name);
    if (this.#untried.delete(name) && this.#untried.size === 0) this.#done();
  }

  /** No more attempts follow. */
  stop(): void {
    this.#untried.clear();
    this.#done();
  }
}
