/** A work queue of keys: each runs on one worker at a time, and changes that come together run once. */

import { type Clock, systemClock } from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';
import { DelayedKeys } from './delayed-keys.ts';
import { FailureBackoff, type FailureBackoffOptions } from './failure-backoff.ts';
import { KEY_TABLE, type KeyInput, type KeyStep, MISUSE } from './key-state.ts';
import { QueueCounters, type WorkQueueMetrics } from './queue-counters.ts';
import { QueuedKey } from './queued-key.ts';
import { ReadyKeys } from './ready-keys.ts';

/** Options of {@link workQueue}. */
export interface WorkQueueOptions {
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** The waits of `retry`. Default: 5 ms doubling up to 1000 s for each key, no rate. */
  readonly backoff?: FailureBackoffOptions | undefined;
}

/** Options of `add` and its siblings. */
export interface AddOptions {
  /**
   * Keys of a higher priority go first; of one priority the first to come. Every eighth key is the one that has waited
   * longest, so that no priority starves. Default: 0. See `LOW_PRIORITY`.
   */
  readonly priority?: number | undefined;
}

/** The priority for keys of the first list and of resyncs: live changes go before them. */
export const LOW_PRIORITY = -100;

/** A key that a worker has. Call `done` exactly once. */
export interface WorkItem<K> {
  readonly key: K;
  readonly priority: number;
  /** How often it has failed since it was last forgotten. */
  readonly failures: number;
  /**
   * Call it when the work begins later than the key was taken: it then covers all adds until now, which would otherwise lead to
   * one more run.
   */
  begin(): void;
  /** Gives the key back. If it was added meanwhile, it goes to the end of the line. */
  done(): void;
}

/** See {@link workQueue}. */
export interface WorkQueue<K> {
  /** Keys that are ready. Those in work and those that are delayed do not count. */
  readonly size: number;
  /** Adds a key. One that waits already keeps its place; one in work runs once more. Ignored after `close`. */
  add(key: K, options?: AddOptions): void;
  /**
   * Adds a key after a time. The earliest time wins: of two delays the shorter counts, `add` ends the delay, and a key that is
   * ready or will run again is not delayed.
   */
  addAfter(key: K, delayMs: number, options?: AddOptions): void;
  /** Counts a failure of the key and adds it after its backoff. */
  retry(key: K, options?: AddOptions): void;
  /** Resets the backoff of a key. Call it when the key has succeeded. */
  forget(key: K): void;
  /** The next key. Resolves with undefined when the queue is closed and empty; rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<WorkItem<K> | undefined>;
  /** The next key if one is ready. */
  takeNow(): WorkItem<K> | undefined;
  /** Refuses further keys and drops delayed ones. What is ready is still given out; `take` then gives undefined. */
  close(): void;
  /** Closes, and resolves when everything that was ready or in work is done. */
  drain(): Promise<void>;
  readonly metrics: WorkQueueMetrics;
}

/**
 * Makes a queue. Keys are compared as a `Map` compares them, so use strings.
 *
 * @example
 * const queue = workQueue<string>();
 * queue.add('default/web');
 * const item = await queue.take();
 * try {
 *   await reconcile(item.key);
 *   queue.forget(item.key);
 * } catch {
 *   queue.retry(item.key);
 * } finally {
 *   item.done();
 * }
 */
export function workQueue<K = string>(options: WorkQueueOptions = {}): WorkQueue<K> {
  return new KeyedWorkQueue<K>(options);
}

/** So many texts of keys that are done stay in memory: some megabytes. */
const IDLE_KEPT = 16_384;

interface Waiter<K> {
  readonly resolve: (item: WorkItem<K> | undefined) => void;
  readonly off: () => void;
}

/** A key that a worker has. */
class TakenKey<K> implements WorkItem<K> {
  readonly key: K;
  readonly priority: number;
  readonly failures: number;
  readonly #queued: QueuedKey<K>;
  readonly #queue: WorkItemOwner<K>;
  #isDone = false;

  constructor(queue: WorkItemOwner<K>, queued: QueuedKey<K>, failures: number) {
    this.key = queued.key;
    this.priority = queued.priority;
    this.failures = failures;
    this.#queued = queued;
    this.#queue = queue;
  }

