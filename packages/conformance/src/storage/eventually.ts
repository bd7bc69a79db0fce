/** Waiting for a condition instead of for a time. */

import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 2;

/** Resolves when `condition` gives a value other than false or undefined, with that value; fails after 20 seconds. */
export async function eventually<T>(
  what: string,
  condition: () => T | false | undefined | Promise<T | false | undefined>,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`waited ${PATIENCE_MS} ms in vain for this: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
