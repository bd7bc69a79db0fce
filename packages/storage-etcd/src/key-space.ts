/** The engine's keys inside etcd: a root before every key, so that several stores can share one cluster. */

import { compareKeys } from '@listwatch/storage';

/** The first key of all, and as `range_end` the sign for "to the end": etcd's words for an open range. */
const NUL: Buffer = Buffer.from([0]);

/** A range of etcd keys: from `key` inclusive to `rangeEnd` exclusive. */
export interface KeyRange {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
}

/** Turns keys of the contract into etcd's bytes. */
export class KeySpace {
  /** How many bytes of every etcd key are the root. */
  readonly rootBytes: number;
  /** A key under the root that never exists: what is asked when only the answer's header counts. */
  readonly nothing: Buffer;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.rootBytes = Buffer.byteLength(root);
    this.nothing = Buffer.from(`${root}\0`);
  }

  /** The etcd key. */
  encode(key: string): Buffer {
    return Buffer.from(this.#root + key);
  }

  /** All keys under a prefix, from `start` if that comes later. */
  range(prefix: string, start: string = prefix): KeyRange {
    const full = this.encode(prefix);
    const key = compareKeys(start, prefix) > 0 ? this.encode(start) : full;
    return { key: key.length === 0 ? NUL : key, rangeEnd: endOfPrefix(full) };
  }

  /** The same range, from right after a key that was seen. */
  after(key: string, range: KeyRange): KeyRange {
    return { key: this.encode(`${key}\0`), rangeEnd: range.rangeEnd };
  }
}

/** The first key behind all that begin with `prefix`. No byte of UTF-8 is 0xff, so the last one can be counted up. */
function endOfPrefix(prefix: Buffer): Buffer {
  const last = prefix.at(-1);
  if (last === undefined) return NUL;
  const end = Buffer.from(prefix);
  end[end.length - 1] = last + 1;
  return end;
}
