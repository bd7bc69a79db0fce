/** How large an object may become, counted while it is built: work for an object that is too large ends early. */

import { objectTooLarge } from '@listwatch/api';
import type { ByteCount } from '@listwatch/schema';

/** The largest request that an etcd with default settings takes: no stored object is larger. */
export const MAX_OBJECT_BYTES: number = 1.5 * 1024 * 1024;

/**
 * Room for a map whose kind has a limit of its own, such as `data`: more than a body may have, so that its client is told
 * which field is too long.
 */
export const MAX_LIMITED_BYTES: number = 4 * 1024 * 1024;

/** Room for the JSON of one object, or of a part of it. */
export class SizeBudget implements ByteCount {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes what a part of the object needs at least. Throws the 500 of an object that is too large. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw objectTooLarge();
  }

  /** Throws the same when there is no room for so many bytes, before anything of them is built. */
  requireRoom(bytes: number): void {
    if (bytes > this.#left) throw objectTooLarge();
  }

  ofLimitedMap(): SizeBudget {
    return new SizeBudget(MAX_LIMITED_BYTES);
  }
}

/** Room for a whole object. */
export function newObjectBudget(): SizeBudget {
  return new SizeBudget(MAX_OBJECT_BYTES);
}
