/** Which revisions are being read right now. */

/**
 * A long read lets others take their turn in between. Compaction may hide its revision from new readers meanwhile, but
 * must not take away what it is reading: the sweeper asks here first.
 */
export class ReadPins {
  readonly #pins = new Map<number, number>();
  #onIdle: (() => void) | undefined;

  /** Holds `revision` until the answer is called. */
  pin(revision: number): () => void {
    this.#pins.set(revision, (this.#pins.get(revision) ?? 0) + 1);
    return () => {
      const readers = (this.#pins.get(revision) ?? 1) - 1;
      if (readers === 0) this.#pins.delete(revision);
      else this.#pins.set(revision, readers);
      if (this.#pins.size === 0) this.#onIdle?.();
    };
  }

  /** Resolves when nothing is being read. */
  async idle(): Promise<void> {
    if (this.#pins.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** The oldest revision that is being read; infinity when none is. */
  get oldest(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const revision of this.#pins.keys()) if (revision < oldest) oldest = revision;
    return oldest;
  }
}
