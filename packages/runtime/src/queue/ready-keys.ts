/** Keys that are ready for a worker, by priority and then in the order in which they came. */

/** One place in a line. A key that moved to another line leaves its old place behind; `current` tells them apart. */
interface Place<K> {
  readonly key: K;
  readonly ticket: number;
}

interface Current {
  readonly ticket: number;
  readonly priority: number;
}

/**
 * Every so many keys the one that has waited longest goes first, whatever its priority: constant traffic of a high
 * priority must not starve the objects of the first list (controller-runtime issue 3496).
 */
const FAIR_EVERY = 8;

/** Above this many lines empty ones are dropped. */
const LINES_KEPT = 16;

/** A first-in-first-out line whose head moves instead of its items. */
class Line<K> {
  readonly priority: number;
  /** Places that were taken are undefined: a key that is done must not be kept alive by the line. */
  #places: (Place<K> | undefined)[] = [];
  #head = 0;

  constructor(priority: number) {
    this.priority = priority;
  }

  push(place: Place<K>): void {
    this.#places.push(place);
  }

  /** The first place that is still valid. */
  first(isCurrent: (place: Place<K>) => boolean): Place<K> | undefined {
    for (; this.#head < this.#places.length; this.#head++) {
      const place = this.#places[this.#head];
      if (place !== undefined && isCurrent(place)) return place;
    }
    this.#places = [];
    this.#head = 0;
    return undefined;
  }

  /** Steps behind the first place. Used places are dropped in bulk, so that each costs constant time. */
  next(): void {
    this.#places[this.#head++] = undefined;
    if (this.#head < 1024 || this.#head * 2 < this.#places.length) return;
    this.#places = this.#places.slice(this.#head);
    this.#head = 0;
  }
}

/** The lines, one for each priority in use; a few empty ones are kept. */
export class ReadyKeys<K> {
  readonly #current = new Map<K, Current>();
  /** The highest priority first. */
  readonly #lines: Line<K>[] = [];
  readonly #isCurrent = ({ key, ticket }: Place<K>): boolean => this.#current.get(key)?.ticket === ticket;
  #tickets = 0;
  #taken = 0;

  get size(): number {
    return this.#current.size;
  }

  /** The priority of a waiting key; undefined for one that does not wait. */
  priorityOf(key: K): number | undefined {
    return this.#current.get(key)?.priority;
  }

  /** Puts a key at the end of its line. One that waits already moves only if this raises its priority. */
  add(key: K, priority: number): void {
    const old = this.#current.get(key);
    if (old !== undefined && old.priority >= priority) return;
    const ticket = this.#tickets++;
    this.#current.set(key, { ticket, priority });
    this.#line(priority).push({ key, ticket });
  }

  /** Takes the key whose turn it is. */
  take(): { readonly key: K; readonly priority: number } | undefined {
    if (this.#current.size === 0) return undefined;
    const line = this.#taken++ % FAIR_EVERY === FAIR_EVERY - 1 ? this.#oldestLine() : this.#highestLine();
    const place = line?.first(this.#isCurrent);
    if (line === undefined || place === undefined) return undefined;
    line.next();
    this.#current.delete(place.key);
    return { key: place.key, priority: line.priority };
  }

  #highestLine(): Line<K> | undefined {
    // Without this a caller with a new priority for each key would make every take slower than the one before.
    while (this.#lines.length > LINES_KEPT && this.#lines[0]?.first(this.#isCurrent) === undefined) this.#lines.shift();
    return this.#lines.find((line) => line.first(this.#isCurrent) !== undefined);
  }

  #oldestLine(): Line<K> | undefined {
    let oldest: Line<K> | undefined;
    let ticket = Infinity;
    for (const line of this.#lines) {
      const place = line.first(this.#isCurrent);
      if (place !== undefined && place.ticket < ticket) {
        oldest = line;
        ticket = place.ticket;
      }
    }
    return oldest;
  }

  #line(priority: number): Line<K> {
    const at = this.#lines.findIndex((line) => line.priority <= priority);
    const found = at < 0 ? undefined : this.#lines[at];
    if (found?.priority === priority) return found;
    const line = new Line<K>(priority);
    this.#lines.splice(at < 0 ? this.#lines.length : at, 0, line);
    return line;
  }
}
