/** A sorted table of an LMDB file, read where it lies. */

import type { Database, RootDatabase } from 'lmdb';
import { corruptError, readFailure } from './corrupt-error.ts';

/** How a table turns the bytes of a key into something useful; undefined when it cannot. */
export type DecodeKey<K> = (bytes: Buffer, start: number, end: number) => K | undefined;

/**
 * Keys go in as bytes and come out decoded. Values are read in LMDB's own memory, so that a walk copies only what it
 * keeps: after each step of a walk and each `find`, `value` reads the value of that key, until the next step.
 */
export class Table<K> {
  readonly #db: Database<Uint8Array>;
  readonly #name: string;
  readonly #view = new ValueView();
  readonly #found: { key: K | undefined } = { key: undefined };

  constructor(root: RootDatabase, name: string, decodeKey: DecodeKey<K>) {
    this.#name = name;
    const found = this.#found;
    const keyEncoder = {
      writeKey,
      readKey(bytes: Buffer, keyStart: number, keyEnd: number): string {
        found.key = decodeKey(bytes, keyStart, keyEnd);
        return '';
      },
    };
    // The options of a table inside a file are typed without the encoders that it accepts.
    const options: { name: string } = Object.assign({ name }, { encoder: this.#view, keyEncoder });
    this.#db = root.openDB<Uint8Array>(options);
  }

  /** Walks the keys from `start` (inclusive) to `end` (exclusive); `value` reads the value of each. */
  walk(start: Buffer, end?: Buffer): Iterable<K> {
    return this.#steps(this.#db.getRange(end === undefined ? { start } : { start, end }));
  }

  /** As `walk`, without the values: several times faster. */
  keys(start: Buffer, end?: Buffer): Iterable<K> {
    return this.#steps(this.#db.getKeys(end === undefined ? { start } : { start, end }));
  }

  /** The last key of the table. */
  last(): K | undefined {
    // Without an end of its own lmdb stops before keys that begin with a byte below 5, as all revisions do.
    const range = this.#db.getKeys({ reverse: true, limit: 1, end: Buffer.from([0]) });
    for (const key of this.#steps(range)) return key;
    return undefined;
  }

  /** Whether `key` exists; `value` then reads its value. */
  find(key: Buffer): boolean {
    try {
      return this.#db.get(key) !== undefined;
    } catch (error) {
      throw readFailure(error, `the table ${this.#name}`);
    }
  }

  /** Reads the current value: `reader` gets bytes that are valid only during the call, and their number. */
  value<T>(reader: (bytes: Buffer, length: number) => T): T {
    return this.#view.read(reader);
  }

  /** Writes in the transaction that `writeAll` is carrying out. */
  put(key: Buffer, value: Uint8Array): void {
    void this.#db.put(key, value);
  }

  /** Removes in the transaction that `writeAll` is carrying out. */
  remove(key: Buffer): void {
    void this.#db.remove(key);
  }

  /** Decoded keys are handed over on the side, because lmdb's own types allow only keys of its kinds. */
  *#steps(range: Iterable<unknown>): Generator<K, undefined> {
    try {
      for (const _ of range) {
        // Thrown here and not by the decoder: an error inside of lmdb's iterator would keep its read transaction open.
        if (this.#found.key === undefined) throw corruptError(`a key of the table ${this.#name} cannot be decoded`);
        yield this.#found.key;
      }
    } catch (error) {
      throw readFailure(error, `the table ${this.#name}`);
    }
  }
}

/** The encoder that lmdb calls with each value: it keeps a reference to the bytes instead of copying them. */
class ValueView {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  encode(value: Uint8Array): Uint8Array {
    return value;
  }

  decode(bytes: Buffer): true {
    this.#bytes = bytes;
    // lmdb reuses one buffer and sets its `length` by hand, for this call only.
    this.#length = bytes.length;
    return true;
  }

  read<T>(reader: (bytes: Buffer, length: number) => T): T {
    return reader(this.#bytes, this.#length);
  }
}

function writeKey(key: unknown, target: Uint8Array, position: number): number {
  if (!(key instanceof Uint8Array)) throw new TypeError('keys are encoded before they are written');
  target.set(key, position);
  return position + key.length;
}