  begin(): void {
    if (this.#isDone) throw new TypeError(`begin() was called after done() for ${String(this.key)}`);
    this.#queue.begin(this.#queued);
  }

  done(): void {
    if (this.#isDone) throw new TypeError(`done() was called twice for ${String(this.key)}`);
    this.#isDone = true;
    this.#queue.done(this.#queued);
  }
}

/** What an item tells its queue. */
interface WorkItemOwner<K> {
  begin(queued: QueuedKey<K>): void;
  done(queued: QueuedKey<K>): void;
}

class KeyedWorkQueue<K> implements WorkQueue<K> {
  readonly metrics: QueueCounters<K>;
  /** Every key that is ready or in work, and some that were. */
  readonly #keys = new Map<K, QueuedKey<K>>();
  /** Keys that are neither ready nor in work, and are still in the map. */
  #idle = 0;
  readonly #ready = new ReadyKeys<K>();
  readonly #delayed: DelayedKeys<K>;
  readonly #backoff: FailureBackoff<K>;
  readonly #waiters = new Set<Waiter<K>>();
  readonly #owner: WorkItemOwner<K> = {
    begin: (queued) => this.#begin(queued),
    done: (queued) => this.#done(queued),
  };
  #drained: (() => void)[] = [];
  #phase: 'closed' | 'open' = 'open';

  constructor({ clock = systemClock, backoff }: WorkQueueOptions) {
    this.#backoff = new FailureBackoff(clock, backoff);
    this.#delayed = new DelayedKeys(clock, (key, priority) => this.#add(key, priority));
    this.metrics = new QueueCounters(clock, {
      ready: () => this.#ready.size,
      delayed: () => this.#delayed.size,
      inWork: () => Array.from(this.#keys.values()).filter(({ isInWork }) => isInWork),
    });
  }

  get size(): number {
    return this.#ready.size;
  }

  add(key: K, options?: AddOptions): void {
    if (this.#phase === 'closed') return;
    const priority = options?.priority ?? 0;
    // The earliest time wins, and now is earlier than any delay.
    if (this.#delayed.size === 0) this.#add(key, priority);
    else this.#add(key, Math.max(priority, this.#delayed.delete(key) ?? -Infinity));
  }

  addAfter(key: K, delayMs: number, options?: AddOptions): void {
    if (Number.isNaN(delayMs)) throw new RangeError(`delayMs is not a time: ${delayMs}`);
    if (this.#phase === 'closed') return;
    const state = this.#keys.get(key)?.state;
    if (delayMs <= 0 || state === 'dirty' || state === 'both') this.add(key, options);
    else this.#delayed.add(key, delayMs, options?.priority ?? 0);
  }

  retry(key: K, options?: AddOptions): void {
    if (this.#phase === 'closed') return;
    this.metrics.retried();
    this.addAfter(key, this.#backoff.fail(key), options);
  }

  forget(key: K): void {
    this.#backoff.forget(key);
  }

  takeNow(): WorkItem<K> | undefined {
    const queued = this.#ready.take();
    if (queued === undefined) return undefined;
    step(queued, 'take');
    this.metrics.taken(queued);
    return new TakenKey(this.#owner, queued, this.#backoff.failures(queued.key));
  }

  async take(signal?: AbortSignal): Promise<WorkItem<K> | undefined> {
    signal?.throwIfAborted();
    const item = this.takeNow();
    if (item !== undefined || this.#phase === 'closed') return item;
    return new Promise((resolve, reject) => {
      const waiter: Waiter<K> = {
        resolve,
        off: onAbort(signal, () => {
          this.#waiters.delete(waiter);
          reject(signal?.reason);
        }),
      };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    this.#phase = 'closed';
    this.#delayed.clear();
    for (const waiter of this.#waiters) this.#wake(waiter, undefined);
  }

  drain(): Promise<void> {
    this.close();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#checkDrained();
    });
  }

  #add(key: K, priority: number): void {
    const queued = this.#keys.get(key) ?? this.#remember(key);
    const { state, enqueue } = step(queued, 'add');
    if (enqueue) {
      this.#idle--;
      this.#enqueue(queued, priority);
    } else if (state === 'both') queued.nextPriority = Math.max(priority, queued.nextPriority);
    // A key that waits already may be raised to a higher priority.
    else this.#ready.raise(queued, priority);
  }

  #enqueue(queued: QueuedKey<K>, priority: number): void {
    this.#ready.add(queued, priority);
    this.metrics.added(queued);
    if (this.#waiters.size === 0) return;
    const [waiter] = this.#waiters;
    if (waiter !== undefined) this.#wake(waiter, this.takeNow());
  }

  #begin(queued: QueuedKey<K>): void {
    step(queued, 'begin');
    queued.nextPriority = -Infinity;
  }

  #done(queued: QueuedKey<K>): void {
    const { enqueue } = step(queued, 'done');
    this.metrics.finished(queued);
    if (enqueue) {
      const { nextPriority } = queued;
      queued.nextPriority = -Infinity;
      this.#enqueue(queued, nextPriority);
    } else this.#retire(queued);
    if (this.#drained.length > 0) this.#checkDrained();
  }

  #remember(key: K): QueuedKey<K> {
    const queued = new QueuedKey(key);
    this.#keys.set(key, queued);
    this.#idle++;
    return queued;
  }

  /**
   * Most keys come again, and to delete a key and set it again costs more than all the rest. Objects as keys are deleted at once:
   * nobody knows what they keep alive.
   */
  #retire({ key }: QueuedKey<K>): void {
    this.#idle++;
    if (this.#idle <= IDLE_KEPT && typeof key === 'string') return;
    if (this.#idle > IDLE_KEPT && this.#idle === this.#keys.size) {
      this.#keys.clear();
      this.#idle = 0;
    } else {
      this.#keys.delete(key);
      this.#idle--;
    }
  }

  #wake(waiter: Waiter<K>, item: WorkItem<K> | undefined): void {
    this.#waiters.delete(waiter);
    waiter.off();
    waiter.resolve(item);
  }

  #checkDrained(): void {
    if (this.#keys.size > this.#idle) return;
    for (const resolve of this.#drained) resolve();
    this.#drained = [];
  }
}

function step<K>(queued: QueuedKey<K>, input: KeyInput): KeyStep {
  const next = KEY_TABLE[queued.state][input];
  if (next === MISUSE)
    throw new TypeError(`work queue: ${input} of a key that is ${queued.state}: ${String(queued.key)}`);
  queued.state = next.state;
  return next;
}
