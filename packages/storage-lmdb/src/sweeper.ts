/** Gives back the space of what has been compacted, a little at a time. */

import type { BackgroundErrors } from './background-errors.ts';
import { corruptError } from './corrupt-error.ts';
import type { EventLog } from './event-log.ts';
import { decodeLogRecord, encodeRevision, type LogRecord } from './log-record.ts';
import type { ReadPins } from './read-pins.ts';
import type { Tables, TableWrite } from './tables.ts';
import { encodeVersionKey } from './version-key.ts';

/** Records forgotten in one transaction: well under a millisecond of the writer's time. */
const STEP = 200;

/**
 * Each record of the log names the version it replaced, so the log is the work list: forgetting a record means removing
 * that version, the record, and the deletion if it was one. LMDB reuses the pages for what is written next.
 */
export class Sweeper {
  readonly #tables: Tables;
  readonly #log: EventLog;
  readonly #pins: ReadPins;
  readonly #errors: BackgroundErrors;
  #swept: number;

  constructor(parts: {
    readonly tables: Tables;
    readonly log: EventLog;
    readonly pins: ReadPins;
    readonly errors: BackgroundErrors;
    readonly swept: number;
  }) {
    this.#tables = parts.tables;
    this.#log = parts.log;
    this.#pins = parts.pins;
    this.#errors = parts.errors;
    this.#swept = parts.swept;
  }

  /** Up to here the space has been given back. */
  get swept(): number {
    return this.#swept;
  }

  /** Whether a step would do something now; reads in progress may hold it back. */
  get pending(): boolean {
    return this.#swept < this.#limit;
  }

  /** Adds the removals of one step to a transaction. Call the answer when that is on disk. */
  step(writes: TableWrite[]): () => void {
    const { log, versions } = this.#tables;
    const limit = this.#limit;
    let swept = limit;
    let taken = 0;
    // Records are counted, not revisions: the log of a restored store jumps by a billion of these.
    for (const revision of log.walk(encodeRevision(this.#swept + 1), encodeRevision(limit + 1))) {
      writes.push(() => log.remove(encodeRevision(revision)));
      taken += 1;
      const record = this.#record(revision);
      if (record !== undefined) {
        const { key, previous, deleted } = record;
        if (previous > 0) writes.push(() => versions.remove(encodeVersionKey(key, previous, false)));
        if (deleted) writes.push(() => versions.remove(encodeVersionKey(key, revision, true)));
      }
      if (taken === STEP) {
        swept = revision;
        break;
      }
    }
    return () => {
      this.#swept = swept;
    };
  }

  /** The record of the current step. A damaged one is removed alone: the version that it replaced cannot be found. */
  #record(revision: number): LogRecord | undefined {
    try {
      return this.#tables.log.value(decodeLogRecord);
    } catch (cause) {
      this.#errors.add(corruptError(`the log record of revision ${revision} cannot be decoded`, { cause }));
      return undefined;
    }
  }

  get #limit(): number {
    return Math.min(this.#log.compacted, this.#pins.oldest);
  }
}
