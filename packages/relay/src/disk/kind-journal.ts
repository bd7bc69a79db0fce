/** Keeps one kind in a file, so that a relay that was restarted goes on without a list. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { CacheGeneration, ResourceCache } from '@listwatch/server/read';
import type { KeptChange, KeptKind, KindKeeper } from '../feed/kept-kind.ts';
import { generationRecords } from './generation-records.ts';
import { JournalFile } from './journal-file.ts';
import { batchRecord, type JournalFacts } from './journal-record.ts';
import { type Journal, readJournal } from './read-journal.ts';

/** What a journal needs. */
export interface KindJournalParts {
  /** `pods`. */
  readonly name: string;
  readonly path: string;
  readonly key: Uint8Array | undefined;
  readonly cache: Pick<ResourceCache, 'state'>;
  readonly clock: Clock;
  readonly servesUnasked: boolean;
  /** What it is of now; rejects while that is not known. */
  readonly facts: () => Promise<JournalFacts>;
  /** Throws when a journal is of something else. */
  readonly check: (facts: JournalFacts) => Promise<void>;
  /** Told of what costs a list, or ends the journal. */
  readonly onWarning: (message: string) => void;
  /** Changes behind a base, in bytes, before another one is written at the earliest. Default: 8 MiB. */
  readonly minChangesBytes?: number | undefined;
  /** Default: the real file. */
  readonly file?: Pick<JournalFile, 'append' | 'bytes' | 'close' | 'remove' | 'replace'> | undefined;
}

/** Numbers since the start. */
export interface JournalCounts {
  /** Bases that were written. */
  bases: number;
  batches: number;
  /** How often it could not be written, and was given up for a while. */
  failures: number;
}

/** The changes of so many bytes are kept behind a base, or as many as it has itself: then another base is written. */
const MIN_CHANGES_BYTES = 8 * 1024 * 1024;
/** A disk that is slower than the changes is too slow. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const AGAIN_MS = 300_000;

/** Where a journal stands. */
export type JournalState = 'given up' | 'kept' | 'none' | 'writing';

/** Writes one thing after the other; what comes meanwhile waits, within a bound. */
export class KindJournal implements KindKeeper {
  readonly counts: JournalCounts = { bases: 0, batches: 0, failures: 0 };
  readonly #parts: KindJournalParts;
  readonly #file: NonNullable<KindJournalParts['file']>;
  #generation: CacheGeneration | undefined;
  /** Changes that are not visible yet. */
  #changes: KeptChange[] = [];
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #baseBytes = 0;
  #next: 'append' | 'base' | 'remove' = 'append';
  #working: Promise<void> | undefined;
  #againAt: number | undefined;
  #error: string | undefined;
  /** When something came last, in milliseconds since 1970. */
  #heard: number;
  #isRestored = false;

  constructor(parts: KindJournalParts) {
    this.#parts = parts;
    this.#file = parts.file ?? new JournalFile(parts.path, parts.key);
    this.#heard = parts.clock.now();
  }

  get servesUnasked(): boolean {
    return this.#parts.servesUnasked;
  }

