/** A view of a store that a test steers: what happens right before a commit, which reads fail, and how late the feed is. */

import { once } from 'node:events';
import {
  type AbortOptions,
  type Change,
  type CommitResult,
  type GetResult,
  type ReadOptions,
  type StorageCapabilities,
  type StorageEngine,
  StorageError,
  type StorageWatch,
  type WatchBatch,
  type WatchOptions,
} from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';

/** One server's view of a store that several servers share. */
export class SteeredEngine extends ForwardingEngine {
  override readonly capabilities: StorageCapabilities;
  readonly #before = new Map<string, () => Promise<void>>();
  readonly #always = new Map<string, (key: string) => Promise<void>>();
  readonly #failing = new Set<string>();
  #held: Promise<void> | undefined;

  constructor(engine: StorageEngine) {
    super(engine);
    this.capabilities = { ...engine.capabilities, shared: true };
  }

  /** Runs once, before the next commit of the key reaches the store. */
  beforeCommit(key: string, run: () => Promise<void>): void {
    this.#before.set(key, run);
  }

  /** Runs before every commit of a key that begins so. */
  beforeCommits(prefix: string, run: (key: string) => Promise<void>): void {
    this.#always.set(prefix, run);
  }

  /** Reads of the key fail from now on. */
  failReads(key: string): void {
    this.#failing.add(key);
  }

  /** Changes do not arrive any more until the returned function is called. */
  holdFeed(): () => void {
    const gate = new AbortController();
    this.#held = once(gate.signal, 'abort').then(() => undefined);
    return () => {
      this.#held = undefined;
      gate.abort();
    };
  }

  override async commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    const before = this.#before.get(change.key);
    this.#before.delete(change.key);
    await before?.();
    for (const [prefix, run] of this.#always) if (change.key.startsWith(prefix)) await run(change.key);
    return super.commit(change, options);
  }

  override async get(key: string, options?: ReadOptions): Promise<GetResult> {
    if (this.#failing.has(key)) throw new StorageError('UNAVAILABLE', 'the test says so', { key });
    return super.get(key, options);
  }

  override watch(prefix: string, options: WatchOptions): StorageWatch {
    const watch = super.watch(prefix, options);
    const held = (): Promise<void> | undefined => this.#held;
    return {
      requestProgress: () => watch.requestProgress(),
      async *[Symbol.asyncIterator](): AsyncGenerator<WatchBatch, undefined> {
        for await (const batch of watch) {
          await held();
          yield batch;
        }
      },
    };
  }
}
