/** Decodes a list item by item as its bytes arrive; the list is never in memory as a whole. */

import { type ListMeta } from '@listwatch/api';
import type { ObjectDecoder } from '../cluster.ts';
import { skipBlanks } from '../json/json-byte.ts';
import { requireListMeta } from '../json/object-metadata.ts';
import { parseJsonBytes } from '../json/parse-json.ts';
import { TornTail } from '../json/torn-tail.ts';
import { ValueReader } from '../json/value-reader.ts';
import { ValueScanner } from '../json/value-scanner.ts';
import { TransportError } from '../transport/transport-error.ts';
import { type Guess, ItemRun } from './item-run.ts';
import { follow, isWithin, type ListPlace } from './list-place.ts';

/** Kinds that servers also answer a list request with. */
const NO_LISTS: ReadonlySet<unknown> = new Set(['Status', 'Table']);

const NO_BYTES = new Uint8Array(0);

const NONE: readonly never[] = [];

const GUESSES: readonly Guess[] = ['end', 'separator'];

/**
 * One list. Call `push` with bytes, then `take` until it gives no items, and so on; then `end`. The members of the list may come
 * in any order; unknown ones are skipped.
 */
export class ListDecoder<T> {
  readonly #decoder: ObjectDecoder<T>;
  readonly #reader: ValueReader;
  readonly #skipper = new ValueScanner();
  readonly #run = new ItemRun();
  readonly #tail = new TornTail();
  /** The guesses left for this chunk: a wrong one must not be made again. */
  #guesses = GUESSES;
  #chunk: Uint8Array = NO_BYTES;
  #at = 0;
  #place: ListPlace = 'start';
  /** The key of the member being read. */
  #key = '';
  #kind: string | undefined;
  #apiVersion: string | undefined;
  #metadata: ListMeta = {};
  #hasItems = false;
  #isDropping = false;

  /** An item larger than `maxItemBytes` fails with `PROTOCOL`. */
  constructor(decoder: ObjectDecoder<T>, maxItemBytes: number) {
    this.#decoder = decoder;
    this.#reader = new ValueReader(maxItemBytes);
  }

  /** The metadata as far as it has arrived. */
  get metadata(): ListMeta {
    return this.#metadata;
  }

  get kind(): string | undefined {
    return this.#kind;
  }

  get apiVersion(): string | undefined {
    return this.#apiVersion;
  }

  /** Only after `take` has given no items: unread bytes would be lost. */
  push(chunk: Uint8Array): void {
    this.#chunk = this.#tail.join(chunk);
    this.#at = 0;
    this.#guesses = GUESSES;
  }

  /** Skips items from now on. */
  dropItems(): void {
    this.#isDropping = true;
  }

