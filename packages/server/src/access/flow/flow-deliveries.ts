/** Who pays for sending events to watchers: the flows whose writes caused them. */

/** A request that writes. */
export interface Writer {
  charge(ms: number): void;
}

/** Writers whose events have not come yet. Those of failed writes never do: the oldest make room. */
const WRITERS_MAX = 1000;

/**
 * Events are sent in rounds, each with the events of many writes. The time of a round is divided by the number of watchers that
 * each event is for, so that a write which nobody watches costs its flow nothing. Nobody pays for events of other servers.
 */
export class FlowDeliveries {
  readonly #writers = new Map<string, Writer>();
  /** Keys whose events are for the next round. */
  readonly #offered = new Set<string>();
  #next = new Bill();
  #current = new Bill();

  /** The object under a key is about to be written. */
  wrote(key: string, writer: Writer): void {
    this.#writers.delete(key);
    this.#writers.set(key, writer);
    if (this.#writers.size <= WRITERS_MAX) return;
    for (const oldest of this.#writers.keys()) {
      this.#writers.delete(oldest);
      return;
    }
  }

  /** The event of a key is for so many watchers. A kind with several versions has watchers of each. */
  offered(key: string, watchers: number): void {
    this.#next.add(this.#writers.get(key), watchers);
    this.#offered.add(key);
  }

  /** The events until now are being sent. */
  roundBegins(): void {
    this.#current = this.#next;
    this.#next = new Bill();
    for (const key of this.#offered) this.#writers.delete(key);
    this.#offered.clear();
  }

  /** A part of the round has taken so long. */
  spent(ms: number): void {
    this.#current.charge(ms);
  }
}

/** For each writer: the watchers that get its events. */
class Bill {
  readonly #watchers = new Map<Writer, number>();
  #total = 0;

  add(writer: Writer | undefined, watchers: number): void {
    this.#total += watchers;
    if (writer !== undefined) this.#watchers.set(writer, (this.#watchers.get(writer) ?? 0) + watchers);
  }

  charge(ms: number): void {
    for (const [writer, watchers] of this.#watchers) writer.charge((ms * watchers) / this.#total);
  }
}
