/** The log that watches read: its end from memory, what is older from disk. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RevisionTime, StorageEvent } from '@listwatch/storage';
import { type ChangeLog, type LogChunk, spread, Wakeups } from '@listwatch/storage/internal';
import { corruptError } from './corrupt-error.ts';
import { EventTail } from './event-tail.ts';
import { decodeLogRecord, encodeRevision, type LogRecord } from './log-record.ts';
import type { Tables } from './tables.ts';
import { ValueArena } from './value-arena.ts';
import type { CopyValue, VersionReader } from './version-reader.ts';

/** Events taken at once from memory and from disk: the latter take about two milliseconds. */
const CHUNK = 1000;
const DISK_CHUNK = 500;
/** A chunk from disk ends early when it holds this much: large values must not pile up for a slow consumer. */
const DISK_CHUNK_BYTES = 4 * 2 ** 20;

/** What has been committed and published, up to `revision`. */
export class EventLog implements ChangeLog {
  readonly #tables: Tables;
  readonly #reader: VersionReader;
  readonly #tail: EventTail;
  readonly #wakeups = new Wakeups();
  readonly #copy: CopyValue;
  #revision: number;
  #compacted: number;
  #closed = false;

  constructor(tables: Tables, reader: VersionReader, state: { readonly revision: number; readonly compacted: number }) {
    this.#tables = tables;
    this.#reader = reader;
    this.#revision = state.revision;
    this.#compacted = state.compacted;
    this.#tail = new EventTail(state.revision);
    const arena = new ValueArena();
    this.#copy = (bytes, length) => arena.copy(bytes, length);
  }

  get revision(): number {
    return this.#revision;
  }

  get compacted(): number {
    return this.#compacted;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Shows events that are durable now; they continue the log. */
  publish(events: readonly StorageEvent[]): void {
    this.#tail.append(events);
    this.#revision += events.length;
    this.#wakeups.wake();
  }

  /** Hides everything up to `revision`. Never moves back: what has been swept must stay hidden. */
  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
    this.#wakeups.wake();
  }

  close(): void {
    this.#closed = true;
    this.#wakeups.wake();
  }

  onWake(wake: () => void): () => void {
    return this.#wakeups.add(wake);
  }

  read(after: number): LogChunk | Promise<LogChunk> {
    if (after < this.#tail.base) return this.#readDisk(after);
    const events = this.#tail.read(after, CHUNK);
    return { events, revision: after + events.length };
  }

  /** When changes were made, `points` of them at most. A record that cannot be decoded is left out. */
  times(points: number): readonly RevisionTime[] {
    const { log } = this.#tables;
    return spread(Math.max(1, this.#compacted) + 1, this.#revision, points).flatMap((revision) => {
      try {
        if (!log.find(encodeRevision(revision))) return [];
        return [{ revision: BigInt(revision), time: log.value(decodeLogRecord).time }];
      } catch {
        return [];
      }
    });
  }

  async #readDisk(after: number): Promise<LogChunk> {
    const events: StorageEvent[] = [];
    let bytes = 0;
    const { log } = this.#tables;
    const end = encodeRevision(Math.min(this.#revision, after + DISK_CHUNK) + 1);
    for (const revision of log.walk(encodeRevision(after + 1), end)) {
      if (revision !== after + events.length + 1)
        throw corruptError(`revision ${after + events.length + 1} is missing`);
      const event = this.#event(revision, this.#record(revision));
      events.push(event);
      bytes += (event.type === 'put' ? event.value.length : 0) + (event.previous?.value.length ?? 0);
      if (bytes >= DISK_CHUNK_BYTES) break;
    }
    if (events.length === 0) throw corruptError(`revision ${after + 1} is missing`);
    // A long catch-up must not keep everything else in the process waiting.
    await nextTurn();
    return { events, revision: after + events.length };
  }

  #record(revision: number): LogRecord {
    try {
      return this.#tables.log.value(decodeLogRecord);
    } catch (cause) {
      throw corruptError(`the log record of revision ${revision} cannot be decoded`, { cause });
    }
  }

  #event(revisionNumber: number, record: LogRecord): StorageEvent {
    const { key } = record;
    const revision = BigInt(revisionNumber);
    const previous = record.previous === 0 ? undefined : this.#reader.entry(key, record.previous, this.#copy);
    if (!record.deleted) {
      return { type: 'put', key, value: this.#reader.entry(key, revisionNumber, this.#copy).value, revision, previous };
    }
    if (previous === undefined) throw corruptError(`revision ${revision} deletes ${key}, which did not exist`);
    return { type: 'delete', key, revision, previous };
  }
}
