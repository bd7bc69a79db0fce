/** The memory engine: the contract in its plainest form, and the reference that the others are compared with. */

import { type AbortOptions, backgroundClock, type CancelTimer, type Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { ExpiryQueue } from './expiry-queue.ts';
import { resolveFirstRevision } from './first-revision.ts';
import { type HistoryConfig, type HistoryOptions, historyCheckMs, resolveHistory } from './history.ts';
import { LogWatch } from './log-watch.ts';
import { MemoryLog } from './memory-log.ts';
import { MemoryTable } from './memory-table.ts';
import { checkRange, resolveAt, resolveCompaction } from './read-options.ts';
import { checkChange, refusal } from './refusal.ts';
import type {
  Change,
  CommitResult,
  Entry,
  GetResult,
  RangeOptions,
  RangeResult,
  ReadOptions,
  Revision,
  StorageCapabilities,
  StorageEngine,
  StorageEvent,
  StorageReport,
  StorageWatch,
  WatchOptions,
} from './storage-engine.ts';
import { closedError } from './storage-error.ts';
import { checkKey } from './storage-key.ts';

/** Options of {@link createMemoryEngine}. */
export interface MemoryEngineOptions {
  /** How much of the past to keep. Default 24 hours, at most 1 GiB. */
  readonly history?: HistoryOptions | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /**
   * The revision of the empty store, 1n or more. Default: the microseconds since 1970, so that a store made anew begins
   * behind every revision of the one before it. Clients of that one then learn that their revision is gone.
   */
  readonly firstRevision?: Revision | undefined;
}

const CAPABILITIES: StorageCapabilities = Object.freeze({
  durable: false,
  shared: false,
  progressRequests: true,
  expiryRevisions: 'own',
  historyBytes: true,
  alongside: false,
});

/** How many changes one step of compaction forgets before others get their turn. */
const SWEEP_STEP = 1000;

/** How many keys of a range are looked at before others get their turn: one or two milliseconds. */
const RANGE_STEP = 2000;

/** How many keys expire at once before others get their turn, as in the lmdb engine. */
const EXPIRY_BATCH = 500;

/** A storage engine in memory: fast, complete, and gone with the process. */
export function createMemoryEngine(options: MemoryEngineOptions = {}): StorageEngine {
  const clock = options.clock ?? backgroundClock;
  return new MemoryEngine(resolveHistory(options.history), clock, resolveFirstRevision(options.firstRevision, clock));
}

class MemoryEngine implements StorageEngine {
  readonly capabilities: StorageCapabilities = CAPABILITIES;
  readonly #table = new MemoryTable();
  readonly #log: MemoryLog;
  readonly #expiry = new ExpiryQueue();
  readonly #history: HistoryConfig;
  readonly #clock: Clock;
  #cancelHistory: CancelTimer;
  #expiryTimer: { readonly due: number; readonly cancel: CancelTimer } | undefined;
  #sweep: NodeJS.Immediate | undefined;

  constructor(history: HistoryConfig, clock: Clock, firstRevision: number) {
    this.#history = history;
    this.#clock = clock;
    this.#log = new MemoryLog(firstRevision);
    this.#cancelHistory = this.#scheduleHistory();
  }

  async revision(options: AbortOptions = {}): Promise<Revision> {
    this.#check(options);
    return BigInt(this.#log.revision);
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    checkKey(key);
    this.#check(options);
    const revision = this.#resolveAt(options.at);
    return { entry: this.#table.get(key, revision), revision };
  }

  async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    checkRange(prefix, options);
    this.#check(options);
    const { start = '', limit = 0, pause } = options;
    const revision = this.#resolveAt(options.at);
    if (pause === undefined) return { ...this.#table.page(prefix, start, limit, revision), revision };
    const page = this.#table.beginPage(prefix, start, limit, revision);
    while (!page.goOn(RANGE_STEP)) {
      await pause();
      this.#check(options);
      // The history may have moved on meanwhile.
      this.#resolveAt(revision);
    }
    return { ...page.result, revision };
  }

  async commit(change: Change, options: AbortOptions = {}): Promise<CommitResult> {
    checkChange(change);
    this.#check(options);
    return this.#commit(change);
  }

  watch(prefix: string, options: WatchOptions): StorageWatch {
    return new LogWatch(this.#log, prefix, options);
  }

  async compact(revision: Revision, options: AbortOptions = {}): Promise<void> {
    this.#check(options);
    this.#compact(resolveCompaction(revision, this.#log.compacted, this.#log.revision));
  }

  report(points: number): StorageReport {
    const { ageMs, bytes } = this.#history;
    return {
      name: 'memory',
      oldest: BigInt(Math.max(1, this.#log.compacted)),
      historyAgeMs: ageMs,
      historyBytes: bytes,
      diskBytes: undefined,
      times: this.#log.times(points),
    };
  }

  async close(): Promise<void> {
    this.#cancelHistory();
    this.#expiryTimer?.cancel();
    clearImmediate(this.#sweep);
    this.#log.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #check(options: AbortOptions): void {
    options.signal?.throwIfAborted();
    if (this.#log.closed) throw closedError();
  }

  #resolveAt(at: Revision | undefined): Revision {
    return BigInt(resolveAt(at, this.#log.compacted, this.#log.revision));
  }

  #commit(change: Change): CommitResult {
    const { key } = change;
    const now = BigInt(this.#log.revision);
    const current = this.#table.get(key, now);
    const standing = (other: string): number => Number(this.#table.get(other, now)?.modRevision ?? 0n);
    const refused = refusal(change, Number(current?.modRevision ?? 0n), standing);
    if (refused !== undefined) return { committed: false, ...refused, current, revision: now };
    const revision = BigInt(this.#log.revision + 1);
    const event = toEvent(change, revision, current);
    this.#table.apply(event);
    this.#log.append(event, this.#clock.now());
    if (change.type === 'put' && change.ttlSeconds !== undefined) {
      this.#expiry.add(monotonicMs(this.#clock) + change.ttlSeconds * 1000, { key, revision });
      this.#scheduleExpiry();
    }
    return { committed: true, revision };
  }

  #scheduleExpiry(): void {
    const due = this.#expiry.next();
    // A timer that is set again for every commit would never fire under load.
    if (due === undefined || (this.#expiryTimer !== undefined && this.#expiryTimer.due <= due)) return;
    this.#expiryTimer?.cancel();
    const cancel = this.#clock.after(Math.max(0, due - monotonicMs(this.#clock)), () => {
      this.#expiryTimer = undefined;
      // A key that was written again has another revision: its old expiry is refused, as it must be.
      for (const { key, revision } of this.#expiry.take(monotonicMs(this.#clock), EXPIRY_BATCH)) {
        this.#commit({ type: 'delete', key, expected: revision });
      }
      this.#scheduleExpiry();
    });
    this.#expiryTimer = { due, cancel };
  }

  #scheduleHistory(): CancelTimer {
    return this.#clock.after(historyCheckMs(this.#history), () => {
      const tooOld = this.#log.tooOld(this.#clock.now() - this.#history.ageMs, this.#history.bytes);
      if (tooOld > Math.max(this.#log.compacted, 1)) this.#compact(tooOld);
      this.#cancelHistory = this.#scheduleHistory();
    });
  }

  #compact(revision: number): void {
    this.#log.compact(revision);
    this.#sweep ??= setImmediate(() => this.#sweepStep());
  }

  #sweepStep(): void {
    const forgotten = this.#log.takeCompacted(SWEEP_STEP);
    for (const event of forgotten) this.#table.forget(event);
    this.#sweep = forgotten.length === 0 ? undefined : setImmediate(() => this.#sweepStep());
  }
}

function toEvent(change: Change, revision: Revision, previous: Entry | undefined): StorageEvent {
  const { key } = change;
  if (change.type === 'put') return { type: 'put', key, value: change.value, revision, previous };
  if (previous === undefined) throw new TypeError('a delete of nothing was not refused');
  return { type: 'delete', key, revision, previous };
}
