/** A writer that keeps the truth: every change it committed, as a watch must report it. */

import type { Change, CommitResult, Entry, Revision, StorageEngine, StorageEvent } from '@listwatch/storage';

/** Commits to an engine and remembers. Changes of one key must not overlap in time; those of different keys may. */
export class CommittedHistory {
  readonly #engine: StorageEngine;
  readonly #current = new Map<string, Entry>();
  readonly #events: StorageEvent[] = [];

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  /** All committed changes, oldest first. */
  get events(): readonly StorageEvent[] {
    return this.#events.toSorted((a, b) => (a.revision < b.revision ? -1 : 1));
  }

  current(key: string): Entry | undefined {
    return this.#current.get(key);
  }

  /** The state that `revision` left: what a range of everything must return, in key order for ASCII keys. */
  stateAt(revision: Revision, prefix = ''): readonly Entry[] {
    const state = new Map<string, Entry>();
    for (const event of this.events) {
      if (event.revision > revision) break;
      if (event.type === 'delete') state.delete(event.key);
      else state.set(event.key, { key: event.key, value: event.value, modRevision: event.revision });
    }
    return [...state.values()]
      .filter((entry) => entry.key.startsWith(prefix))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  async commit(change: Change): Promise<CommitResult> {
    const result = await this.#engine.commit(change);
    if (result.committed) this.#remember(change, result.revision);
    return result;
  }

  #remember(change: Change, revision: Revision): void {
    const { key } = change;
    const previous = this.#current.get(key);
    if (change.type === 'put') {
      this.#events.push({ type: 'put', key, value: change.value, revision, previous });
      this.#current.set(key, { key, value: change.value, modRevision: revision });
    } else if (previous === undefined) {
      throw new Error(`the engine committed a delete of ${key}, which does not exist`);
    } else {
      this.#events.push({ type: 'delete', key, revision, previous });
      this.#current.delete(key);
    }
  }
}
