/** The embedded storage engine: one folder, one process, every acknowledged commit on disk. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import {
  type AbortOptions,
  type Change,
  type Clock,
  type CommitResult,
  type Entry,
  type GetResult,
  type HistoryOptions,
  isStorageError,
  type RangeOptions,
  type RangeResult,
  type ReadOptions,
  type Revision,
  type StorageCapabilities,
  type StorageEngine,
  StorageError,
  type StorageReport,
  type StorageWatch,
  type WatchOptions,
} from '@listwatch/storage';
import {
  checkChange,
  checkKey,
  checkRange,
  closedError,
  type HistoryConfig,
  LogWatch,
  resolveAt,
  resolveCompaction,
  resolveHistory,
} from '@listwatch/storage/internal';
import { BackgroundErrors } from './background-errors.ts';
import { EventLog } from './event-log.ts';
import { type DueKey, Expiry } from './expiry.ts';
import { makeNewStore } from './folder/new-store.ts';
import { makeStoreFolder } from './folder/store-folder.ts';
import { checkFormat } from './folder/store-format.ts';
import { noteGeneration } from './folder/store-generation.ts';
import { StoreHolder } from './folder/store-holder.ts';
import { GroupCommit } from './group-commit.ts';
import { Heads } from './heads.ts';
import { HistoryKeeper } from './history-keeper.ts';
import { ReadPins } from './read-pins.ts';
import { RecentEntries } from './recent-entries.ts';
import { readState } from './store-state.ts';
import { Sweeper } from './sweeper.ts';
import { openTables, type Tables } from './tables.ts';
import { verifyStore } from './verify-store.ts';
import { VersionReader } from './version-reader.ts';

/** Options of {@link openLmdbEngine}. */
export interface LmdbEngineOptions {
  /** The folder of the store; created when it does not exist. */
  readonly path: string;
  /** How much of the past to keep. Default 24 hours, at most 1 GiB. */
  readonly history?: HistoryOptions | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /**
   * Called when work in the background (expiry, compaction) fails, once for each different error. Such an error has
   * no caller to reject. Default: ignored.
   */
  readonly onBackgroundError?: ((error: StorageError) => void) | undefined;
  /**
   * Called with the paths of the folder and files that others could read or write until this opening took that right
   * away. Default: ignored.
   */
  readonly onPermissionsRepaired?: ((paths: readonly string[]) => void) | undefined;
  /**
   * Called when the data file has been restored from a backup or copied since the folder was last opened. The store then
   * continues at the given revision, far ahead, and everything before it is `COMPACTED`: a client that has seen more
   * than the backup has lists anew instead of going on from a revision that now means something else.
   */
  readonly onRestored?: ((revision: Revision) => void) | undefined;
}

/** Where a store stands, for those who watch over it. */
export interface LmdbStats {
  /** Keys that exist now. */
  readonly keys: number;
  readonly revision: Revision;
  /** The oldest revision that can be read; 0 when nothing has been compacted. */
  readonly compacted: Revision;
  /** Up to here the space of what was compacted has been given back. */
  readonly swept: Revision;
}

/** A {@link StorageEngine} on a local folder. */
export interface LmdbEngine extends StorageEngine {
  stats(): LmdbStats;
  /** Reads the whole store and holds its tables against one another; the answer lists what is wrong. */
  verify(): Promise<readonly string[]>;
}

const CAPABILITIES: StorageCapabilities = Object.freeze({
  durable: true,
  shared: false,
  progressRequests: true,
  expiryRevisions: 'own',
  historyBytes: true,
  alongside: false,
});

/**
 * Opens the store in a folder. Fails with `IN_USE` when another process has it, `INCOMPATIBLE` when it was written by
 * a newer version, `CORRUPT` when the file is damaged, `UNAVAILABLE` when the folder cannot be used.
 */
export async function openLmdbEngine(options: LmdbEngineOptions): Promise<LmdbEngine> {
  if (typeof options.path !== 'string' || options.path === '') {
    throw new TypeError(`path must be a folder, got ${JSON.stringify(options.path)}`);
  }
  const history = resolveHistory(options.history);
  const folder = resolve(options.path);
  const tables = await openFolder(folder, options.onPermissionsRepaired);
  let holder: StoreHolder | undefined;
  try {
    holder = StoreHolder.take(tables, folder);
    checkFormat(tables, folder);
    const restored = noteGeneration(tables, folder);
    if (restored !== undefined) options.onRestored?.(restored);
    const errors = new BackgroundErrors(options.onBackgroundError);
    return new OpenLmdbEngine({ tables, holder, history, clock: options.clock ?? backgroundClock, errors });
  } catch (error) {
    holder?.release();
    await tables.root.close();
    throw error;
  }
}

