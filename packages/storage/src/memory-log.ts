/** The memory engine's log: every kept change, one revision each, in an array. */

import { type ChangeLog, type LogChunk, Wakeups } from './change-log.ts';
import { spread } from './spread.ts';
import type { RevisionTime, StorageEvent } from './storage-engine.ts';

/** How many events a watch takes at once: enough to amortise the turn, small enough to stay polite. */
const CHUNK = 1000;

interface LogRecord {
  readonly event: StorageEvent;
  readonly time: number;
  /** Bytes of all changes up to and including this one, so that any span's size is one subtraction. */
  readonly total: number;
}

/** Revisions are contiguous, so a revision is found by subtraction. */
export class MemoryLog implements ChangeLog {
  readonly #wakeups = new Wakeups();
  #records: LogRecord[] = [];
  /** The revision of `#records[0]`, less one. */
  #base: number;
  #compacted: number;
  #closed = false;

  constructor(base: number) {
    this.#base = base;
    // As etcd, which begins at 1 with nothing compacted. What is before a later beginning was another store's.
    this.#compacted = base > 1 ? base : 0;
  }

  get revision(): number {
    return this.#base + this.#records.length;
  }

  get compacted(): number {
    return this.#compacted;
  }

  get closed(): boolean {
    return this.#closed;
  }

  append(event: StorageEvent, time: number): void {
    const size = event.key.length + (event.type === 'put' ? event.value.length : 0);
    this.#records.push({ event, time, total: (this.#records.at(-1)?.total ?? 0) + size });
    this.#wakeups.wake();
  }

  read(after: number): LogChunk {
    const from = after - this.#base;
    const events = this.#records.slice(from, from + CHUNK).map((record) => record.event);
    return { events, revision: after + events.length };
  }

  onWake(wake: () => void): () => void {
    return this.#wakeups.add(wake);
  }

  /** Hides changes up to `revision`. Never moves back: what has been swept must stay hidden. */
  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
    this.#wakeups.wake();
  }

  /** The newest kept revision that is from before `before` or lies more than `bytes` back; `compacted` if none. */
  tooOld(before: number, bytes: number): number {
    const total = this.#records.at(-1)?.total ?? 0;
    let revision = Math.max(this.#compacted, this.#base);
    for (;;) {
      const record = this.#records[revision - this.#base];
      if (record === undefined || (record.time > before && total - record.total <= bytes)) return revision;
      revision += 1;
    }
  }

  /** When changes were made, `points` of them at most. */
  times(points: number): readonly RevisionTime[] {
    return spread(Math.max(this.#compacted, this.#base) + 1, this.revision, points).flatMap((revision) => {
      const record = this.#records[revision - this.#base - 1];
      return record === undefined ? [] : [{ revision: BigInt(revision), time: record.time }];
    });
  }

  /** Takes out up to `limit` compacted changes, oldest first. */
  takeCompacted(limit: number): readonly StorageEvent[] {
    const count = Math.max(0, Math.min(limit, this.#compacted - this.#base, this.#records.length));
    const taken = this.#records.splice(0, count);
    this.#base += count;
    return taken.map((record) => record.event);
  }

  close(): void {
    this.#closed = true;
    this.#wakeups.wake();
  }
}
