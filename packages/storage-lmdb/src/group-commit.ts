/** The only writer of a store: commits that wait at the same time share one transaction and one sync. */

import { dirname } from 'node:path';
import { type Change, type Clock, type CommitResult, isStorageError, StorageError } from '@listwatch/storage';
import { closedError, compactedError } from '@listwatch/storage/internal';
import type { BackgroundErrors } from './background-errors.ts';
import { CommitBatch } from './commit-batch.ts';
import { commitFailure } from './commit-failure.ts';
import { readFailure } from './corrupt-error.ts';
import type { EventLog } from './event-log.ts';
import type { Heads } from './heads.ts';
import type { RecentEntries } from './recent-entries.ts';
import type { Sweeper } from './sweeper.ts';
import { type Tables, writeAll } from './tables.ts';
import type { VersionReader } from './version-reader.ts';

/** A transaction takes at most this many commits and about this many bytes, so that none waits for too many others. */
const MAX_COMMITS = 1024;
const MAX_BYTES = 8 * 2 ** 20;

/** A commit that waits. */
interface Waiting {
  readonly change: Change;
  /** The row of the `expiry` table that caused this commit; removed even if the commit is refused. */
  readonly expiryRow: Buffer | undefined;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A compaction that waits. */
interface WaitingCompaction {
  readonly revision: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Resolves or rejects the callers of a transaction. */
type Settle = () => void;

const nothing: Settle = () => {};

/** What the writer works on. */
export interface GroupCommitParts {
  readonly tables: Tables;
  readonly reader: VersionReader;
  readonly heads: Heads;
  readonly recent: RecentEntries;
  readonly log: EventLog;
  readonly sweeper: Sweeper;
  readonly errors: BackgroundErrors;
  readonly clock: Clock;
  /** Bytes of all changes in the log when the store was opened. */
  readonly total: number;
  /** Told when a key with a TTL has been written. */
  readonly onExpiry: (due: number) => void;
}

/**
 * Revisions are given out here and nowhere else. One transaction is under way at a time; what arrives meanwhile is the
 * next one. Nothing is shown before it is durable, so a failed transaction leaves no trace and its revisions are free.
 */
export class GroupCommit {
  readonly #parts: GroupCommitParts;
  readonly #queue: Waiting[] = [];
  #compactions: readonly WaitingCompaction[] = [];
  #total: number;
  /** `broken`: a transaction that was reported as failed is on disk; the store must be opened again. */
  #state: 'open' | 'closing' | 'broken' = 'open';
  #running: Promise<void> | undefined;
  /** A transaction has failed: sweeping waits for one that works, so that a full disk is not tried in a loop. */
  #sweepingPaused = false;

  constructor(parts: GroupCommitParts) {
    this.#parts = parts;
    this.#total = parts.total;
  }

  /** Bytes of all changes so far; less the total of a record, what came after that record. */
  get total(): number {
    return this.#total;
  }

