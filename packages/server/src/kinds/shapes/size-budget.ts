/** How large an object may become, counted while it is built: work for an object that is too large ends early. */

import { objectTooLarge } from '@listwatch/api';

/** The largest request that an etcd with default settings takes: no stored object is larger. */
export const MAX_OBJECT_BYTES: number = 1.5 * 1024 * 1024;

/**
 * The largest object that is built at all. More than a body may have, so that one that is sent too large is told which of
 * its fields is too long; less than defaults and patches could make of it.
 */
const MAX_BUILT_BYTES = 4 * 1024 * 1024;

/** Room for the JSON of one object. */
export class SizeBudget {
  #left = MAX_BUILT_BYTES;

  /** Takes what a part of the object needs at least. Throws the 500 of an object that is too large. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw objectTooLarge();
  }

  /** Throws the same for a list that no stored object has room for, before any of its items is built. */
  requireRoomFor(count: number, itemBytes: number): void {
    if (count * itemBytes > MAX_OBJECT_BYTES) throw objectTooLarge();
  }
}
