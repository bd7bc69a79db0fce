/**
 * The contract of a storage engine: a revisioned key-value store with the guarantees of etcd.
 *
 * Start at {@link StorageEngine}. `createMemoryEngine` in this package is the reference; the suite that every engine
 * runs is `describeStorage` in `packages/conformance`.
 */

import type { AbortOptions } from '@listwatch/api';

/**
 * A point in the history of the whole store. One counter for all keys: it never goes back and is never reused, each
 * commit takes the next one. An empty store stands at 1, as etcd's does, or at a later one when it does not remember an
 * earlier store whose revisions clients may still have. The API gives 0 a meaning of its own.
 */
export type Revision = bigint;

/** A key with its value as one revision left it. The bytes are shared with the engine: never write into them. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** The commit that wrote this value. */
  readonly modRevision: Revision;
}

export interface ReadOptions extends AbortOptions {
  /**
   * Read the store as it was at this revision. Default: the newest. Fails with `COMPACTED` when that revision has left
   * the history and with `FUTURE_REVISION` when it has not happened yet.
   */
  readonly at?: Revision | undefined;
}

export interface GetResult {
  /** The entry, or undefined when the key did not exist at that revision. */
  readonly entry: Entry | undefined;
  /** The revision this answer is true for: `at`, or the newest one when `at` was not given. */
  readonly revision: Revision;
}

export interface RangeOptions extends ReadOptions {
  /** Begin at this key, inclusive. Append a NUL to a key to begin right after it. Default: the prefix itself. */
  readonly start?: string | undefined;
  /** At most this many entries. Default 0: all of them. */
  readonly limit?: number | undefined;
  /**
   * Awaited between the parts of a long range, so that its caller shares the event loop fairly with others. What it throws ends the
   * range. Default: the event loop has a turn, where the engine reads in parts.
   */
  readonly pause?: (() => Promise<void>) | undefined;
}

export interface RangeResult {
  /** In the byte order of their UTF-8 keys. Values may share memory with one another: copy those that are kept for long. */
  readonly entries: readonly Entry[];
  /** Whether keys remain behind the last entry because of the limit. */
  readonly more: boolean;
  /** How many keys there are from `start` to the end of the prefix, limit or not. */
  readonly count: number;
  /** The revision this answer is true for: pass it as `at` to read the next page of the same state. */
  readonly revision: Revision;
}

/** What every change has. */
interface ChangeBase {
  readonly key: string;
  /**
   * Other keys that the change depends on: it is committed only while every one of them stands where its guard says. Decided
   * in the same commit, so nothing can come between. A change has at most {@link MAX_OTHER_KEYS} guards and `alongside` puts
   * together. Default: no other key matters.
   */
  readonly guards?: readonly CommitGuard[] | undefined;
}

/** Write a value. */
export interface PutChange extends ChangeBase {
  readonly type: 'put';
  /** The engine keeps this very array: do not write into it afterwards. */
  readonly value: Uint8Array;
  /** Commit only if the key's modRevision is this; 0 = only if the key does not exist. Default: whatever is there. */
  readonly expected?: Revision | undefined;
  /**
   * Delete the key this many seconds after the commit (an integer of 1 or more), unless it is written again before.
   * Engines may be late by a few seconds, never early. Default: keep it.
   */
  readonly ttlSeconds?: number | undefined;
  /**
   * Other keys that are written in the same revision, or not at all: all of them must be as expected. Needs an `expected` of its own.
   * Only where `capabilities.alongside`. Default: none.
   */
  readonly alongside?: readonly AlongsidePut[] | undefined;
}

/** Remove a key. A key that is not there is not removed again: the commit is refused with `KEY_NOT_FOUND`. */
export interface DeleteChange extends ChangeBase {
  readonly type: 'delete';
  /** Commit only if the key's modRevision is this (above 0). Default: whatever is there. */
  readonly expected?: Revision | undefined;
}

export type Change = PutChange | DeleteChange;