  commit(change: Change, expiryRow?: Buffer): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#admit();
      this.#queue.push({ change, expiryRow, resolve, reject });
      this.kick();
    });
  }

  /**
   * Makes `revision` the oldest one that can be read; the space is given back afterwards. Rejects with `COMPACTED` when
   * a compaction that was under way has gone further meanwhile: `compacted` must never move back.
   */
  compact(revision: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#admit();
      this.#compactions = [...this.#compactions, { revision, resolve, reject }];
      this.kick();
    });
  }

  /** Tries again to give back the space of what was compacted. */
  sweep(): void {
    this.#sweepingPaused = false;
    this.kick();
  }

  /** Starts the writer if there is work and it is not running. */
  kick(): void {
    if (this.#running === undefined && this.#hasWork) this.#running = this.#run();
  }

  /** Writes the queued commits and refuses new ones. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    while (this.#running !== undefined) await this.#running;
  }

  get #hasWork(): boolean {
    if (this.#queue.length > 0 || this.#compactions.length > 0) return true;
    // Sweeping can also continue after the next opening, so close does not wait for it.
    return this.#state === 'open' && this.#canSweep;
  }

  get #canSweep(): boolean {
    return !this.#sweepingPaused && this.#parts.sweeper.pending;
  }

  #admit(): void {
    if (this.#state === 'closing') throw closedError();
    if (this.#state === 'broken') throw brokenError();
  }

  async #run(): Promise<void> {
    do {
      // Begin at the end of the turn, so that every commit of this turn joins the transaction.
      await new Promise((resolve) => setImmediate(resolve));
      let settle = await this.#transact(nothing);
      // Start the next transaction before settling the last one, so that the disk is never idle.
      while (this.#queue.length > 0) settle = await this.#transact(settle);
      settle();
    } while (this.#hasWork);
    this.#running = undefined;
  }

  /** Carries out one transaction and calls `meanwhile` once it is under way. The answer settles its callers. */
  async #transact(meanwhile: Settle): Promise<Settle> {
    const { tables, reader, heads, recent, log, sweeper, errors, clock, onExpiry } = this.#parts;
    const waiting = this.#take();
    const compactions = this.#compactions;
    this.#compactions = [];
    const furthest = Math.max(log.compacted, ...compactions.map(({ revision }) => revision));
    const compacted = log.compacted;
    let told = false;
    try {
      if (this.#state === 'broken') throw brokenError();
      const batch = new CommitBatch({
        tables,
        reader,
        heads,
        recent,
        revision: log.revision,
        total: this.#total,
        now: clock.now(),
      });
      const outcomes = waiting.map((one) => decide(batch, one));
      if (furthest > compacted) batch.compact(furthest);
      const swept = this.#canSweep ? sweeper.step(batch.writes) : undefined;
      const written = writeAll(tables, batch.writes);
      told = true;
      meanwhile();
      await written;
      tables.root.resetReadTxn();
      if (batch.writes.length > 0) this.#recovered();
      this.#total = batch.total;
      batch.apply();
      swept?.();
      if (batch.events.length > 0) log.publish(batch.events);
      if (furthest > compacted) log.compact(furthest);
      if (batch.due !== undefined) onExpiry(batch.due);
      return () => {
        for (const tell of outcomes) tell();
        for (const one of compactions) {
          if (one.revision > compacted) one.resolve();
          else one.reject(compactedError(BigInt(one.revision), BigInt(compacted)));
        }
      };
    } catch (error) {
      if (!told) meanwhile();
      const failure = await this.#explain(error);
      this.#sweepingPaused = true;
      if (waiting.length === 0) errors.add(failure);
      return () => {
        for (const one of waiting) one.reject(failure);
        for (const one of compactions) one.reject(failure);
      };
    }
  }

  #recovered(): void {
    this.#sweepingPaused = false;
    this.#parts.errors.recovered();
  }

  #take(): readonly Waiting[] {
    let count = 0;
    for (let bytes = 0; count < this.#queue.length && count < MAX_COMMITS && bytes < MAX_BYTES; count += 1) {
      const change = this.#queue[count]?.change;
      bytes += change?.type === 'put' ? change.value.length : 0;
    }
    return this.#queue.splice(0, count);
  }

  /** The error for a failed transaction; finds out whether anything of it is on disk. */
  async #explain(error: unknown): Promise<StorageError> {
    if (isStorageError(error)) return error;
    const { tables, log } = this.#parts;
    tables.root.resetReadTxn();
    if ((tables.log.last() ?? log.revision) > log.revision) this.#state = 'broken';
    return commitFailure(error, dirname(tables.path), this.#state === 'broken');
  }
}

/** Adds one commit to the batch; the answer tells its caller, once the batch is durable. */
function decide(batch: CommitBatch, { change, expiryRow, resolve, reject }: Waiting): Settle {
  if (expiryRow !== undefined) batch.removeExpiry(expiryRow);
  try {
    const result = batch.add(change);
    return () => resolve(result);
  } catch (error) {
    return () => reject(readFailure(error, `the value of ${change.key}`, change.key));
  }
}

function brokenError(): StorageError {
  return new StorageError('UNAVAILABLE', 'the store failed while writing and must be opened anew');
}
