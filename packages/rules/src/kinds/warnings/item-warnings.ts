/** The warnings about the items of a list. */

/** The maximum of warnings. A header holds fewer; some warnings are about every pair of ports or paths. */
export const WARNINGS_MAX = 100;

/** The warnings that `warn` gives for each item, in order. */
export function itemWarnings<T>(
  items: readonly T[],
  warn: (item: T, index: number) => Iterable<string>,
): readonly string[] {
  const found: string[] = [];
  for (const [index, item] of items.entries()) {
    for (const text of warn(item, index)) if (found.push(text) >= WARNINGS_MAX) return found;
  }
  return found;
}
