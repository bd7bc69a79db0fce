/** The newest events, in memory, so that watches that keep up never touch the disk. */

import type { StorageEvent } from '@listwatch/storage';

/** Beyond either limit the older half is dropped. */
const MAX_EVENTS = 8192;
const MAX_BYTES = 16 * 2 ** 20;

/** Consecutive revisions up to the newest. */
export class EventTail {
  #events: StorageEvent[] = [];
  #bytes = 0;
  /** The revision before the first event. */
  #base: number;

  constructor(revision: number) {
    this.#base = revision;
  }

  /** Events after this revision are all here. */
  get base(): number {
    return this.#base;
  }

  append(events: readonly StorageEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += sizeOf(event);
    }
    while (this.#events.length > MAX_EVENTS || (this.#bytes > MAX_BYTES && this.#events.length > 1)) this.#dropHalf();
  }

  /** Up to `limit` events after a revision at or behind the base. */
  read(after: number, limit: number): readonly StorageEvent[] {
    const from = after - this.#base;
    return this.#events.slice(from, from + limit);
  }

  #dropHalf(): void {
    const dropped = this.#events.splice(0, this.#events.length >>> 1);
    this.#base += dropped.length;
    for (const event of dropped) this.#bytes -= sizeOf(event);
  }
}

function sizeOf(event: StorageEvent): number {
  return event.key.length + (event.type === 'put' ? event.value.length : 0) + (event.previous?.value.length ?? 0);
}