/**
 * Another key that must not have changed. There is no guard that is content with any revision of a key: it would not see that the
 * object in it has been marked as deleted.
 */
export interface CommitGuard {
  /** Not a key that the change writes. */
  readonly key: string;
  /** The modRevision that the key must have; 0 = it must not exist. */
  readonly revision: Revision;
}

/** Another key that is written with a change. */
export interface AlongsidePut {
  readonly key: string;
  readonly value: Uint8Array;
  /** The modRevision that the key must have; 0 = it must not exist. */
  readonly expected: Revision;
}

/** Guards and `alongside` puts of one change, at most. With the key itself they are what etcd compares in one transaction. */
export const MAX_OTHER_KEYS = 127;

/** Why the key of a change refuses it: the same words as the codes of `StorageError`, as `BLOCKED` is. */
export type RefusalReason = 'KEY_EXISTS' | 'KEY_NOT_FOUND' | 'CONFLICT';

/** The other key because of which a change was refused. */
export interface BlockingKey {
  /** Where the change names it: a lost guard, or an `alongside` put whose key is not as expected. Guards are named first. */
  readonly type: 'guard' | 'alongside';
  readonly key: string;
  /** The modRevision that it has; 0 = it does not exist. */
  readonly revision: Revision;
}

/**
 * What became of a change. A refusal is an answer, not an exception: optimistic writers meet it all the time and go on
 * with `current`. `requireCommitted` turns it into a `StorageError` for those who do not.
 */
export type CommitResult =
  | {
      readonly committed: true;
      /** The revision this change is, and from now on the key's modRevision. */
      readonly revision: Revision;
    }
  | (Refused & {
      /** The key itself is not as the change expects it, whatever the other keys are. */
      readonly reason: RefusalReason;
      readonly blockedBy?: undefined;
    })
  | (Refused & {
      /** The key is as expected; another one is not. */
      readonly reason: 'BLOCKED';
      readonly blockedBy: BlockingKey;
    });

interface Refused {
  readonly committed: false;
  /** The key's entry when the change was refused, or undefined when it does not exist. */
  readonly current: Entry | undefined;
  /** The store's revision when it was refused. */
  readonly revision: Revision;
}

/** One change of one key, as a watch reports it. */
export type StorageEvent =
  | {
      readonly type: 'put';
      readonly key: string;
      readonly value: Uint8Array;
      readonly revision: Revision;
      /** What the key held before, or undefined when this change created it. */
      readonly previous: Entry | undefined;
    }
  | {
      readonly type: 'delete';
      readonly key: string;
      readonly revision: Revision;
      /** What was removed. */
      readonly previous: Entry;
    };

/** Whole revisions only: the changes of one revision are never split over two batches. */
export interface WatchBatch {
  /** Oldest first; empty when the batch only reports progress. */
  readonly events: readonly StorageEvent[];
  /**
   * Everything under the prefix up to and including this revision has now been delivered: a watch opened with
   * `after: revision` goes on without a gap and without a repetition.
   */
  readonly revision: Revision;
}

export interface WatchOptions extends AbortOptions {
  /**
   * Deliver every change after this revision. One that has not happened yet is waited for. Fails with `COMPACTED` when
   * changes after it have left the history.
   */
  readonly after: Revision;
}

/**
 * A running watch, for exactly one consumer. Six guarantees, by the names etcd gives them:
 *
 * - **ordered**: events come in the order of their revisions;
 * - **unique**: no event comes twice;
 * - **reliable**: no event is missing between two that were delivered;
 * - **atomic**: the events of one revision come in one batch;
 * - **resumable**: a watch broken off after a batch goes on from that batch's revision with nothing lost or repeated;
 * - **bookmarkable**: a batch's revision says that nothing at or before it will come any more.
 *
 * The engine holds no queue for a watch: it reads on when the consumer does. A consumer that falls behind the history
 * gets `COMPACTED`. Leaving the loop ends the watch; `close()` of the engine ends it with `CLOSED`.
 */