  get state(): { readonly state: JournalState; readonly bytes: number; readonly error: string | undefined } {
    const { bytes } = this.#file;
    if (this.#againAt !== undefined) return { state: 'given up', bytes, error: this.#error };
    const state = this.#next === 'base' ? 'writing' : bytes > 0 ? 'kept' : 'none';
    return { state, bytes, error: this.#error };
  }

  async load(): Promise<KeptKind | undefined> {
    const { path, key, clock, check } = this.#parts;
    let journal: Journal | undefined;
    try {
      journal = await readJournal(path, key);
      if (journal === undefined) return undefined;
      await check(journal.header);
    } catch (error) {
      this.refuse(error);
      return undefined;
    }
    const { header, objects, batches, unused } = journal;
    if (unused > 0)
      this.#warn(`the last ${unused} bytes of its journal cannot be read: what they had is fetched again`);
    this.#heard = batches.at(-1)?.heard ?? header.heard;
    this.#isRestored = true;
    const ageMs = Math.max(0, clock.now() - this.#heard);
    return { revision: header.revision, objects, batches, ageMs };
  }

  refuse(error: unknown): void {
    this.#isRestored = false;
    this.#warn(`its journal is not used, and the kind is listed: ${messageOf(error)}`);
  }

  /** What is written first is a whole base: the file before it may be another's, or end with a part of a record. */
  follow(generation: CacheGeneration): void {
    // What was restored is as old as it was.
    if (!this.#isRestored) this.#heard = this.#parts.clock.now();
    this.#isRestored = false;
    this.#generation = generation;
    this.#changes = [];
    generation.listen({
      changed: ({ key, revision, object }) => {
        this.#changes.push({ key, revision, value: object?.bytes });
      },
      settled: (revision) => {
        this.#heard = this.#parts.clock.now();
        this.#add(batchRecord({ revision, heard: this.#heard, changes: this.#changes }));
        this.#changes = [];
      },
      ended: () => {
        // Not after a load, which has another one, nor at the end. What was lost was wrong.
        if (this.#parts.cache.state.type === 'pending') this.#begin('remove');
      },
    });
    this.#againAt = undefined;
    this.#begin('base');
  }

  /** Resolves when all that came before is written, or cannot be. */
  async close(): Promise<void> {
    await this.#working;
    this.#generation = undefined;
    await this.#file.close().catch(() => {});
  }

  #add(record: Buffer): void {
    const { clock } = this.#parts;
    if (this.#againAt !== undefined) {
      if (monotonicMs(clock) < this.#againAt) return;
      this.#againAt = undefined;
      this.#next = 'base';
    }
    // A base that is yet to be written will have it.
    if (this.#next === 'base') return this.#work();
    this.#waiting.push(record);
    this.#waitingBytes += record.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#giveUp(new Error('the disk is slower than the changes'));
    else this.#work();
  }

  #begin(next: 'base' | 'remove'): void {
    this.#next = next;
    this.#forget();
    this.#work();
  }

  #forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #work(): void {
    this.#working ??= this.#run().finally(() => {
      this.#working = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#next !== 'append' || this.#waiting.length > 0) {
      try {
        await this.#step();
      } catch (error) {
        this.#giveUp(error);
      }
    }
  }

  async #step(): Promise<void> {
    const next = this.#next;
    this.#next = 'append';
    if (next === 'remove') return this.#file.remove();
    if (next === 'base') return this.#writeBase();
    const records = this.#waiting;
    this.#forget();
    await this.#file.append(records);
    this.counts.batches += records.length;
    const { minChangesBytes = MIN_CHANGES_BYTES } = this.#parts;
    if (this.#file.bytes - this.#baseBytes > Math.max(minChangesBytes, this.#baseBytes)) this.#next = 'base';
  }

  async #writeBase(): Promise<void> {
    const generation = this.#generation;
    const facts = await this.#parts.facts();
    if (generation === undefined || generation.isEnded || generation !== this.#generation) return;
    this.#forget();
    await this.#file.replace(generationRecords(generation, facts, this.#heard));
    this.#baseBytes = this.#file.bytes;
    this.#error = undefined;
    this.counts.bases += 1;
  }

  /** The service goes on without it. What the file has is still right, as far as it can be read. */
  #giveUp(error: unknown): void {
    this.#forget();
    if (this.#next === 'base') this.#next = 'append';
    this.#againAt = monotonicMs(this.#parts.clock) + AGAIN_MS;
    this.#error = messageOf(error);
    this.counts.failures += 1;
    this.#warn(`its journal is given up for ${AGAIN_MS / 60_000} minutes: ${this.#error}`);
  }

  #warn(message: string): void {
    this.#parts.onWarning(`${this.#parts.name}: ${message}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
