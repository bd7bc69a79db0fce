/** Keys that are ready for a worker, by priority and then in the order in which they came. */

import type { QueuedKey } from './queued-key.ts';

/**
 * Every so many keys the one that has waited longest goes first, whatever its priority: constant traffic of a high
 * priority must not starve the objects of the first list (controller-runtime issue 3496).
 */
const FAIR_EVERY = 8;

/** Above this many lines empty ones are dropped. */
const LINES_KEPT = 16;

/** A first-in-first-out line whose head moves instead of its items. A key that moved to another line leaves its place behind. */
class Line<K> {
  readonly priority: number;
  /** Places that were taken are undefined: a key that is done must not be kept alive by the line. */
  #places: (QueuedKey<K> | undefined)[] = [];
  /** The ticket of each place: a key that has another one by now was moved, or taken and put in line again. */
  #tickets: number[] = [];
  #head = 0;

  constructor(priority: number) {
    this.priority = priority;
  }

  push(queued: QueuedKey<K>): void {
    this.#places.push(queued);
    this.#tickets.push(queued.ticket);
  }

  /** The first key that still waits here. */
  first(): QueuedKey<K> | undefined {
    for (; this.#head < this.#places.length; this.#head++) {
      const queued = this.#places[this.#head];
      if (queued?.state === 'dirty' && queued.ticket === this.#tickets[this.#head]) return queued;
    }
    if (this.#head > 0) this.#drop();
    return undefined;
  }

  /** Steps behind the first place. Used places are dropped in bulk, so that each costs constant time. */
  next(): void {
    this.#places[this.#head++] = undefined;
    if (this.#head < 1024 || this.#head * 2 < this.#places.length) return;
    this.#drop();
  }

  #drop(): void {
    this.#places = this.#places.slice(this.#head);
    this.#tickets = this.#tickets.slice(this.#head);
    this.#head = 0;
  }
}

/** The lines, one for each priority in use; a few empty ones are kept. */
export class ReadyKeys<K> {
  /** The highest priority first. */
  readonly #lines: Line<K>[] = [];
  #size = 0;
  #tickets = 0;
  #taken = 0;

  get size(): number {
    return this.#size;
  }

  /** Puts a `dirty` key at the end of a line. */
  add(queued: QueuedKey<K>, priority: number): void {
    this.#size++;
    this.#push(queued, priority);
  }

  /** Moves a waiting key to the end of the line of a higher priority. */
  raise(queued: QueuedKey<K>, priority: number): void {
    if (priority > queued.priority) this.#push(queued, priority);
  }

  /** Takes the key whose turn it is out of its line. The caller changes its state. */
  take(): QueuedKey<K> | undefined {
    if (this.#size === 0) return undefined;
    const line = this.#taken++ % FAIR_EVERY === FAIR_EVERY - 1 ? this.#oldestLine() : this.#highestLine();
    const queued = line?.first();
    if (queued === undefined) return undefined;
    line?.next();
    this.#size--;
    return queued;
  }

  #push(queued: QueuedKey<K>, priority: number): void {
    queued.priority = priority;
    queued.ticket = this.#tickets++;
    this.#line(priority).push(queued);
  }

  #highestLine(): Line<K> | undefined {
    // Without this a caller with a new priority for each key would make every take slower than the one before.
    while (this.#lines.length > LINES_KEPT && this.#lines[0]?.first() === undefined) this.#lines.shift();
    for (const line of this.#lines) if (line.first() !== undefined) return line;
    return undefined;
  }

  #oldestLine(): Line<K> | undefined {
    let oldest: Line<K> | undefined;
    let ticket = Infinity;
    for (const line of this.#lines) {
      const queued = line.first();
      if (queued !== undefined && queued.ticket < ticket) {
        oldest = line;
        ticket = queued.ticket;
      }
    }
    return oldest;
  }

  #line(priority: number): Line<K> {
    let at = 0;
    for (; at < this.#lines.length; at++) {
      const line = this.#lines[at];
      if (line === undefined || line.priority < priority) break;
      if (line.priority === priority) return line;
    }
    const line = new Line<K>(priority);
    this.#lines.splice(at, 0, line);
    return line;
  }
}
