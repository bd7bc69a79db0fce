/** The definitions that a server finds unsettled when it starts: it is not ready before it has settled them. */

/** Counts them down. */
export class FirstLook {
  readonly #untried: Set<string>;
  readonly #unsettled: Set<string>;
  readonly #done: () => void;
  /** Resolves when each has been tried once, well or not. */
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

  /** How many are left. */
  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** One of them, or another definition, was looked at. */
  looked(name: string, isSettled: boolean): void {
    if (isSettled) this.#unsettled.delete(name);
    if (this.#untried.delete(name) && this.#untried.size === 0) this.#done();
  }

  /** Nothing is tried any more. */
  stop(): void {
    this.#untried.clear();
    this.#done();
  }
}
