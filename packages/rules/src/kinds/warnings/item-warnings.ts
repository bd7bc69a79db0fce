/** The warnings about the items of a list. */

import { foldItems } from '@listwatch/api/internal';

/** The maximum of warnings. A header holds fewer; some warnings are about every pair of ports or paths. */
export const WARNINGS_MAX = 100;

/** The warnings that `warn` gives for each item, in order. */
export function itemWarnings<T>(
  items: readonly T[],
  warn: (item: T, index: number) => Iterable<string>,
): readonly string[] {
  return foldItems(
    items,
    (): string[] => [],
    (found, item, index) => {
      // Collects all warnings of the item first: if the work pauses within `warn`, the next call repeats the item.
      const texts: string[] = [];
      for (const text of warn(item, index)) if (found.length + texts.push(text) >= WARNINGS_MAX) break;
      found.push(...texts);
      return found.length < WARNINGS_MAX;
    },
  );
}
