/** Breaks in the work on large objects: other requests go on between two steps that take tens of milliseconds each. */

import { setImmediate } from 'node:timers/promises';

/** The work on an object of this size takes about ten milliseconds. */
const LARGE_BYTES = 128 * 1024;

/** Is this so much JSON that the event loop gets a turn between two steps? Ask first: small objects wait for nothing. */
export function isLarge(bytes: number): boolean {
  return bytes > LARGE_BYTES;
}

/** Lets the event loop do what is waiting. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
