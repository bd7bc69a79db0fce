/** Decodes a list item by item, from bytes that come in pieces; the list never exists as a whole. */

import { type ListMeta } from '@listwatch/api';
import { isJsonObject } from '@listwatch/api/internal';
import type { ObjectDecoder } from '../cluster.ts';
import { skipBlanks } from '../json/json-byte.ts';
import { parseJson } from '../json/parse-json.ts';
import { TornTail } from '../json/torn-tail.ts';
import { ValueReader } from '../json/value-reader.ts';
import { ValueScanner } from '../json/value-scanner.ts';
import { TransportError } from '../transport/transport-error.ts';
import { type Guess, ItemRun } from './item-run.ts';
import { follow, isWithin, type ListPlace } from './list-place.ts';

/** An item that is larger is a mistake: etcd takes 1.5 MiB, and no aggregated server is known to go far beyond. */
const MAX_ITEM_BYTES = 64 * 1024 * 1024;

/** What a server also answers with when it is asked for a list. */
const NO_LISTS: ReadonlySet<unknown> = new Set(['Status', 'Table']);

const NO_BYTES = new Uint8Array(0);

const NONE: readonly never[] = [];

const GUESSES: readonly Guess[] = ['end', 'separator'];

/**
 * One list. Give it bytes with `push`, take items with `take` until there are none, and so on; then `end`. The members of
 * the list may come in any order; those that nobody knows are skipped unread.
 */
export class ListDecoder<T> {
  readonly #decoder: ObjectDecoder<T>;
  readonly #reader = new ValueReader(MAX_ITEM_BYTES);
  readonly #skipper = new ValueScanner();
  readonly #run = new ItemRun();
  readonly #tail = new TornTail();
  /** How it may still be guessed where items end in these bytes: a wrong guess would be made again. */
  #guesses = GUESSES;
  #chunk: Uint8Array = NO_BYTES;
  #at = 0;
  #place: ListPlace = 'start';
  /** The member that is being read. */
  #key = '';
  #kind: string | undefined;
  #apiVersion: string | undefined;
  #metadata: ListMeta = {};
  #hasItems = false;
  #isDropping = false;

  constructor(decoder: ObjectDecoder<T>) {
    this.#decoder = decoder;
  }

  /** What the list has said about itself so far. */
  get metadata(): ListMeta {
    return this.#metadata;
  }

  get kind(): string | undefined {
    return this.#kind;
  }

  get apiVersion(): string | undefined {
    return this.#apiVersion;
  }

  /** Only when `take` has given nothing: what is left of the bytes before would be lost. */
  push(chunk: Uint8Array): void {
    this.#chunk = this.#tail.join(chunk);
    this.#at = 0;
    this.#guesses = GUESSES;
  }

  /** From now on items are read over, and not decoded. */
  dropItems(): void {
    this.#isDropping = true;
  }

  /** The next item, or a run of them; none when it takes more bytes. Throws `PROTOCOL` when this is no list. */
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

  /** There are no more bytes. Throws `CLOSED` when the list was cut, `PROTOCOL` when it was none. */
  end(): void {
    if (this.#place !== 'end') throw new TransportError('CLOSED', 'the list was cut before its end');
    if (!this.#hasItems)
      throw new TransportError('PROTOCOL', `${this.#kind ?? 'the answer'} is no list: it has no items`);
  }

  #follow(place: Parameters<typeof follow>[0]): ListPlace {
    this.#at = skipBlanks(this.#chunk, this.#at);
    const byte = this.#chunk[this.#at];
    if (byte === undefined) return place;
    const next = follow(place, byte, this.#key);
    if (next === undefined) {
      const shown = JSON.stringify(String.fromCharCode(byte));
      throw new TransportError('PROTOCOL', `this is no list: ${shown} cannot stand here (${place})`);
    }
    if (next === 'firstItem') this.#hasItems = true;
    this.#place = next;
    if (!isWithin(next)) this.#at += 1;
    return next;
  }

  /**
   * Decodes the whole items of these bytes together, if a guess at where they end proves right; none when what is here is the
   * beginning of one, which is kept. `undefined`: read one by one.
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
        // A wrong guess, or an item that is none: read one by one, it is found out which.
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
      throw new TransportError('PROTOCOL', `an item of the list cannot be decoded: ${String(cause)}`, { cause });
    }
  }

  #startMember(json: Uint8Array): void {
    this.#key = String(parsed(json));
    if (this.#key === 'items' && this.#hasItems) {
      throw new TransportError('PROTOCOL', 'this is no list: it has items twice');
    }
  }

  #keepMember(json: Uint8Array): void {
    const value = parsed(json);
    switch (this.#key) {
      case 'items':
        // What Go makes of a list that has none.
        if (value !== null) throw new TransportError('PROTOCOL', 'this is no list: its items are no array');
        this.#hasItems = true;
        break;
      case 'metadata':
        if (isJsonObject(value)) this.#metadata = value;
        break;
      case 'kind':
        if (NO_LISTS.has(value)) throw new TransportError('PROTOCOL', `${String(value)} is no list`);
        this.#kind = String(value);
        break;
      default:
        this.#apiVersion = String(value);
    }
  }
}

function parsed(json: Uint8Array): unknown {
  try {
    return parseJson(json);
  } catch (cause) {
    throw new TransportError('PROTOCOL', `a member of the list is no JSON: ${String(cause)}`, { cause });
  }
}
