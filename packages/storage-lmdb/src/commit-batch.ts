/** One transaction in the making: decides each commit and collects what is to be written. */

import type { Change, CommitResult, Entry, StorageEvent } from '@listwatch/storage';
import { refusal } from '@listwatch/storage/internal';
import { encodeExpiryRow } from './expiry.ts';
import type { Heads } from './heads.ts';
import { encodeLogRecord, encodeRevision } from './log-record.ts';
import type { RecentEntries } from './recent-entries.ts';
import type { Tables, TableWrite } from './tables.ts';
import { encodeVersionKey } from './version-key.ts';
import type { VersionReader } from './version-reader.ts';

/** What a log record costs beside its key and value, for the history's limit in bytes. */
const RECORD_BYTES = 64;

/** The store that a batch continues. */
export interface BatchBase {
  readonly tables: Tables;
  readonly reader: VersionReader;
  readonly heads: Heads;
  readonly recent: RecentEntries;
  readonly revision: number;
  /** Bytes of all changes before this batch. */
  readonly total: number;
  readonly now: number;
}

/**
 * Later commits of a batch see the earlier ones, nobody else does until the batch is durable. All is decided before
 * anything is written, so a read that fails leaves nothing behind.
 */
export class CommitBatch {
  readonly events: StorageEvent[] = [];
  /** What the transaction will do. */
  readonly writes: TableWrite[] = [];
  readonly #base: BatchBase;
  /** Keys that this batch has changed: their newest entry, undefined when deleted. */
  readonly #changed = new Map<string, Entry | undefined>();
  #revision: number;
  #total: number;
  #due: number | undefined;

  constructor(base: BatchBase) {
    this.#base = base;
    this.#revision = base.revision;
    this.#total = base.total;
  }

  /** Bytes of all changes up to the end of this batch. */
  get total(): number {
    return this.#total;
  }

  /** The soonest end of a TTL written by this batch. */
  get due(): number | undefined {
    return this.#due;
  }

  /** Decides one commit. Throws `CORRUPT` when the key cannot be read; the batch is then as it was before. */
  add(change: Change): CommitResult {
    const { key } = change;
    const current = this.#standing(key);
    const refused = refusal(change, current, (other) => this.#standing(other));
    if (refused !== undefined) {
      return { committed: false, ...refused, current: this.#entry(key, current), revision: BigInt(this.#revision) };
    }
    // Read before anything of the batch is changed: a key that cannot be read must fail alone.
    const previous = this.#entry(key, current);
    this.#revision += 1;
    const revision = BigInt(this.#revision);
    this.#write(change, current);
    if (change.type === 'put') {
      this.events.push({ type: 'put', key, value: change.value, revision, previous });
      this.#changed.set(key, { key, value: change.value, modRevision: revision });
    } else if (previous !== undefined) {
      this.events.push({ type: 'delete', key, revision, previous });
      this.#changed.set(key, undefined);
    }
    return { committed: true, revision };
  }

  /** Removes a row of the `expiry` table. */
  removeExpiry(row: Buffer): void {
    this.writes.push(() => this.#base.tables.expiry.remove(row));
  }

  /** Notes how far the store is compacted. */
  compact(revision: number): void {
    this.writes.push(() => this.#base.tables.facts.put('compacted', revision));
  }

  /** Makes what is kept in memory show this batch. */
  apply(): void {
    const { heads, recent } = this.#base;
    for (const [key, entry] of this.#changed) {
      heads.set(key, Number(entry?.modRevision ?? 0n));
      if (entry === undefined) recent.delete(key);
      else recent.set(entry);
    }
  }

  /** The revision of the key as this batch sees it, 0 when it does not exist. */
  #standing(key: string): number {
    if (!this.#changed.has(key)) return this.#base.heads.get(key);
    return Number(this.#changed.get(key)?.modRevision ?? 0n);
  }

  #entry(key: string, revision: number): Entry | undefined {
    if (revision === 0) return undefined;
    const changed = this.#changed.get(key);
    if (changed !== undefined) return changed;
    return this.#base.recent.get(key, revision) ?? this.#base.reader.entry(key, revision);
  }

  #write(change: Change, previous: number): void {
    const { tables, now } = this.#base;
    const { key } = change;
    const deleted = change.type === 'delete';
    const value = change.type === 'put' ? change.value : Buffer.alloc(0);
    this.#total += RECORD_BYTES + key.length + value.length;
    const version = encodeVersionKey(key, this.#revision, deleted);
    const record = encodeLogRecord({ key, deleted, time: now, previous, total: this.#total });
    const revision = encodeRevision(this.#revision);
    this.writes.push(() => {
      tables.versions.put(version, value);
      tables.log.put(revision, record);
    });
    if (change.type === 'put' && change.ttlSeconds !== undefined) {
      const due = now + change.ttlSeconds * 1000;
      const row = encodeExpiryRow(due, this.#revision);
      this.writes.push(() => tables.expiry.put(row, Buffer.from(key)));
      this.#due = Math.min(due, this.#due ?? due);
    }
  }
}
