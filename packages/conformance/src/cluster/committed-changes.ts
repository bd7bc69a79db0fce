/** Every committed change of the objects of a run, read from the store itself: the truth. */

import type { StorageEngine, StorageWatch } from '@listwatch/storage';
import { type StoredChange, storedChange } from '../server/stored-change.ts';

/** Where `listwatch serve` keeps ConfigMaps on a cluster of etcd. */
const PREFIX = '/listwatch/registry/configmaps/';

export class CommittedChanges implements AsyncDisposable {
  readonly changes: StoredChange[] = [];
  /** The last change of each object. */
  readonly last = new Map<string, StoredChange>();
  readonly #end = new AbortController();
  readonly #recording: Promise<void>;
  readonly #watch: StorageWatch;
  #revision: bigint;
  #failure: unknown;

  /**
   * From the first change of the store on: controllers write ConfigMaps, too. Of all keys, so that each revision is an event: an
   * etcd before 3.4.25 may overtake events with its answer when it is asked how far it is.
   */
  constructor(engine: StorageEngine) {
    this.#revision = 1n;
    this.#watch = engine.watch('', { after: this.#revision, signal: this.#end.signal });
    this.#recording = this.#record();
  }

  /** Everything up to this revision is recorded. Throws when the store can no longer be followed. */
  get revision(): bigint {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#revision;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#recording;
  }

  async #record(): Promise<void> {
    try {
      for await (const batch of this.#watch) {
        for (const event of batch.events) {
          if (!event.key.startsWith(PREFIX)) continue;
          const change = storedChange(event, PREFIX);
          this.changes.push(change);
          this.last.set(change.key, change);
        }
        this.#revision = batch.revision;
      }
    } catch (error) {
      if (!this.#end.signal.aborted) this.#failure = error;
    }
  }
}
