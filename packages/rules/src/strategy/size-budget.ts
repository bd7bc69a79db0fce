/** Counts the size of an object while it is built, so that building an oversized object stops early. */

import { objectTooLarge } from '@listwatch/api';
import type { ByteCount } from '@listwatch/schema';

/** The largest request that an etcd with default settings takes: no stored object is larger. */
export const MAX_OBJECT_BYTES: number = 1.5 * 1024 * 1024;

/**
 * The budget of a map with its own limit, such as `data`. It exceeds the limit of a body, so that validation can name
 * the field that is too long.
 */
export const MAX_LIMITED_BYTES: number = 4 * 1024 * 1024;

/** Room for the JSON of one object, or of a part of it. */
export class SizeBudget implements ByteCount {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes the minimum size of a part of the object. Throws the 500 of an object that is too large. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw objectTooLarge();
  }

  /** Throws the same error before bytes are built that would not fit. */
  requireRoom(bytes: number): void {
    if (bytes > this.#left) throw objectTooLarge();
  }

  ofLimitedMap(): SizeBudget {
    return new SizeBudget(MAX_LIMITED_BYTES);
  }
}

/** The budget of a whole object. */
export function newObjectBudget(): SizeBudget {
  return new SizeBudget(MAX_OBJECT_BYTES);
}
