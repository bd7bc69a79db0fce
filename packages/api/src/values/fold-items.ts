/** A loop over items that may end early. */

/** Adds items to a state, in their order, until `add` returns false. */
export function foldItems<T, S>(
  items: readonly T[],
  start: () => S,
  add: (state: S, item: T, index: number) => boolean,
): S {
  const state = start();
  for (const [index, item] of items.entries()) if (!add(state, item, index)) break;
  return state;
}
