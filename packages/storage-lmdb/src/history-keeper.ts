/** Compacts what the history setting does not want to keep. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CancelTimer, Clock } from '@listwatch/storage';
import { type HistoryConfig, historyCheckMs } from '@listwatch/storage/internal';
import type { EventLog } from './event-log.ts';
import type { GroupCommit } from './group-commit.ts';
import { decodeLogRecord, encodeRevision, type LogRecord } from './log-record.ts';
import type { Tables } from './tables.ts';

/** Records looked at before others get their turn. */
const STEP = 1000;

/** Looks from time to time; a look that finds much goes on in small steps. */
export class HistoryKeeper {
  readonly #tables: Tables;
  readonly #log: EventLog;
  readonly #writer: GroupCommit;
  readonly #history: HistoryConfig;
  readonly #clock: Clock;
  #cancel: CancelTimer;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: {
    readonly tables: Tables;
    readonly log: EventLog;
    readonly writer: GroupCommit;
    readonly history: HistoryConfig;
    readonly clock: Clock;
  }) {
    this.#tables = parts.tables;
    this.#log = parts.log;
    this.#writer = parts.writer;
    this.#history = parts.history;
    this.#clock = parts.clock;
    this.#cancel = this.#schedule();
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.#working;
  }

  #schedule(): CancelTimer {
    return this.#clock.after(historyCheckMs(this.#history), () => {
      this.#working = this.#work();
    });
  }

  async #work(): Promise<void> {
    try {
      for (;;) {
        const target = this.#tooOld();
        if (target <= this.#log.compacted) break;
        await this.#writer.compact(target);
        await nextTurn();
      }
      // A read that held the sweeper back may have ended since, and a full disk may have room again.
      this.#writer.sweep();
    } catch {
      // The disk is full, or the store is closing: the next look tries again.
    }
    if (!this.#log.closed) this.#cancel = this.#schedule();
  }

  /** The newest of the next records that is too old or too far back; `compacted` when none is. */
  #tooOld(): number {
    const before = this.#clock.now() - this.#history.ageMs;
    const keepAfter = this.#writer.total - this.#history.bytes;
    const { log } = this.#tables;
    const first = this.#log.compacted + 1;
    let target = this.#log.compacted;
    const end = Math.min(this.#log.revision, target + STEP) + 1;
    for (const revision of log.walk(encodeRevision(first), encodeRevision(end))) {
      const record = this.#record();
      // A damaged record says nothing of its age; the ones behind it decide.
      if (record === undefined) continue;
      if (record.time > before && record.total >= keepAfter) break;
      target = revision;
    }
    return target;
  }

  #record(): LogRecord | undefined {
    try {
      return this.#tables.log.value(decodeLogRecord);
    } catch {
      return undefined;
    }
  }
}