export interface StorageWatch extends AsyncIterable<WatchBatch> {
  /**
   * Ask for a batch soon, empty if need be, that says how far the watch has come: at least to the store's revision at
   * the time of the call. Does nothing where `capabilities.progressRequests` is false: progress then comes with the
   * events alone and with the engine's own periodic notifications.
   */
  requestProgress(): void;
}

/** What an engine can do that another cannot. Declared by the engine, never found out by trying. */
export interface StorageCapabilities {
  /** A commit that resolved survives the end of the process and of the machine. */
  readonly durable: boolean;
  /** Other processes may write to the same store, so that what this process last saw may be old. */
  readonly shared: boolean;
  /** `StorageWatch.requestProgress` works. */
  readonly progressRequests: boolean;
  /** Keys that expire together: `own` = each is deleted at its own revision, `shared` = several may share one. */
  readonly expiryRevisions: 'own' | 'shared';
  /** `history.bytes` is honoured. */
  readonly historyBytes: boolean;
  /** `PutChange.alongside` is honoured. An engine that no other process writes to need not. Every engine honours `guards`. */
  readonly alongside: boolean;
}

/** A revision and when it was made. */
export interface RevisionTime {
  readonly revision: Revision;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** What an engine tells of itself to people. What it does not know is undefined. */
export interface StorageReport {
  /** `lmdb`, `memory`, `etcd`. */
  readonly name: string;
  /** The oldest revision that can be read and watched from. */
  readonly oldest: Revision | undefined;
  /** How long changes are kept. */
  readonly historyAgeMs: number | undefined;
  /** How many bytes of changes are kept at most. */
  readonly historyBytes: number | undefined;
  readonly diskBytes: number | undefined;
  /** When changes were made: some of them at equal distances, oldest first, as many as were asked for at most. */
  readonly times: readonly RevisionTime[];
}

/** A revisioned key-value store. All methods may be called at the same time and after one another in any order. */
export interface StorageEngine extends AsyncDisposable {
  readonly capabilities: StorageCapabilities;
  /** The newest revision. */
  revision(options?: AbortOptions): Promise<Revision>;
  /** One key. */
  get(key: string, options?: ReadOptions): Promise<GetResult>;
  /** All keys that begin with `prefix`, in order; an empty prefix is the whole store. */
  range(prefix: string, options?: RangeOptions): Promise<RangeResult>;
  /**
   * Compare and commit one change. When it resolves with `committed: true` the change has its own revision and, on a
   * durable engine, is on disk. Rejects with `UNAVAILABLE` when it could not be done; `error.uncertain` then says
   * whether it may have happened all the same. Rejects with `DISK_FULL` when there is no room for it: nothing was
   * written, reads go on, and commits work again once there is room. Rejects with `CORRUPT` when this key cannot be
   * read; other keys are not affected. The signal counts until the change has been handed over.
   */
  commit(change: Change, options?: AbortOptions): Promise<CommitResult>;
  /** Every change of the keys that begin with `prefix`. */
  watch(prefix: string, options: WatchOptions): StorageWatch;
  /**
   * Forget what was overwritten or deleted before or at `revision`. Reads at `revision` and watches after it still work;
   * older ones fail with `COMPACTED` at once, the space is given back in small steps afterwards. Compacting what is
   * compacted already fails with `COMPACTED`, compacting the future with `FUTURE_REVISION`. Of compactions that overlap
   * the furthest counts; each other one resolves or fails with `COMPACTED`, and the compacted revision never moves back.
   */
  compact(revision: Revision, options?: AbortOptions): Promise<void>;
  /** Where it stands; must be quick. `points`: how many entries of `times` are wanted. Absent: it does not say. */
  report?(points: number): StorageReport | undefined;
  /** Finish what was handed over, end the watches, let go of files and connections. Safe to call again. */
  close(): Promise<void>;
}
