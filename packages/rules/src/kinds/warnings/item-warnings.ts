/** The warnings about the items of a list. */

import { foldItems } from '@listwatch/api/internal';

/** A header takes less; more are not looked for, because some are about every pair of ports or paths. */
export const WARNINGS_MAX = 100;

/** What `warn` says of each item, in their order. A large object is looked at in steps, as by `itemErrors`. */
export function itemWarnings<T>(
  items: readonly T[],
  warn: (item: T, index: number) => Iterable<string>,
): readonly string[] {
  return foldItems(
    items,
    (): string[] => [],
    (found, item, index) => {
      // All of the item at once: if a pause within it ends this call, the next one begins with its first warning.
      const texts: string[] = [];
      for (const text of warn(item, index)) if (found.length + texts.push(text) >= WARNINGS_MAX) break;
      found.push(...texts);
      return found.length < WARNINGS_MAX;
    },
  );
}
