/** The warnings about the items of a list. */

/** The maximum of warnings. A header holds fewer; some warnings are about every pair of ports or paths. */
export const WARNINGS_MAX = 100;

/** The warnings that `warn` gives for each item, in order. */
export function itemWarnings<T>(
  items: readonly T[],
  warn: (item: T, index: number) => Iterable<string>,
): readonly string[] {
  // Nearly all lists are absent, and nearly no item is worth a warning.
  if (items.length === 0) return NONE;
  const found: string[] = [];
  let index = -1;
  for (const item of items) {
    index += 1;
    const said = warn(item, index);
    if (said === NONE) continue;
    for (const text of said) if (found.push(text) >= WARNINGS_MAX) return found;
  }
  return found.length === 0 ? NONE : found;
}

/** No warning: nothing is gone through. */
export const NONE: readonly string[] = [];
