/** Runs things together, and knows which of them still run. */

interface Member {
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void> | void;
}

/** Told of what a member throws. */
export type MemberFailure = (name: string, error: unknown) => void;

export class RunnableGroup {
  readonly #onFailure: MemberFailure;
  readonly #running = new Map<string, Promise<void>>();

  constructor(onFailure: MemberFailure) {
    this.#onFailure = onFailure;
  }

  /** The names of those that have not ended. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Never throws: what a member throws at once counts like a rejection. */
  start({ name, run }: Member, signal: AbortSignal): void {
    this.#running.set(name, this.#run(name, run, signal));
  }

  /** Resolves when all have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #run(name: string, run: Member['run'], signal: AbortSignal): Promise<void> {
    try {
      // After `start` has noted it: a member that ends at once would otherwise be noted after its end.
      await Promise.resolve();
      await run(signal);
    } catch (error) {
      // Many things end with the reason of their signal; that is how they were asked to end.
      if (!signal.aborted || error !== signal.reason) this.#onFailure(name, error);
    } finally {
      this.#running.delete(name);
    }
  }
}
