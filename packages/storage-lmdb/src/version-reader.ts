/** Reads of the store as any kept revision left it. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Entry, type RangeResult, StorageError } from '@listwatch/storage';
import type { ReadPins } from './read-pins.ts';
import type { Tables } from './tables.ts';
import { ValueArena } from './value-arena.ts';
import { encodeVersionKey, prefixEnd, seekKey, seekVersion, type VersionKey } from './version-key.ts';

/** Versions looked at before other work of the process gets its turn: about two milliseconds. */
const TURN = 1000;
/** After this many versions of one key that are not wanted, seeking is cheaper than walking on. */
const SKIP_AFTER = 8;

/** How a value gets out of LMDB's memory. */
export type CopyValue = (bytes: Buffer, length: number) => Buffer;

/** A range to read. */
export interface Span {
  readonly prefix: string;
  readonly start: string;
  /** 0 = no limit. */
  readonly limit: number;
  readonly at: number;
  /** Default: the event loop has a turn. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** The progress of one range. */
interface Walk {
  readonly span: Span;
  readonly end: Buffer | undefined;
  readonly entries: Entry[];
  count: number;
}

/** Point reads take a few microseconds and happen at once; ranges let others take their turn. */
export class VersionReader {
  readonly #tables: Tables;
  readonly #pins: ReadPins;
  readonly #copy: CopyValue;

  constructor(tables: Tables, pins: ReadPins) {
    this.#tables = tables;
    this.#pins = pins;
    const arena = new ValueArena();
    this.#copy = (bytes, length) => arena.copy(bytes, length);
  }

  /**
   * The entry that `revision` made of `key`; `CORRUPT` when the store does not have it. By default its value gets
   * memory of its own, because it may be kept for long; those who read many at once bring an arena.
   */
  entry(key: string, revision: number, copy: CopyValue = copyOut): Entry {
    const { versions } = this.#tables;
    if (!versions.find(encodeVersionKey(key, revision, false))) {
      throw new StorageError('CORRUPT', `the value of ${key} at revision ${revision} is missing`, { key });
    }
    return { key, value: versions.value(copy), modRevision: BigInt(revision) };
  }

  /** The key as revision `at` left it. */
  entryAt(key: string, at: number): Entry | undefined {
    for (const version of this.#tables.versions.walk(seekVersion(key, at))) {
      if (version.key !== key || version.deleted) return undefined;
      return { key, value: this.#tables.versions.value(copyOut), modRevision: BigInt(version.revision) };
    }
    return undefined;
  }

  /** The span as its revision left it, however long it takes: compaction waits for it. */
  async range(span: Span, signal: AbortSignal | undefined): Promise<RangeResult> {
    const walk: Walk = { span, end: prefixEnd(span.prefix), entries: [], count: 0 };
    const release = this.#pins.pin(span.at);
    try {
      const first = seekKey(span.start);
      const prefix = Buffer.from(span.prefix);
      // An empty key does not exist in LMDB, and byte 1 is the smallest that a key can begin with.
      let from: Buffer | undefined = Buffer.compare(first, prefix) > 0 ? first : prefix;
      if (from.length === 0) from = Buffer.from([1]);
      while (from !== undefined) {
        from = this.#turn(walk, from);
        if (from !== undefined) await (span.pause?.() ?? nextTurn());
        signal?.throwIfAborted();
      }
    } finally {
      release();
    }
    const { entries, count } = walk;
    return { entries, count, more: count > entries.length, revision: BigInt(span.at) };
  }

  /** One turn of a range; the answer is where the next one begins, undefined when it is done. */
  #turn(walk: Walk, start: Buffer): Buffer | undefined {
    let from: Buffer | undefined = start;
    let budget = TURN;
    while (from !== undefined && budget > 0) {
      const full = walk.span.limit > 0 && walk.entries.length >= walk.span.limit;
      const source: Iterable<VersionKey> = full
        ? this.#tables.versions.keys(from, walk.end)
        : this.#tables.versions.walk(from, walk.end);
      ({ from, budget } = this.#read(walk, source, full, budget));
    }
    return from;
  }

  /** Reads on until the budget, the span or a run of useless versions ends; says where to seek then. */
  #read(
    walk: Walk,
    source: Iterable<VersionKey>,
    full: boolean,
    budget: number,
  ): { from: Buffer | undefined; budget: number } {
    const { at, limit } = walk.span;
    let left = budget;
    let done: string | undefined;
    let skipped = 0;
    for (const version of source) {
      left -= 1;
      const useless = version.key === done || version.revision > at;
      if (useless) {
        skipped += 1;
        if (skipped < SKIP_AFTER) continue;
        return {
          from: version.key === done ? seekVersion(version.key, 0) : seekVersion(version.key, at),
          budget: left,
        };
      }
      skipped = 0;
      done = version.key;
      if (!version.deleted) this.#keep(walk, version, full);
      const filled = !full && limit > 0 && walk.entries.length >= limit;
      if (left <= 0 || filled) return { from: seekVersion(version.key, 0), budget: left };
    }
    return { from: undefined, budget: left };
  }

  #keep(walk: Walk, version: VersionKey, full: boolean): void {
    walk.count += 1;
    if (full) return;
    const value = this.#tables.versions.value(this.#copy);
    walk.entries.push({ key: version.key, value, modRevision: BigInt(version.revision) });
  }
}

function copyOut(bytes: Buffer, length: number): Buffer {
  const own = Buffer.allocUnsafeSlow(length);
  own.set(new Uint8Array(bytes.buffer, bytes.byteOffset, length));
  return own;
}
