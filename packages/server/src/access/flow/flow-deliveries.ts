/** Who pays for sending events to watchers: the flows whose writes caused them. */

/** A request that writes. */
export interface Writer {
  charge(ms: number): void;
}

/** Writers that share the next bill: most are far fewer, and the rest of a flood is of the same flows. */
const WRITERS_MAX = 1000;

/**
 * The events of a write are sent soon after its commit, together with those of others. So each slice of sending is divided among
 * the writes since the one before the last.
 */
export class FlowDeliveries {
  #writers: Writer[] = [];
  #earlier: Writer[] = [];

  /** A change is about to be committed. */
  wrote(writer: Writer): void {
    if (this.#writers.length < WRITERS_MAX) this.#writers.push(writer);
  }

  /** Events were sent for so long. */
  spent(ms: number): void {
    const count = this.#writers.length + this.#earlier.length;
    for (const writer of this.#earlier) writer.charge(ms / count);
    for (const writer of this.#writers) writer.charge(ms / count);
    this.#earlier = this.#writers;
    this.#writers = [];
  }
}