async function openFolder(
  folder: string,
  onPermissionsRepaired: LmdbEngineOptions['onPermissionsRepaired'],
): Promise<Tables> {
  try {
    const repaired = makeStoreFolder(folder);
    if (repaired.length > 0) onPermissionsRepaired?.(repaired);
    await makeNewStore(folder);
    return openTables(folder);
  } catch (cause) {
    if (isStorageError(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const damaged = /MDB_INVALID|MDB_CORRUPTED|MDB_VERSION_MISMATCH|not an LMDB/.test(reason);
    throw new StorageError(damaged ? 'CORRUPT' : 'UNAVAILABLE', `cannot open the store in ${folder}: ${reason}`, {
      cause,
    });
  }
}

interface LmdbEngineParts {
  readonly tables: Tables;
  readonly holder: StoreHolder;
  readonly history: HistoryConfig;
  readonly clock: Clock;
  readonly errors: BackgroundErrors;
}

class OpenLmdbEngine implements LmdbEngine {
  readonly capabilities: StorageCapabilities = CAPABILITIES;
  readonly #tables: Tables;
  readonly #holder: StoreHolder;
  readonly #errors: BackgroundErrors;
  readonly #pins = new ReadPins();
  readonly #reader: VersionReader;
  readonly #heads: Heads;
  readonly #recent = new RecentEntries();
  readonly #log: EventLog;
  readonly #sweeper: Sweeper;
  readonly #writer: GroupCommit;
  readonly #expiry: Expiry;
  readonly #keeper: HistoryKeeper;
  readonly #history: HistoryConfig;
  #closing: Promise<void> | undefined;

  constructor({ tables, holder, history, clock, errors }: LmdbEngineParts) {
    const state = readState(tables);
    this.#errors = errors;
    this.#history = history;
    this.#tables = tables;
    this.#holder = holder;
    this.#reader = new VersionReader(tables, this.#pins);
    this.#heads = Heads.load(tables);
    this.#log = new EventLog(tables, this.#reader, state);
    this.#expiry = new Expiry(tables, clock, (due) => this.#expire(due));
    this.#sweeper = new Sweeper({ tables, log: this.#log, pins: this.#pins, errors, swept: state.swept });
    this.#writer = new GroupCommit({
      tables,
      reader: this.#reader,
      heads: this.#heads,
      recent: this.#recent,
      log: this.#log,
      sweeper: this.#sweeper,
      errors,
      clock,
      total: state.total,
      onExpiry: (due) => this.#expiry.schedule(due),
    });
    this.#keeper = new HistoryKeeper({ tables, log: this.#log, writer: this.#writer, history, clock });
    this.#expiry.schedule();
    // Continue a compaction that the last process did not finish.
    this.#writer.kick();
  }

  async revision(options: AbortOptions = {}): Promise<Revision> {
    this.#check(options);
    return BigInt(this.#log.revision);
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    checkKey(key);
    this.#check(options);
    const at = this.#resolveAt(options.at);
    const revision = BigInt(at);
    if (at !== this.#log.revision) return { entry: this.#reader.entryAt(key, at), revision };
    const modRevision = this.#heads.get(key);
    if (modRevision === 0) return { entry: undefined, revision };
    return { entry: this.#recent.get(key, modRevision) ?? this.#read(key, modRevision), revision };
  }

  async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    checkRange(prefix, options);
    this.#check(options);
    const { start = '', limit = 0, signal, pause } = options;
    return this.#reader.range({ prefix, start, limit, at: this.#resolveAt(options.at), pause }, signal);
  }

  /** Deletes keys whose time is up. One that cannot be read stays and is reported; it must not hold up the others. */
  async #expire(due: readonly DueKey[]): Promise<void> {
    const commits = due.map(({ key, revision, row }) =>
      this.#writer.commit({ type: 'delete', key, expected: BigInt(revision) }, row),
    );
    for (const one of await Promise.allSettled(commits)) {
      if (one.status === 'fulfilled') continue;
      if (!isStorageError(one.reason, 'CORRUPT')) throw one.reason;
      this.#errors.add(one.reason);
    }
  }

  /** Caches the entry: keys that are read are mostly written next or read again, as the namespace of a new object is. */
  #read(key: string, modRevision: number): Entry {
    const entry = this.#reader.entry(key, modRevision);
    this.#recent.set(entry);
    return entry;
  }

  /** Not async: two more promises for each commit are measurable at 100 000 commits a second. */
  commit(change: Change, options: AbortOptions = {}): Promise<CommitResult> {
    try {
      checkChange(change);
      this.#check(options);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#writer.commit(change);
  }

  watch(prefix: string, options: WatchOptions): StorageWatch {
    return new LogWatch(this.#log, prefix, options);
  }

  async compact(revision: Revision, options: AbortOptions = {}): Promise<void> {
    this.#check(options);
    await this.#writer.compact(resolveCompaction(revision, this.#log.compacted, this.#log.revision));
  }

  report(points: number): StorageReport {
    this.#check({});
    const { ageMs, bytes } = this.#history;
    return {
      name: 'lmdb',
      oldest: BigInt(Math.max(1, this.#log.compacted)),
      historyAgeMs: ageMs,
      historyBytes: bytes,
      diskBytes: statSync(this.#tables.path, { throwIfNoEntry: false })?.size,
      times: this.#log.times(points),
    };
  }

  stats(): LmdbStats {
    return {
      keys: this.#heads.size,
      revision: BigInt(this.#log.revision),
      compacted: BigInt(this.#log.compacted),
      swept: BigInt(this.#sweeper.swept),
    };
  }

  async verify(): Promise<readonly string[]> {
    this.#check({});
    return verifyStore(this.#tables, this.#heads, this.#log);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#expiry.close();
    await this.#writer.close();
    this.#log.close();
    await this.#keeper.close();
    await this.#pins.idle();
    this.#holder.release();
    await this.#tables.root.close();
  }

  #check(options: AbortOptions): void {
    options.signal?.throwIfAborted();
    if (this.#closing !== undefined) throw closedError();
  }

  #resolveAt(at: Revision | undefined): number {
    return resolveAt(at, this.#log.compacted, this.#log.revision);
  }
}