  /** The next items; none when it takes more bytes. Throws `PROTOCOL` when this is not a list. */
  take(): readonly T[] {
    while (this.#at < this.#chunk.length) {
      if (!isWithin(this.#place)) {
        if (this.#follow(this.#place) !== 'inItem') continue;
        const run = this.#takeRun();
        if (run !== undefined) return run;
        continue;
      }
      const reader = this.#place === 'inSkipped' ? undefined : this.#reader;
      const end = reader?.read(this.#chunk, this.#at) ?? this.#skipper.scan(this.#chunk, this.#at);
      this.#at = end < 0 ? this.#chunk.length : end;
      if (end < 0) break;
      if (this.#place === 'inItem') {
        this.#place = 'afterItem';
        if (!this.#isDropping) return [this.#item(this.#reader.value)];
      } else if (this.#place === 'inKey') {
        this.#place = 'colon';
        this.#startMember(this.#reader.value);
      } else {
        if (this.#place === 'inKept') this.#keepMember(this.#reader.value);
        this.#place = 'afterMember';
      }
    }
    return NONE;
  }

  /** There are no more bytes. Throws `CLOSED` when the list was cut, `PROTOCOL` when it is not a list. */
  end(): void {
    if (this.#place !== 'end') throw new TransportError('CLOSED', 'the list was cut before its end');
    if (!this.#hasItems)
      throw new TransportError('PROTOCOL', `${this.#kind ?? 'the answer'} is not a list: it has no items`);
  }

  #follow(place: Parameters<typeof follow>[0]): ListPlace {
    this.#at = skipBlanks(this.#chunk, this.#at);
    const byte = this.#chunk[this.#at];
    if (byte === undefined) return place;
    const next = follow(place, byte, this.#key);
    if (next === undefined) {
      const shown = JSON.stringify(String.fromCharCode(byte));
      throw new TransportError('PROTOCOL', `not a list: unexpected ${shown} (${place})`);
    }
    if (next === 'firstItem') this.#hasItems = true;
    this.#place = next;
    if (!isWithin(next)) this.#at += 1;
    return next;
  }

  /**
   * Decodes all complete items of the chunk together, if a guess at where they end is right. Gives none when the chunk has only the
   * beginning of an item, which is kept; `undefined` when items must be read one by one.
   */
  #takeRun(): readonly T[] | undefined {
    const { run } = this.#decoder;
    if (run === undefined || this.#isDropping || this.#guesses.length === 0) return undefined;
    this.#run.learn(this.#chunk, this.#at);
    for (const way of this.#guesses) {
      const end = this.#run.guess(way, this.#chunk, this.#at);
      if (end < 0) continue;
      try {
        const items = run(this.#chunk.subarray(this.#at, end));
        this.#at = end;
        this.#place = 'afterItem';
        return items;
      } catch {
        // A wrong guess or a broken item: reading one by one shows which.
        this.#run.wrong(way);
        this.#guesses = this.#guesses.filter((other) => other !== way);
      }
    }
    if (this.#guesses.length === 0 || !this.#tail.keep(this.#chunk, this.#at)) return undefined;
    this.#at = this.#chunk.length;
    this.#place = 'item';
    return NONE;
  }

  #item(json: Uint8Array): T {
    try {
      return this.#decoder.one(json);
    } catch (cause) {
      throw new TransportError('PROTOCOL', `cannot decode an item of the list: ${String(cause)}`, { cause });
    }
  }

  #startMember(json: Uint8Array): void {
    this.#key = String(parsed(json));
    if (this.#key === 'items' && this.#hasItems) {
      throw new TransportError('PROTOCOL', 'not a list: it has items twice');
    }
  }

  #keepMember(json: Uint8Array): void {
    const value = parsed(json);
    switch (this.#key) {
      case 'items':
        // Go encodes an empty list so.
        if (value !== null) throw new TransportError('PROTOCOL', 'not a list: its items are not an array');
        this.#hasItems = true;
        break;
      case 'metadata':
        // Go reads null as absent.
        if (value !== null) this.#metadata = listMeta(value);
        break;
      case 'kind':
        if (NO_LISTS.has(value)) throw new TransportError('PROTOCOL', `${String(value)} is not a list`);
        this.#kind = text('kind', value);
        break;
      default:
        this.#apiVersion = text('apiVersion', value);
    }
  }
}

/** Unchecked, a version that is a number would end every watcher that lists. */
function listMeta(value: unknown): ListMeta {
  try {
    requireListMeta(value);
    return value;
  } catch (cause) {
    throw new TransportError('PROTOCOL', `cannot decode the list: ${String(cause)}`, { cause });
  }
}

function text(name: string, value: unknown): string | undefined {
  if (value === null || typeof value === 'string') return value ?? undefined;
  throw new TransportError('PROTOCOL', `not a list: its ${name} is not a string`);
}

function parsed(json: Uint8Array): unknown {
  try {
    return parseJsonBytes(json);
  } catch (cause) {
    throw new TransportError('PROTOCOL', `cannot decode a member of the list: ${String(cause)}`, { cause });
  }
}
