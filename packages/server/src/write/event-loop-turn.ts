/** Breaks in the work on large objects: other requests go on between two steps that take tens of milliseconds each. */

import { setImmediate } from 'node:timers/promises';
import { finish, finishInTurns, type Steps } from '@listwatch/schema';

/** The work on an object of this size takes up to ten milliseconds: `{}` in a list costs a microsecond. */
const LARGE_BYTES = 32 * 1024;

/** Is this so much JSON that the event loop gets a turn between two steps? Ask first: small objects wait for nothing. */
export function isLarge(bytes: number): boolean {
  return bytes > LARGE_BYTES;
}

/** Lets the event loop do what is waiting. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** The result of the steps: at once for a small object, in turns of the event loop for a large one. */
export function stepsBySize<T>(steps: Steps<T>, bytes: number): T | Promise<T> {
  return isLarge(bytes) ? finishInTurns(steps, nextTurn) : finish(steps);
}
